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
    /// A document with more operations has the tag in front of each name: a longer list is not found through at once.
    private static let maxWithoutTags = 20
    /// The first words of ids are left out if a tag has at least so many operations. Two may share a word by chance.
    private static let minSharing = 3

    /// An operation with the words of its names.
    private struct Words {
        let operation: OperationSummary
        /// The words of the first tag with hyphens between them; empty if there is none.
        let tag: String
        /// The words of the id; empty if there is none.
        let id: [String]
    }

    /// Returns a name for each operation, in the order of `operations`. All names are different.
    package static func names(_ operations: [OperationSummary]) -> [String] {
        let words = words(of: operations)
        let shared = sharedCounts(words)
        let prefixes = words.map { words in
            operations.count > maxWithoutTags && !words.tag.isEmpty ? words.tag + "." : ""
        }
        let short = zip(words, prefixes).map { words, prefix in
            prefix + shortName(words, withoutWords: shared[words.tag] ?? 0)
        }
        let counts = Dictionary(short.map { ($0, 1) }, uniquingKeysWith: +)
        let names = words.indices.map { index in
            let name = short[index]
            return counts[name] == 1 ? name : prefixes[index] + longName(words[index])
        }
        return numbered(names, operations)
    }

    // MARK: Words

    /// Returns the operations with the words of their ids and tags.
    private static func words(of operations: [OperationSummary]) -> [Words] {
        var tags: [String: String] = [:]
        return operations.map { operation in
            let tag = operation.tags.first ?? ""
            let tagName = tags[tag] ?? words(tag).joined(separator: "-")
            tags[tag] = tagName
            return Words(operation: operation, tag: tagName, id: words(operation.operationID ?? ""))
        }
    }

    /// Returns the words of an id, a tag or a path segment in lower case: `listPets` and `list_pets` are `list`,
    /// `pets`.
    static func words(_ text: String) -> [String] {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return text.split { !$0.isLetter && !$0.isNumber }.flatMap { kebabWords(String($0)) }
        }
        // Texts in ASCII are split by their bytes, which takes a tenth of the time.
        var words: [String] = []
        for part in text.utf8.split(whereSeparator: { !isASCIILetterOrDigit($0) }) {
            words += kebabWords(String(Substring(part)))
        }
        return words
    }

    /// Returns the words of a name in camel case.
    private static func kebabWords(_ name: String) -> [String] {
        let words = KebabCase.text(name)
        return words.utf8.contains(UInt8(ascii: "-")) ? words.split(separator: "-").map(String.init) : [words]
    }

    private static func isASCIILetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: false
        }
    }

    /// Returns how many first words all ids of a tag share, for each tag with at least three operations.
    ///
    /// Each id keeps at least one word.
    private static func sharedCounts(_ operations: [Words]) -> [String: Int] {
        var ids: [String: [[String]]] = [:]
        for words in operations where !words.tag.isEmpty && !words.id.isEmpty {
            ids[words.tag, default: []].append(words.id)
        }
        return ids.mapValues { ids in
            guard ids.count >= minSharing, let first = ids.first else { return 0 }
            return ids.dropFirst().reduce(first.count - 1) { count, words in
                min(count, words.count - 1, sharedCount(first, words))
            }
        }
    }

    /// Returns how many words at the start of two lists are the same.
    private static func sharedCount(_ words: [String], _ others: [String]) -> Int {
        zip(words, others).prefix { $0 == $1 }.count
    }

    // MARK: Names

    /// Returns the name of an operation that is as short as it may be.
    private static func shortName(_ words: Words, withoutWords count: Int) -> String {
        let id = words.id.dropFirst(count)
        return id.isEmpty ? pathName(words.operation, withVariables: false) : id.joined(separator: "-")
    }

    /// Returns the name of an operation whose short name another one has too: the whole id, or the path with its
    /// variables.
    private static func longName(_ words: Words) -> String {
        words.id.isEmpty ? pathName(words.operation, withVariables: true) : words.id.joined(separator: "-")
    }

    /// Returns method and path in words: `get-pets-owner`, or `get-pets-by-id-owner` with variables, for
    /// `GET /pets/{id}/owner`.
    private static func pathName(_ operation: OperationSummary, withVariables: Bool) -> String {
        var result = words(operation.method)
        for segment in operation.path.split(separator: "/") {
            let isVariable = segment.contains("{")
            if !isVariable {
                result += words(String(segment))
            } else if withVariables {
                result += ["by"] + words(String(segment))
            }
        }
        return result.isEmpty ? "operation" : result.joined(separator: "-")
    }

    /// Returns the names with a number after each one that an operation before it has too.
    ///
    /// The operations are counted in the order of their paths and methods. A number is never that of another name.
    private static func numbered(_ names: [String], _ operations: [OperationSummary]) -> [String] {
        var unassigned = Set(names)
        guard unassigned.count < names.count else { return names }
        let order = names.indices.sorted { left, right in
            let (first, second) = (operations[left], operations[right])
            return (first.path, first.method) < (second.path, second.method)
        }
        var taken = unassigned
        var numbers: [String: Int] = [:]
        var result = names
        for index in order {
            let name = names[index]
            if unassigned.remove(name) != nil { continue }
            var number = numbers[name] ?? 1
            repeat { number += 1 } while !taken.insert("\(name)-\(number)").inserted
            numbers[name] = number
            result[index] = "\(name)-\(number)"
        }
        return result
    }
}
