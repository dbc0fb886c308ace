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

    /// Finds the keys of lists that hold objects like the ones around them, and collects the objects in these lists.
    ///
    /// - Parameters:
    ///   - objects: The objects at one place of the samples.
    ///   - members: The members of these objects.
    init(_ objects: [JSONValue], members: [Inference.Member]) {
        self.objects = objects
        let kindsByKey = Self.kindsByKey(members)
        keys = Set(members.filter { Self.isNested($0, kindsByKey: kindsByKey) }.map(\.key))
        if keys.isEmpty { return }
        // Objects that are found are appended, and searched in the same loop. It is iterative, because a hostile server
        // chooses the depth of the tree.
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
    ///   - member: The values of one key in the outer objects.
    ///   - kindsByKey: The kinds of JSON that the values of each key of the outer objects have.
    private static func isNested(
        _ member: Inference.Member, kindsByKey: [String: Set<JSONDocument.Kind>]
    ) -> Bool {
        let lists = member.values.compactMap(objectsOfList)
        let isAlwaysListOfObjects = lists.count == member.values.count
        if !isAlwaysListOfObjects { return false }
        let innerMembers = lists.joined().flatMap { $0.members ?? [] }
        let innerLists = innerMembers.filter { $0.key == member.key }
        let sharedMembers = innerMembers.filter { $0.key != member.key && kindsByKey[$0.key] != nil }
        if innerLists.isEmpty || sharedMembers.isEmpty { return false }
        let areListsOfObjects = innerLists.allSatisfy { objectsOfList($0.value) != nil }
        let haveSameKinds = sharedMembers.allSatisfy { isOfOneKind($0.value, among: kindsByKey[$0.key] ?? []) }
        return areListsOfObjects && haveSameKinds
    }

    /// Returns the elements of a list of objects; nil for any other value.
    private static func objectsOfList(_ value: JSONValue) -> [JSONValue]? {
        guard let elements = value.elements, elements.allSatisfy({ $0.kind == .object }) else { return nil }
        return elements
    }

    /// Whether a value is of one of the kinds. Null fits every kind, and if only null was seen, every value fits.
    private static func isOfOneKind(_ value: JSONValue, among kinds: Set<JSONDocument.Kind>) -> Bool {
        let isOnlyNullKnown = kinds == [.null]
        return kinds.contains(value.kind) || value.isNull || isOnlyNullKnown
    }
}
