/// An error whose description is also the `localizedDescription` that Foundation shows.
public protocol DescribedError: LocalizedError, CustomStringConvertible {}

extension DescribedError {
    public var errorDescription: String? { description }
}
