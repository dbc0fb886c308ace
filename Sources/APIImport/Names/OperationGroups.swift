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
    /// The tags `account` and `accounts` become one group, unless their operations have different servers. If two groups
    /// with different servers have the same words, the later one also gets the host: `pets on api`.
    static func groups(_ operations: [ImportedOperation]) -> [OperationGroup] {
        var known: Set<[String]> = []
        let groups = operations.grouped { SwiftNames.singular($0.group) + ($0.ownServers?.map(\.url) ?? []) }
        return groups.flatMap { _, members in
            var words = members.map(\.group).max { $0.joined().count < $1.joined().count } ?? []
            while !known.insert(SwiftNames.singular(words)).inserted {
                words += ["on"] + SwiftNames.words(hostLabel(members[0]))
            }
            return split(words, members)
        }
    }

    /// Returns the first label of the host of an operation's own server: `api` for `https://api.example.com`.
    private static func hostLabel(_ operation: ImportedOperation) -> Substring {
        let url = operation.ownServers?.first?.url ?? ""
        return url.split(separator: "/").dropFirst().first?.prefix { $0 != "." } ?? "other"
    }

    /// Returns the groups of a tag: one, or several by the second segments of the paths if the tag has many operations.
    private static func split(_ words: [String], _ operations: [ImportedOperation]) -> [OperationGroup] {
        guard operations.count > maxCases else { return [OperationGroup(words: words, operations: operations)] }
        func second(_ operation: ImportedOperation) -> String {
            OperationPath.fixed(operation.path).dropFirst().first ?? ""
        }
        let parts = operations.grouped(by: second).filter { !$0.key.isEmpty && $0.elements.count >= minCases }
        let splitSegments = Set(parts.map(\.key))
        let remaining = operations.filter { !splitSegments.contains(second($0)) }
        return numbered(words, remaining)
            + parts.flatMap { numbered(nameWords(words, $0.key, $0.elements), $0.elements) }
    }

    /// Returns groups of at most ``maxCases`` operations. All but the first have a number after their words.
    private static func numbered(_ words: [String], _ operations: [ImportedOperation]) -> [OperationGroup] {
        let starts = stride(from: 0, to: operations.count, by: maxCases)
        return starts.enumerated().map { number, start in
            OperationGroup(
                words: number == 0 ? words : words + ["\(number + 1)"],
                operations: Array(operations[start...].prefix(maxCases)))
        }
    }

    /// Returns the words of the group with the operations of a large tag that have the same second segment.
    ///
    /// A segment that only repeats the tag gives way to the first one: `actions repos`, and not `actions actions`, for
    /// `/repos/{repo}/actions`.
    private static func nameWords(
        _ tag: [String], _ segment: String, _ operations: [ImportedOperation]
    ) -> [String] {
        let words = SwiftNames.words(segment)
        guard SwiftNames.singular(words) == SwiftNames.singular(tag) else { return tag + words }
        return tag + SwiftNames.words(OperationPath.fixed(operations[0].path).first ?? segment)
    }

    /// Names the enum case of each operation.
    ///
    /// If two names are equal, the later one gets a number. So the names that people chose are given first.
    mutating func nameCases(_ choices: ImportChoices) {
        // `sampleText` is the name of a constant in the generated enum.
        var table = NameTable(Scaffold.reserved.union(["sampleText"]))
        let derivedNames = derivedNames()
        for index in operations.indices {
            guard let chosenName = choices.name(of: operations[index]) else { continue }
            operations[index].text.name = table.unique(chosenName)
        }
        for index in operations.indices where choices.name(of: operations[index]) == nil {
            operations[index].text.name = table.unique(derivedNames[index])
        }
    }

    /// Returns a name for each operation, made from its identifier, or from its method and path.
    ///
    /// Operations with the same short name get their long names: `list` and `list` become `listPets` and `listOwners`.
    /// A name that has a meaning in every API, such as `servers`, gets the group's name at its end.
    private func derivedNames() -> [String] {
        let subjects = operations.map {
            OperationNames.Subject(id: $0.id, method: $0.method, path: $0.path, group: $0.group)
        }
        let shortNames = subjects.map { SwiftNames.memberName(OperationNames.words(of: $0)) }
        let uses = Dictionary(shortNames.map { ($0, 1) }, uniquingKeysWith: +)
        return subjects.indices.map { index in
            let isShortNameUnique = uses[shortNames[index]] == 1
            let name =
                isShortNameUnique
                ? shortNames[index] : SwiftNames.memberName(OperationNames.longWords(of: subjects[index]))
            guard Scaffold.reserved.contains(name) else { return name }
            return name + SwiftNames.typeName(SwiftNames.singular(subjects[index].group))
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
