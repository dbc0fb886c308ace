import JSONText

/// A part of a schema that a comparison leaves out, because a shape can't hold it.
///
/// For example, a text is compared with the type of its schema, but not with the `pattern`.
package struct UncomparedPart: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        /// A keyword of the schema.
        case keyword(String)
        /// The schema: any value was accepted, or its keywords could not all be read.
        case schema
        /// The keywords of this schema and of those after it, of which there are more than are listed.
        case furtherKeywords
    }

    package let subject: Subject
    private let schema: JSONValue

    /// Describes a part of a schema.
    ///
    /// - Parameters:
    ///   - subject: The part: a keyword, all further keywords, or the whole schema.
    ///   - schema: The schema in its document.
    package init(_ subject: Subject, of schema: JSONValue) {
        self.subject = subject
        self.schema = schema
    }

    /// The keyword; nil if it is the whole schema, or more keywords than are listed.
    package var keyword: String? { if case .keyword(let keyword) = subject { keyword } else { nil } }

    /// The pointer to the schema in its document: `#/components/schemas/Pet`. It is made when it is asked for, because
    /// that takes a search of the document.
    package var pointer: String { schema.document.path(to: schema.slot).pointerText }

    /// Whether two parts have the same subject and the same place in the same document.
    package static func == (left: UncomparedPart, right: UncomparedPart) -> Bool {
        let isSameSchema = left.schema.document === right.schema.document && left.schema.slot == right.schema.slot
        return isSameSchema && left.subject == right.subject
    }

    /// Hashes the subject and the place in the document. Parts of several documents are rarely in one set.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(subject)
        hasher.combine(schema.slot)
    }
}
