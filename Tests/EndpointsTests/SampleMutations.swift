import EndpointKit
import EndpointTools
import JSONText

/// One change of a sample, and the findings that a survey of it may report.
struct SampleMutation {
    let text: [UInt8]
    /// Findings as `kind path`, such as `missing-key $.id`. One of them must be reported.
    ///
    /// The list is empty if the model accepts the change.
    let expected: [String]
    /// Findings that may be reported too.
    ///
    /// A key that the shape calls optional may be required by the value of another key.
    let possible: [String]
}

/// All single changes of a sample: a key is added, dropped or renamed, and a value becomes one of another type or null.
///
/// The sample has at most two elements in each list. A value is changed at the first two occurrences of its folded
/// path, which has `*` in place of each index and dictionary key, such as `$.results[*].id`.
struct SampleMutations {
    private static let added = "added_key"

    private let root: JSONValue
    private let shape: ModelShape
    private var placesSeen: [String: Int] = [:]
    private(set) var mutations: [SampleMutation] = []

    init(_ sample: [UInt8], _ shape: ModelShape) throws {
        root = try JSONValue(text: sample).withShortLists
        self.shape = shape
        walk(root, shape.root, "$", isRequired: true) { $0 }
    }

    /// Adds the changes of `value` and of all values inside it.
    ///
    /// - Parameters:
    ///   - path: The folded path of the value.
    ///   - isRequired: Whether null in place of the value is an error.
    ///   - rebuild: Returns the document with another value in place of this one.
    private mutating func walk(
        _ value: JSONValue, _ shape: Shape, _ path: String, isRequired: Bool, _ rebuild: (JSONValue) -> JSONValue
    ) {
        let shape = self.shape.resolved(shape)
        guard shape != .any, !value.isNull else { return }
        placesSeen[path, default: 0] += 1
        let isMutated = placesSeen[path, default: 0] <= 2
        if isMutated {
            let other: JSONValue = value.elements == nil ? [[]] : "text"
            add(rebuild(other), ["wrong-type " + path])
            add(rebuild(nil), isRequired ? ["wrong-type " + path] : [], possible: ["wrong-type " + path])
        }
        if let elements = value.elements, case .array(let element) = shape {
            let all = Array(elements)
            for (index, inner) in all.enumerated() {
                walk(inner, element, path + "[*]", isRequired: true) { changed in
                    var all = all
                    all[index] = changed
                    return rebuild(JSONValue(all))
                }
            }
        }
        guard let members = value.members.map({ Array($0) }) else { return }
        switch shape {
        case .dictionary(let element):
            if isMutated, case .any = element { add(rebuild(JSONValue(members.pairs + [(Self.added, 1)])), []) }
            for index in members.indices {
                walk(members[index].value, element, path + ".*", isRequired: true) { changed in
                    rebuild(members.replacing(index, by: changed))
                }
            }
        case .object(let fields):
            let known = Dictionary(fields.map { ($0.key, $0) }) { first, _ in first }
            if isMutated {
                let more: [(String, JSONValue)] = [(Self.added, JSONValue([("inner", 1)]))] + members.pairs
                add(rebuild(JSONValue(more)), ["unexpected-key \(path).\(Self.added)"])
            }
            for index in members.indices {
                guard let field = known[members[index].key] else { continue }
                let inner = path + FoldedName.step(field.key)
                walk(members[index].value, field.shape, inner, isRequired: !field.isOptional) { changed in
                    rebuild(members.replacing(index, by: changed))
                }
                guard isMutated else { continue }
                var without = members
                let moved = without.remove(at: index)
                let missing = "missing-key " + inner
                add(rebuild(JSONValue(without.pairs)), field.isOptional ? [] : [missing], possible: [missing])
                // The value is moved to another key.
                let unexpected = "unexpected-key " + path + FoldedName.step("moved_" + moved.key)
                add(
                    rebuild(JSONValue(without.pairs + [("moved_" + moved.key, moved.value)])),
                    field.isOptional ? [unexpected] : [unexpected, missing], possible: [missing])
            }
        default: break
        }
    }

    private mutating func add(_ document: JSONValue, _ expected: [String], possible: [String] = []) {
        mutations.append(SampleMutation(text: Array(document.written), expected: expected, possible: possible))
    }
}

extension JSONValue {
    /// The value with at most two elements in each list, so that each of many changes costs little.
    var withShortLists: JSONValue {
        if let elements { return JSONValue(elements.prefix(2).map(\.withShortLists)) }
        if let members { return JSONValue(members.map { ($0.key, $0.value.withShortLists) }) }
        return self
    }
}

/// Names in folded paths.
enum FoldedName {
    /// Returns the end of a path for the member `name`: `.name`, or `['a-b']` for a name with a hyphen or plus sign.
    static func step(_ name: String) -> String {
        name.contains("-") || name.contains("+") ? "['\(name)']" : "." + name
    }
}

extension [(key: String, value: JSONValue)] {
    fileprivate var pairs: [(String, JSONValue)] { map { ($0.key, $0.value) } }

    fileprivate func replacing(_ index: Int, by value: JSONValue) -> JSONValue {
        var members = self
        members[index].value = value
        return JSONValue(members.pairs)
    }
}
