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
        self.init(list: list, in: shape, headingOfValues: list.path.last)
    }

    /// Makes the layout of a list that was found in a model. Its columns are the fields of the rows.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - shape: The shape of the result, with the models that the rows refer to.
    ///   - headingOfValues: The heading of the only column if the rows are not objects; nil for `value`.
    init(list: RowList, in shape: ModelShape, headingOfValues: String?) {
        path = list.path
        let fields = list.rowShapes.flatMap(shape.directFields)
        let members = fields.map { field in
            RowColumn.Member(key: field.key, isScalar: shape.isSingleToken(field.shape))
        }
        columns = RowColumn.columns(of: members, title: headingOfValues)
    }
}
