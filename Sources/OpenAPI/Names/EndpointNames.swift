import EndpointKit

/// Names the endpoints of a document's operations.
///
/// - The name is the operation's id in kebab case: `find-pets` for `findPets`. If at least three operations of a tag
///   begin with the same words, these words are left out.
/// - Without an id, the name consists of the method and the path without its variables: `get-pets-owner`.
/// - In a document with more than 20 operations, the name begins with the first tag: `pets.find`.
///
/// Names do not depend on the order of the operations.
package enum EndpointNames {
    /// The most operations of a document whose names have no tag. A longer list of names is easier to read with tags.
    private static let maxOperationsWithoutTags = 20
    /// The least number of operations in a tag whose common first words are left out of names. The ids of two
    /// operations may begin with the same word by chance.
    private static let minOperationsSharingWords = 3

    /// An operation with the words that its name consists of.
    private struct WordedOperation {
        let summary: OperationSummary
        /// The first tag in kebab case, such as `pet-store`; empty if the operation has no tag.
        let tag: String
        /// The words of the operation's id, such as `list` and `pets`; empty if it has no id.
        let idWords: [String]
    }

    /// Returns a name for each operation, in the order of the operations. No two names are equal.
    ///
    /// Operations with the same short name, such as `find`, get long names, such as `pets-find`. If long names are
    /// equal too, they are numbered.
    package static func names(_ summaries: [OperationSummary]) -> [String] {
        let operations = splitIntoWords(summaries)
        let showsTags = operations.count > maxOperationsWithoutTags
        // Returns the name with the operation's tag in front, such as `pets.find`.
        func tagged(_ name: String, of operation: WordedOperation) -> String {
            showsTags && !operation.tag.isEmpty ? "\(operation.tag).\(name)" : name
        }
        let sharedWordCounts = countSharedWordsByTag(operations)
        let shortNames = operations.map { operation in
            tagged(shortName(operation, withoutFirst: sharedWordCounts[operation.tag] ?? 0), of: operation)
        }
        let shortNameCounts = Dictionary(shortNames.map { ($0, 1) }, uniquingKeysWith: +)
        let names = zip(shortNames, operations).map { shortName, operation in
            let isUnique = shortNameCounts[shortName] == 1
            return isUnique ? shortName : tagged(longName(operation), of: operation)
        }
        return numberEqualNames(names, operations: operations)
    }

    // MARK: Words

    /// Returns the operations with the words of their ids and tags.
    private static func splitIntoWords(_ summaries: [OperationSummary]) -> [WordedOperation] {
        // Many operations have the same tag. It is split into words once.
        var tagNames: [String: String] = [:]
        return summaries.map { summary in
            let tag = summary.tags.first ?? ""
            let tagName = tagNames[tag] ?? words(tag).joined(separator: "-")
            tagNames[tag] = tagName
            return WordedOperation(summary: summary, tag: tagName, idWords: words(summary.operationID ?? ""))
        }
    }

    /// Returns the words of an id, a tag or a path segment in lower case.
    ///
    ///     listPets, list_pets    →  list, pets
    ///     HTTPServer             →  http, server
    static func words(_ text: String) -> [String] {
        lettersAndDigits(text).flatMap { part in
            KebabCase.text(part).utf8.split(separator: UInt8(ascii: "-")).map { String(Substring($0)) }
        }
    }

    /// Splits a text at characters other than letters and digits: `list/allPets` into `list` and `allPets`.
    private static func lettersAndDigits(_ text: String) -> [String] {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        // Splitting an ASCII text at bytes takes a tenth of the time.
        if isASCII { return text.utf8.split { !$0.isLetterOrDigit }.map { String(Substring($0)) } }
        return text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Returns the number of words that all ids of a tag begin with, by tag.
    ///
    /// A tag with fewer operations than ``minOperationsSharingWords`` has no entry.
    private static func countSharedWordsByTag(_ operations: [WordedOperation]) -> [String: Int] {
        var idsByTag: [String: [[String]]] = [:]
        for operation in operations where !operation.tag.isEmpty && !operation.idWords.isEmpty {
            idsByTag[operation.tag, default: []].append(operation.idWords)
        }
        return idsByTag.filter { $0.value.count >= minOperationsSharingWords }.mapValues(countSharedFirstWords)
    }

    /// Returns the number of words that all ids begin with. The last word of an id does not count.
    ///
    ///     pets list, pets find, pets find first    →  1
    ///     pets list, pets find, pets               →  0
    ///
    /// - Parameter ids: The words of each id.
    private static func countSharedFirstWords(_ ids: [[String]]) -> Int {
        guard let firstID = ids.first else { return 0 }
        var count = firstID.count
        for id in ids {
            let sharedWords = zip(id, firstID).prefix { $0 == $1 }
            count = min(count, sharedWords.count, id.count - 1)
        }
        return count
    }

    // MARK: Names

    /// Returns the shortest name of an operation, which other operations may have too.
    ///
    ///     the id petsFind, whose first word is shared    →  find
    ///     GET /pets/{id} without an id                   →  get-pets
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - sharedCount: The number of words that all ids of the operation's tag begin with. They are left out.
    private static func shortName(_ operation: WordedOperation, withoutFirst sharedCount: Int) -> String {
        let idWords = operation.idWords.dropFirst(sharedCount)
        if idWords.isEmpty { return methodAndPath(of: operation.summary, includesVariables: false) }
        return idWords.joined(separator: "-")
    }

    /// Returns the name of an operation whose short name is not unique.
    ///
    ///     the id petsFind                 →  pets-find
    ///     GET /pets/{id} without an id    →  get-pets-by-id
    private static func longName(_ operation: WordedOperation) -> String {
        if operation.idWords.isEmpty { return methodAndPath(of: operation.summary, includesVariables: true) }
        return operation.idWords.joined(separator: "-")
    }

    /// Returns the method and the path of an operation in kebab case.
    ///
    ///     GET /pets/{id}/owner with variables       →  get-pets-by-id-owner
    ///     GET /pets/{id}/owner without variables    →  get-pets-owner
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - includesVariables: Whether the variables of the path are part of the name.
    private static func methodAndPath(of operation: OperationSummary, includesVariables: Bool) -> String {
        var nameWords = words(operation.method)
        for segment in operation.path.split(separator: "/") {
            let isVariable = segment.contains("{")
            if !isVariable {
                nameWords += words(String(segment))
            } else if includesVariables {
                nameWords += ["by"] + words(String(segment))
            }
        }
        return nameWords.isEmpty ? "operation" : nameWords.joined(separator: "-")
    }

    /// Makes names unique by numbers: `find, find, list` becomes `find, find-2, list`.
    ///
    /// Equal names are numbered in the alphabetical order of the operations' paths and methods, so that the numbers do
    /// not depend on the order of the document.
    ///
    /// - Parameters:
    ///   - names: The names of the operations.
    ///   - operations: The operations in the order of the names.
    private static func numberEqualNames(_ names: [String], operations: [WordedOperation]) -> [String] {
        let distinctNames = Set(names)
        if distinctNames.count == names.count { return names }
        let alphabeticalOrder = names.indices.sorted { left, right in
            let leftSummary = operations[left].summary
            let rightSummary = operations[right].summary
            return (leftSummary.path, leftSummary.method) < (rightSummary.path, rightSummary.method)
        }
        // All names are reserved, so that a number never leads to the name of another operation.
        var uniqueNames = UniqueNames(separator: "-", reserved: distinctNames)
        var numberedNames = names
        for index in alphabeticalOrder { numberedNames[index] = uniqueNames.addName(names[index]) }
        return numberedNames
    }
}
