#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What all decoders and containers of one `decode` call share.
final class DecodingSession {
    /// Values decoded between two calls of the check.
    private static let valuesBetweenChecks = 2048

    let document: JSONDocument
    let coding: Coding
    /// Whether the keys of models differ from those of the text.
    let convertsKeys: Bool
    /// The parsed pattern of ``Coding/Dates/format(_:)``.
    let datePattern: DatePattern?
    let userInfo: [CodingUserInfoKey: Any]
    let observer: (any DecodingObserver)?
    private let check: (() throws -> Void)?
    private var untilCheck = valuesBetweenChecks
    /// For an observer: the last value of each type that was in the text and fitted, or else one that was made up.
    var fitting: [ObjectIdentifier: Any] = [:]
    /// With an observer: whether what does not fit throws, as without one.
    var isStrict = false
    /// Where the error comes from that is being thrown while strict: the innermost value.
    var thrownFrom: Int?
    /// The error of the last attempt that failed.
    var unfitError: (any Error)?
    /// The value whose error has been reported; it is not reported again.
    var toldSlot: Int?
    /// A slot whose value does not fit, so that nothing around it has to be tried strictly.
    var unfitSlot: Int?
    /// Keys of the text as `convertFromSnakeCase` makes them; the same ones come again and again.
    private var convertedKeys: [String: String] = [:]
    /// So that hostile keys do not pile up.
    private static let mostConvertedKeys = 10_000

    init(
        _ document: JSONDocument, _ coding: Coding, check: (() throws -> Void)?, observer: (any DecodingObserver)?
    ) throws {
        self.document = document
        self.coding = coding
        self.check = check
        self.observer = observer
        userInfo = coding.userInfo
        convertsKeys =
            switch coding.keys {
            case .useDefaultKeys: false
            case .convertFromSnakeCase, .custom: true
            }
        datePattern =
            if case .format(let pattern) = coding.dates { try DatePattern(pattern) } else { nil }
    }

    /// Counts a value, and lets the caller stop the decoding every so often.
    @inline(__always)
    func tick() throws {
        untilCheck &-= 1
        if untilCheck <= 0 { try runCheck() }
    }

    @inline(never)
    private func runCheck() throws {
        untilCheck = Self.valuesBetweenChecks
        try check?()
    }

    /// Throws if a key of the object has a lone surrogate.
    func checkKeys(_ place: ValuePlace) throws {
        var slot = document.first(in: place.slot)
        for _ in 0..<document.count(of: place.slot) {
            if !document.slots[slot].isPlain, document.string(at: slot) == nil {
                throw UnfitScalar(decodingError: unfit("object with keys without lone surrogates", place))
            }
            slot = document.next(after: slot &+ 1)
        }
    }

    /// The model's key for a key of the text of an object at `path`.
    func converted(_ key: String, path: PathNode?) -> String {
        switch coding.keys {
        case .useDefaultKeys: return key
        case .convertFromSnakeCase:
            if let known = convertedKeys[key] { return known }
            let converted = SnakeCase.camelCase(key)
            if convertedKeys.count < Self.mostConvertedKeys { convertedKeys[key] = converted }
            return converted
        case .custom(let decode, _):
            return decode(PathNode.keys(path) + [PositionKey(stringValue: key)]).stringValue
        }
    }
}

/// A step of the way from the top value to one below it. The keys are made only when they are asked for.
final class PathNode {
    private let parent: PathNode?
    /// Nil for an element of an array.
    private let key: (any CodingKey)?
    private let index: Int

    init(_ parent: PathNode?, _ key: any CodingKey) {
        self.parent = parent
        self.key = key
        index = 0
    }

    init(_ parent: PathNode?, index: Int) {
        self.parent = parent
        key = nil
        self.index = index
    }

    /// All keys from the top to `node`.
    static func keys(_ node: PathNode?) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        var node = node
        while let current = node {
            keys.append(current.key ?? PositionKey(intValue: current.index))
            node = current.parent
        }
        return keys.reversed()
    }
}

/// The value that is decoded, and the way to it.
struct ValuePlace {
    /// A null that is not in the text: what `superDecoder` decodes from if there is no such member, and what an observer made up.
    static let absent = -1

    let slot: Int
    let path: PathNode?
}
