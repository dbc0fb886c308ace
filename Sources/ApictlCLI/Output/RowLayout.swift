import EndpointKit
import EndpointTools
import JSONText

/// The place of a result's list, and the columns of its rows.
struct RowLayout: Sendable {
    /// The names that lead from the result to the list. It is empty if the result itself is the list, or the only row.
    let path: [String]
    let columns: [RowColumn]

    /// Finds the list in a result, and the columns of its elements.
    ///
    /// - Parameter shape: The shape of the result.
    /// - Throws: ``UsageError`` if there are several lists.
    init(of shape: ModelShape) throws(UsageError) {
        let list = try RowList.find(in: shape)
        self.init(list: list, of: shape, title: list.path.last)
    }

    /// Makes the layout of a list that is already known.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - shape: The shape that has the models of the rows.
    ///   - title: The heading of the only column if the rows are not objects; nil for `value`.
    init(list: RowList, of shape: ModelShape, title: String?) {
        path = list.path
        let fields = list.rowShapes.flatMap(shape.directFields)
        let members = fields.lazy.map { RowColumn.Member(key: $0.key, isSingle: shape.isSingle($0.shape)) }
        columns = RowColumn.columns(of: members, title: title)
    }
}
