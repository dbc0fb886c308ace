import EndpointKit

/// Names for the operations of a document.
///
/// Names depend on the operations alone, and not on their order:
///
/// - The name is the operation's id in kebab case. First words that all ids of a tag share are left out, if the tag has
///   at least three operations.
/// - Without an id, the name is the method and the fixed words of the path: `get-pets-owner`.
/// - In a document with more than 20 operations, the first tag comes first: `pets.find`.
package enum EndpointNames {
    /// A document with more operations has the tag in front of each name, because people can't survey a longer list.
    private static let maxOperationsWithoutTags = 20
    /// The first words of ids are left out if a tag has at least so many operations. Two may share a word by chance.
    private static let minOperationsSharingWords = 3

    /// An operation with the words that its name is made of.
    private struct WordedOperation {
        let summary: OperationSummary
        /// The words of the first tag with hyphens between them, such as `pet-store`; empty if there is none.
        let tag: String
        /// The words of the operation's id, such as `list` and `pets`; empty if it has no id.
        let idWords: [String]
    }

    /// Returns a name for each operation, in the order of `operations`. All names are different.
    ///
    /// Operations whose short names are equal get their long names. If these are equal too, all but one are numbered.
    package static func names(_ operations: [OperationSummary]) -> [String] {
        let operations = worded(operations)
        let sharedCounts = sharedWordCounts(operations)
        let showsTags = operations.count > maxOperationsWithoutTags
        // A name has its tag in front only in a large document: `pets.find`.
        func withTag(_ name: String, _ operation: WordedOperation) -> String {
            showsTags && !operation.tag.isEmpty ? "\(operation.tag).\(name)" : name
        }
        let shortNames = operations.map { operation in
            withTag(shortName(operation, withoutFirst: sharedCounts[operation.tag] ?? 0), operation)
        }
        // The number of operations with each short name.
        let uses = Dictionary(shortNames.map { ($0, 1) }, uniquingKeysWith: +)
        let names = zip(shortNames, operations).map { shortName, operation in
            uses[shortName] == 1 ? shortName : withTag(longName(operation), operation)
        }
        return numbered(names, operations)
    }

    // MARK: Words

    /// Returns the operations with the words of their ids and tags, from which names are made.
    private static func worded(_ operations: [OperationSummary]) -> [WordedOperation] {
        // Many operations have the same tag, whose words are found once.
        var tagNames: [String: String] = [:]
        return operations.map { summary in
            let tag = summary.tags.first ?? ""
            let tagName = tagNames[tag] ?? words(tag).joined(separator: "-")
            tagNames[tag] = tagName
            return WordedOperation(summary: summary, tag: tagName, idWords: words(summary.operationID ?? ""))
        }
    }

    /// Returns the words of an id, a tag or a path segment in lower case: `list` and `pets` for `listPets` and for
    /// `list_pets`.
    static func words(_ text: String) -> [String] {
        lettersAndDigits(text).flatMap { part in
            KebabCase.text(part).utf8.split(separator: UInt8(ascii: "-")).map { String(Substring($0)) }
        }
    }

    /// Returns the parts of a text that consist of letters and digits: `list` and `allPets` for `list/allPets`.
    private static func lettersAndDigits(_ text: String) -> [String] {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
        // A text in ASCII is split by its bytes, which takes a tenth of the time.
        return text.utf8.split { !$0.isLetterOrDigit }.map { String(Substring($0)) }
    }

    /// Returns how many words at their start the ids of a tag share, by tag.
    ///
    /// A tag with fewer operations than ``minOperationsSharingWords`` has no entry.
    private static func sharedWordCounts(_ operations: [WordedOperation]) -> [String: Int] {
        var idsByTag: [String: [[String]]] = [:]
        for operation in operations where !operation.tag.isEmpty && !operation.idWords.isEmpty {
            idsByTag[operation.tag, default: []].append(operation.idWords)
        }
        return idsByTag.filter { $0.value.count >= minOperationsSharingWords }.mapValues(sharedWordCount)
    }

    /// Returns how many words at their start all ids share. At least one word of each id is not counted.
    ///
    ///     pets list, pets find, pets find first    1
    ///     pets list, pets find, pets               0
    private static func sharedWordCount(_ ids: [[String]]) -> Int {
        guard let first = ids.first else { return 0 }
        var count = first.count
        for id in ids {
            let equalWords = zip(id, first).prefix { $0 == $1 }
            count = min(count, equalWords.count, id.count - 1)
        }
        return count
    }

    // MARK: Names

    /// Returns the words of an operation's id without the first ones, or method and path if there is no id.
    ///
    /// For the id `petsFind` in a tag whose ids all begin with `pets`, the short name is `find`.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - sharedCount: The number of words that all ids of the tag begin with.
    private static func shortName(_ operation: WordedOperation, withoutFirst sharedCount: Int) -> String {
        let idWords = operation.idWords.dropFirst(sharedCount)
        return idWords.isEmpty ? pathName(operation.summary, hasVariables: false) : idWords.joined(separator: "-")
    }

    /// Returns all words of an operation's id, or method and path with its variables if there is no id.
    ///
    /// It is the name of an operation whose short name another operation has too: `pets-find`, or `get-pets-by-id`.
    private static func longName(_ operation: WordedOperation) -> String {
        let idWords = operation.idWords
        return idWords.isEmpty ? pathName(operation.summary, hasVariables: true) : idWords.joined(separator: "-")
    }

    /// Returns method and path in words.
    ///
    ///     GET /pets/{id}/owner    get-pets-owner, with variables get-pets-by-id-owner
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - hasVariables: Whether the variables of the path are part of the name.
    private static func pathName(_ operation: OperationSummary, hasVariables: Bool) -> String {
        var result = words(operation.method)
        for segment in operation.path.split(separator: "/") {
            let isVariable = segment.contains("{")
            if !isVariable {
                result += words(String(segment))
            } else if hasVariables {
                result += ["by"] + words(String(segment))
            }
        }
        return result.isEmpty ? "operation" : result.joined(separator: "-")
    }

    /// Returns the names with a number after each one that another operation has too.
    ///
    ///     find, find, list    find, find-2, list
    ///
    /// If several operations have the same name, the one whose path and method come first in alphabetical order keeps
    /// it. So the names do not depend on the order of the document.
    private static func numbered(_ names: [String], _ operations: [WordedOperation]) -> [String] {
        let differentNames = Set(names)
        if differentNames.count == names.count { return names }
        let alphabeticalOrder = names.indices.sorted { left, right in
            let leftSummary = operations[left].summary
            let rightSummary = operations[right].summary
            return (leftSummary.path, leftSummary.method) < (rightSummary.path, rightSummary.method)
        }
        // All names are reserved, so that a name with a number is never that of another operation.
        var uniqueNames = UniqueNames(separator: "-", reserved: differentNames)
        var result = names
        for index in alphabeticalOrder { result[index] = uniqueNames.name(names[index]) }
        return result
    }
}
