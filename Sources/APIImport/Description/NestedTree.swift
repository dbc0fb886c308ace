import JSONText

/// Objects that hold objects like themselves in a list, as the branches of a tree do.
///
///     {"name": "root", "children": [{"name": "a", "children": []}, {"name": "c", "parent": {}, "children": []}]}
///
/// All of them are of one type, with all keys that one of them has.
struct NestedTree {
    /// The keys of the lists with objects of the same type, such as `children`; empty if there are none.
    private(set) var keys: Set<String> = []
    /// The objects, and those that they hold under ``keys``, at any depth.
    private(set) var objects: [JSONValue]

    /// Finds the keys of nested objects, and collects the objects.
    ///
    /// - Parameters:
    ///   - objects: The objects at one place of the samples.
    ///   - members: Their members.
    init(_ objects: [JSONValue], _ members: [Inference.Member]) {
        self.objects = objects
        let kinds = Self.kinds(members)
        for member in members where Self.isNested(member, kinds) { keys.insert(member.key) }
        if keys.isEmpty { return }
        // Not by recursion: a server decides how deep the tree is.
        var position = 0
        while position < self.objects.count {
            for (key, value) in self.objects[position].members ?? [] where keys.contains(key) {
                self.objects += (value.elements ?? []).filter { $0.kind == .object }
            }
            position += 1
        }
    }

    /// Returns the kinds of the values under each key.
    private static func kinds(_ members: [Inference.Member]) -> [String: Set<JSONDocument.Kind>] {
        var kinds: [String: Set<JSONDocument.Kind>] = [:]
        for member in members { kinds[member.key] = Set(member.values.map(\.kind)) }
        return kinds
    }

    /// Returns whether a member is a list of objects like the one around it.
    ///
    /// Those have a list under this key too, if only an empty one. And they have another key in common with the object
    /// around them, whose values are of the same kind: a page in the list of a page is none.
    private static func isNested(_ member: Inference.Member, _ kinds: [String: Set<JSONDocument.Kind>]) -> Bool {
        guard member.values.allSatisfy({ $0.kind == .array }) else { return false }
        let elements = member.values.flatMap { $0.elements ?? [] }
        guard !elements.isEmpty, elements.allSatisfy({ $0.kind == .object }) else { return false }
        var hasList = false
        var hasCommonKey = false
        for element in elements {
            for (key, value) in element.members ?? [] {
                if key == member.key {
                    guard let list = value.elements, list.allSatisfy({ $0.kind == .object }) else { return false }
                    hasList = true
                } else if let known = kinds[key] {
                    guard known.contains(value.kind) || value.isNull || known == [.null] else { return false }
                    hasCommonKey = true
                }
            }
        }
        return hasList && hasCommonKey
    }
}
