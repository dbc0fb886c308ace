/// Stores a large value on the heap, outside of the structures that have it as a property.
///
/// A structure with this property is copied by copying one reference. Otherwise the compiler repeats the code that
/// copies each member of the value for every structure that has it, directly or not. That made the program several
/// megabytes larger.
@propertyWrapper
struct Indirect<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    /// The value. Setting it, or a member of it, changes no other copy.
    var wrappedValue: Value {
        get { storage.value }
        set { storage = Storage(newValue) }
    }

    init(wrappedValue: Value) { storage = Storage(wrappedValue) }
}

extension Indirect: Equatable where Value: Equatable {
    static func == (left: Indirect, right: Indirect) -> Bool { left.wrappedValue == right.wrappedValue }
}
