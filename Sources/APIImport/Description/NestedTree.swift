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

    /// Finds the keys of lists with objects of the same type, and collects the objects in these lists.
    ///
    /// - Parameters:
    ///   - objects: The objects at one place of the samples.
    ///   - members: The members of these objects.
    init(_ objects: [JSONValue], _ members: [Inference.Member]) {
        self.objects = objects
        let kinds = Self.kindsByKey(members)
        keys = Set(members.filter { Self.isNested($0, kinds) }.map(\.key))
        if keys.isEmpty { return }
        // Iterative, because a hostile server chooses the depth of the tree.
        var index = 0
        while index < self.objects.count {
            for (key, value) in self.objects[index].members ?? [] where keys.contains(key) {
                self.objects += (value.elements ?? []).filter { $0.kind == .object }
            }
            index += 1
        }
    }

    /// Returns the kinds of the values under each key.
    private static func kindsByKey(_ members: [Inference.Member]) -> [String: Set<JSONDocument.Kind>] {
        var kinds: [String: Set<JSONDocument.Kind>] = [:]
        for member in members { kinds[member.key] = Set(member.values.map(\.kind)) }
        return kinds
    }

    /// Whether a member is a list of objects like the one around it, such as `children` of a branch:
    ///
    ///     {"name": "a", "children": [{"name": "b", "children": []}]}    // children is one
    ///     {"page": 1, "items": [{"id": 5, "items": []}]}                // items is not: no other key is shared
    ///
    /// - Parameters:
    ///   - member: The member of the objects.
    ///   - kinds: The kinds of the values of all members.
    private static func isNested(_ member: Inference.Member, _ kinds: [String: Set<JSONDocument.Kind>]) -> Bool {
        let lists = member.values.compactMap(objectsOfList)
        let isAlwaysAList = lists.count == member.values.count
        if !isAlwaysAList { return false }
        let innerMembers = lists.joined().flatMap { $0.members ?? [] }
        let innerLists = innerMembers.filter { $0.key == member.key }
        let sharedMembers = innerMembers.filter { $0.key != member.key && kinds[$0.key] != nil }
        if innerLists.isEmpty || sharedMembers.isEmpty { return false }
        let areListsOfObjects = innerLists.allSatisfy { objectsOfList($0.value) != nil }
        let haveSameKinds = sharedMembers.allSatisfy { isOfSameKind($0.value, kinds[$0.key] ?? []) }
        return areListsOfObjects && haveSameKinds
    }

    /// Returns the elements of a list of objects; nil for any other value.
    private static func objectsOfList(_ value: JSONValue) -> [JSONValue]? {
        guard let elements = value.elements, elements.allSatisfy({ $0.kind == .object }) else { return nil }
        return elements
    }

    /// Whether a value is of one of some kinds. Null fits every kind, and if only null was seen, every value fits.
    private static func isOfSameKind(_ value: JSONValue, _ kinds: Set<JSONDocument.Kind>) -> Bool {
        kinds.contains(value.kind) || value.isNull || kinds == [.null]
    }
}
