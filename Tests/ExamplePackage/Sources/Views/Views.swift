/// Stands in for the frameworks that an app imports: SwiftUI has `Environment` and `Path`, SwiftData `Query`, Objective-C `Method`.
@propertyWrapper
public struct Environment<Value> {
    public var wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@propertyWrapper
public struct Query<Element> {
    public var wrappedValue: [Element]

    public init(wrappedValue: [Element]) { self.wrappedValue = wrappedValue }
}

public struct Path {
    public var points: [Int] = []

    public init() {}
}

public typealias Method = OpaquePointer
