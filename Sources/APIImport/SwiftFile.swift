/// A file of Swift text with an enum, into which an endpoint is inserted without touching anything else.
package struct SwiftFile {
    private let text: String

    package init(_ text: String) { self.text = text }

    /// The text with a case, an example and an arm of the switch in the enum's `endpoint`; nil if it is not sure where they belong.
    ///
    /// - Parameters:
    ///   - case: `popular(page: Int?)`, without `case`.
    ///   - example: `.popular(page: 1)`.
    ///   - arm: `case .popular(let page):` and the lines after it, without indentation of the first level.
    package func inserting(case: String, example: String, arm: String, into api: String) -> String? { nil }

    /// The names of all types that the text declares.
    package var typeNames: Set<String> { [] }
}
