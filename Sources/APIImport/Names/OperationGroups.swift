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

    /// Names the cases.
    ///
    /// Names that people chose, by the operation's identifier or by method and path, come before all others. Operations
    /// with the same short name get their long names.
    mutating func nameCases(_ choices: ImportChoices) {
        var table = NameTable(Scaffold.reserved.union(["sampleText"]))
        let subjects = operations.map {
            OperationNames.Subject(id: $0.id, method: $0.method, path: $0.path, group: $0.group)
        }
        let shortNames = subjects.map { SwiftNames.memberName(OperationNames.words(of: $0)) }
        let uses = Dictionary(shortNames.map { ($0, 1) }, uniquingKeysWith: +)
        var derived: [(index: Int, name: String)] = []
        for (index, operation) in operations.enumerated() {
            let id = operation.id.flatMap { choices.operationNames[$0] }
            if let chosen = id ?? choices.operationNames[operation.key] {
                operations[index].text.name = table.unique(chosen)
                continue
            }
            var name = shortNames[index]
            if uses[name, default: 0] > 1 {
                name = SwiftNames.memberName(OperationNames.longWords(of: subjects[index]))
            }
            if Scaffold.reserved.contains(name) { name += SwiftNames.typeName(SwiftNames.singular(operation.group)) }
            derived.append((index, name))
        }
        for (index, name) in derived { operations[index].text.name = table.unique(name) }
    }
}
