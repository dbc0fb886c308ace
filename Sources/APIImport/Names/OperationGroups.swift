import EndpointKit
import OpenAPI

/// Operations that become one enum, because they have the same tag.
struct OperationGroup {
    /// The words of the tag.
    var words: [String]
    var operations: [ImportedOperation]
    /// The name of the enum.
    var type = ""

    /// The name on the command line, without the API's.
    var name: String { words.joined(separator: "-") }

    /// The most cases of an enum. The switch over more cases would take long to compile.
    private static let maxCases = 60
    /// The fewest operations with the same second segment that get an enum of their own when a large tag is split.
    private static let minCases = 6

    /// Returns operations in groups by their tags, or else by the first segments of their paths.
    ///
    /// The tags `account` and `accounts` become one group, `accounts`. Operations with different servers are never in
    /// one group. If two groups would have the same words, the later one also gets its host: `pets on api`.
    static func groups(_ operations: [ImportedOperation]) -> [OperationGroup] {
        var takenWords: Set<[String]> = []
        let operationsByTag = operations.grouped { operation in
            SwiftNames.singular(operation.group) + (operation.ownServers?.map(\.url) ?? [])
        }
        return operationsByTag.flatMap { _, operationsOfTag in
            // The longest of the tags names the group: `accounts`, and not `account`.
            var words = operationsOfTag.map(\.group).max { $0.joined().count < $1.joined().count } ?? []
            while !takenWords.insert(SwiftNames.singular(words)).inserted {
                words += ["on"] + SwiftNames.words(hostLabel(operationsOfTag[0]))
            }
            return splitTag(words, operations: operationsOfTag)
        }
    }

    /// Returns the first label of the host of an operation's own server: `api` for `https://api.example.com`.
    private static func hostLabel(_ operation: ImportedOperation) -> Substring {
        let url = operation.ownServers?.first?.url ?? ""
        return url.split(separator: "/").dropFirst().first?.prefix { $0 != "." } ?? "other"
    }

    /// Returns the groups of a tag: one, or several by the second segments of the paths if the tag has many operations.
    ///
    /// `/repos/{repo}/hooks` and `/repos/{repo}/keys` of the tag `repos` → the groups `repos hooks` and `repos keys`
    ///
    /// - Parameters:
    ///   - words: The words of the tag.
    ///   - operations: The operations of the tag.
    private static func splitTag(_ words: [String], operations: [ImportedOperation]) -> [OperationGroup] {
        if operations.count <= maxCases { return [OperationGroup(words: words, operations: operations)] }
        /// Returns the segment `hooks` of `/repos/{repo}/hooks`; empty if the path has fewer than two fixed segments.
        func secondSegment(_ operation: ImportedOperation) -> String {
            OperationPath.fixedSegments(of: operation.path).dropFirst().first ?? ""
        }
        // The operations with the same second segment, if they are many enough for an enum of their own.
        let largeParts = operations.grouped(by: secondSegment).filter { segment, operationsOfPart in
            !segment.isEmpty && operationsOfPart.count >= minCases
        }
        let segmentsOfParts = Set(largeParts.map(\.key))
        let remainingOperations = operations.filter { !segmentsOfParts.contains(secondSegment($0)) }
        let groupsOfParts = largeParts.flatMap { segment, operationsOfPart in
            let partWords = wordsOfPart(tag: words, segment: segment, operations: operationsOfPart)
            return numberedGroups(partWords, operations: operationsOfPart)
        }
        return numberedGroups(words, operations: remainingOperations) + groupsOfParts
    }

    /// Returns groups of at most ``maxCases`` operations. All but the first have a number after their words.
    private static func numberedGroups(_ words: [String], operations: [ImportedOperation]) -> [OperationGroup] {
        let starts = stride(from: 0, to: operations.count, by: maxCases)
        return starts.enumerated().map { index, start in
            let groupWords = index == 0 ? words : words + ["\(index + 1)"]
            return OperationGroup(words: groupWords, operations: Array(operations[start...].prefix(maxCases)))
        }
    }

    /// Returns the words for the operations of a large tag that have the same second segment in their paths.
    ///
    /// | Tag | Path | Words |
    /// |---|---|---|
    /// | `repos` | `/repos/{repo}/hooks` | `repos hooks` |
    /// | `actions` | `/repos/{repo}/actions` | `actions repos`: the second segment only repeats the tag |
    ///
    /// - Parameters:
    ///   - tag: The words of the tag.
    ///   - segment: The second fixed segment of the operations' paths.
    ///   - operations: The operations with that segment, of which there is at least one.
    private static func wordsOfPart(
        tag: [String], segment: String, operations: [ImportedOperation]
    ) -> [String] {
        let segmentWords = SwiftNames.words(segment)
        let repeatsTag = SwiftNames.singular(segmentWords) == SwiftNames.singular(tag)
        if !repeatsTag { return tag + segmentWords }
        let firstSegment = OperationPath.fixedSegments(of: operations[0].path).first
        return tag + SwiftNames.words(firstSegment ?? segment)
    }

    /// Gives each operation the name of its enum case.
    ///
    /// The name is the one that people chose, or else one derived from the operation. A name that is taken already gets
    /// a number: `list2`.
    mutating func nameCases(_ choices: ImportChoices) {
        // `sampleText` is the name of a constant in the generated enum.
        var takenNames = NameTable(Scaffold.reserved.union(["sampleText"]))
        let chosenNames = operations.map(choices.name)
        let derivedNames = deriveNames()
        // Chosen names are given first, so that a derived name is the one that gets a number.
        for (index, chosenName) in chosenNames.enumerated() {
            if let chosenName { operations[index].text.name = takenNames.unique(chosenName) }
        }
        for (index, chosenName) in chosenNames.enumerated() where chosenName == nil {
            operations[index].text.name = takenNames.unique(derivedNames[index])
        }
    }

    /// Returns a name for each operation, made from its identifier, or from its method and path.
    ///
    /// Operations with the same short name get their long names: `list` and `list` become `listPets` and `listOwners`.
    /// A name that has a meaning in every API, such as `servers`, gets the group's name at its end.
    private func deriveNames() -> [String] {
        let subjects = operations.map {
            OperationNames.Subject(id: $0.id, method: $0.method, path: $0.path, group: $0.group)
        }
        let shortNames = subjects.map { SwiftNames.memberName(OperationNames.words(of: $0)) }
        let useCounts = Dictionary(shortNames.map { ($0, 1) }, uniquingKeysWith: +)
        return zip(subjects, shortNames).map { subject, shortName in
            let isUnique = useCounts[shortName] == 1
            var name = isUnique ? shortName : SwiftNames.memberName(OperationNames.longWords(of: subject))
            if Scaffold.reserved.contains(name) { name += SwiftNames.typeName(SwiftNames.singular(subject.group)) }
            return name
        }
    }
}

extension ImportChoices {
    /// Returns the name that people chose for an operation, by its identifier, or by its method and path.
    fileprivate func name(of operation: ImportedOperation) -> String? {
        if let id = operation.id, let name = operationNames[id] { return name }
        return operationNames[operation.key]
    }
}
