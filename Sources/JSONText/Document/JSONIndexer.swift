/// Validates a text and indexes its values in one pass.
struct JSONIndexer {
    static let bytesBetweenChecks = 64 * 1024

    let storage: JSONSlotStorage
    /// Where the reading stopped because of a container nested too deeply.
    private(set) var tooDeepOffset: Int?
    /// Where something follows the document.
    private(set) var offsetAfterDocument: Int?
    private(set) var hasSurrogateEscapes = false
    private let deepestLevel: Int
    private let stops = StringStops(stopsAtDelete: false)

    init(capacity: Int, deepestLevel: Int) {
        self.deepestLevel = deepestLevel
        storage = JSONSlotStorage(capacity: capacity)
    }

    /// False if the text is not one JSON document; why, another reader has to find out.
    mutating func read(_ text: UnsafeRawBufferPointer, _ check: (() throws -> Void)?) throws -> Bool {
        var index = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var nextCheck = check == nil ? Int.max : 0
        // The innermost open container. While it is open, its slots hold the container around it and its count so far.
        var open = -1
        var isInObject = false
        var depth = 0
        while true {
            index = Self.skipWhitespace(text, from: index)
            guard index < text.count else { return false }
            if index >= nextCheck {
                try check?()
                nextCheck = index + Self.bytesBetweenChecks
            }
            storage.reserve()
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\""):
                guard let end = readString(text, at: index) else { return false }
                index = end
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard let end = readNumber(text, at: index) else { return false }
                index = end
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth &+= 1
                // Beyond, the slots of brackets alone would take 16 times the text.
                guard depth <= deepestLevel else {
                    tooDeepOffset = index
                    return false
                }
                let slot = storage.count
                storage.append(JSONSlot(containerAt: index, next: open &+ 1))
                storage.append(JSONSlot(count: 0, end: 0))
                open = slot
                isInObject = byte == UInt8(ascii: "{")
                index = Self.skipWhitespace(text, from: index &+ 1)
                guard index < text.count else { return false }
                if text[index] == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { break }
                storage.base[open &+ 1].start = 1
                if isInObject {
                    guard let afterKey = readKey(text, at: index) else { return false }
                    index = afterKey
                }
                continue
            default:
                guard let end = readLiteral(text, at: index, first: byte) else { return false }
                index = end
            }
            // After a value, or before the closing bracket of an empty container.
            var isInside = false
            while open >= 0 {
                index = Self.skipWhitespace(text, from: index)
                guard index < text.count else { return false }
                let byte = text[index]
                if byte == UInt8(ascii: ",") {
                    storage.base[open &+ 1].start &+= 1
                    index &+= 1
                    if isInObject {
                        index = Self.skipWhitespace(text, from: index)
                        guard let afterKey = readKey(text, at: index) else { return false }
                        index = afterKey
                    }
                    isInside = true
                    break
                }
                guard byte == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
                index &+= 1
                let start = Int(storage.base[open].start)
                let parent = storage.base[open].value &- 1
                storage.base[open] = JSONSlot(containerAt: start, next: storage.count)
                storage.base[open &+ 1] = JSONSlot(count: Int(storage.base[open &+ 1].start), end: index)
                open = parent
                depth &-= 1
                isInObject = open >= 0 && text[Int(storage.base[open].start)] == UInt8(ascii: "{")
            }
            if !isInside {
                index = Self.skipWhitespace(text, from: index)
                if index < text.count { offsetAfterDocument = index }
                return index == text.count
            }
        }
    }

    /// Reads a key and its colon.
    @inline(__always)
    private mutating func readKey(_ text: UnsafeRawBufferPointer, at start: Int) -> Int? {
        storage.reserve()
        guard start < text.count, text[start] == UInt8(ascii: "\""), let end = readString(text, at: start) else {
            return nil
        }
        let index = Self.skipWhitespace(text, from: end)
        guard index < text.count, text[index] == UInt8(ascii: ":") else { return nil }
        return index &+ 1
    }

    /// Reads the string, for which there is a slot, whose opening quote is at `start` and returns where it ends.
    @inline(__always)
    private mutating func readString(_ text: UnsafeRawBufferPointer, at start: Int) -> Int? {
        var index = start &+ 1
        while index &+ 16 <= text.count {
            let count = stops.plainCount(text.loadUnaligned(fromByteOffset: index, as: SIMD2<UInt64>.self))
            index &+= count
            if count < 16 { break }
        }
        var isPlain = true
        if index >= text.count || text[index] != UInt8(ascii: "\"") {
            guard let end = readOnInString(text, from: index, &isPlain) else { return nil }
            index = end
        }
        storage.append(JSONSlot(scalarAt: start, length: index &+ 1 &- start, isPlain: isPlain))
        return index &+ 1
    }

    /// Reads to the closing quote, whose place it returns.
    @inline(never)
    private mutating func readOnInString(
        _ text: UnsafeRawBufferPointer, from start: Int, _ isPlain: inout Bool
    ) -> Int? {
        var index = start
        while index < text.count {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\""): return index
            case UInt8(ascii: "\\"):
                isPlain = false
                guard let end = endOfEscape(text, at: index) else { return nil }
                index = end
            case 0x80...:
                isPlain = false
                guard let end = Self.endOfCharacter(text, at: index) else { return nil }
                index = end
            case 0x20...:
                index &+= 1
                while index &+ 16 <= text.count {
                    let count = stops.plainCount(text.loadUnaligned(fromByteOffset: index, as: SIMD2<UInt64>.self))
                    index &+= count
                    if count < 16 { break }
                }
            default: return nil
            }
        }
        return nil
    }

    private mutating func endOfEscape(_ text: UnsafeRawBufferPointer, at index: Int) -> Int? {
        guard index &+ 1 < text.count else { return nil }
        switch text[index &+ 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return index &+ 2
        case UInt8(ascii: "u"):
            guard index &+ 6 <= text.count, Hexadecimal.isDigit(text[index &+ 2]),
                Hexadecimal.isDigit(text[index &+ 3]), Hexadecimal.isDigit(text[index &+ 4]),
                Hexadecimal.isDigit(text[index &+ 5])
            else { return nil }
            // D800 to DFFF.
            if text[index &+ 2] | 0x20 == UInt8(ascii: "d"), text[index &+ 3] >= UInt8(ascii: "8") {
                hasSurrogateEscapes = true
            }
            return index &+ 6
        default: return nil
        }
    }

    @inline(__always)
    private static func endOfCharacter(_ text: UnsafeRawBufferPointer, at index: Int) -> Int? {
        let length = UTF8Sequence.length(lead: text[index])
        guard length > 0, index &+ length <= text.count else { return nil }
        var word: UInt32 = 0
        if index &+ 4 <= text.count {
            word = UInt32(littleEndian: text.loadUnaligned(fromByteOffset: index, as: UInt32.self))
        } else {
            for position in 0..<length { word |= UInt32(text[index &+ position]) << (8 &* UInt32(position)) }
        }
        return UTF8Sequence.scalar(word, length: length) == nil ? nil : index &+ length
    }

    @inline(__always)
    private func readNumber(_ text: UnsafeRawBufferPointer, at start: Int) -> Int? {
        var index = start
        if text[index] == UInt8(ascii: "-") { index &+= 1 }
        let firstDigit = index
        index = Self.skipDigits(text, from: index)
        guard index > firstDigit, text[firstDigit] != UInt8(ascii: "0") || index == firstDigit &+ 1 else { return nil }
        var isPlain = true
        if index < text.count, text[index] == UInt8(ascii: ".") {
            isPlain = false
            let point = index
            index = Self.skipDigits(text, from: index &+ 1)
            guard index > point &+ 1 else { return nil }
        }
        if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
            isPlain = false
            index &+= 1
            if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") { index &+= 1 }
            let exponent = index
            index = Self.skipDigits(text, from: index)
            guard index > exponent else { return nil }
        }
        storage.append(JSONSlot(scalarAt: start, length: index &- start, isPlain: isPlain))
        return index
    }

    @inline(__always)
    private func readLiteral(_ text: UnsafeRawBufferPointer, at start: Int, first: UInt8) -> Int? {
        guard start &+ 4 <= text.count else { return nil }
        let word = UInt32(littleEndian: text.loadUnaligned(fromByteOffset: start, as: UInt32.self))
        var length = 4
        switch word {
        case 0x6C6C_756E, 0x6575_7274: break  // null, true
        case 0x736C_6166:  // fals
            guard start &+ 5 <= text.count, text[start &+ 4] == UInt8(ascii: "e") else { return nil }
            length = 5
        default: return nil
        }
        storage.append(JSONSlot(scalarAt: start, length: length, isPlain: true))
        return start &+ length
    }

    @inline(__always)
    private static func skipDigits(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index < text.count, text[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
        return index
    }

    @inline(__always)
    private static func skipWhitespace(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): index &+= 1
            default: return index
            }
        }
        return index
    }
}
