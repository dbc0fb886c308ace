/// A chunk of text.
///
/// Unlike a buffer pointer it always has a start address, so no access needs to check for one. Accesses are not checked
/// for their bounds in release builds either: the caller compares each index with `count` before.
struct JSONChunk {
    let start: UnsafeRawPointer
    let count: Int

    @inline(__always)
    subscript(index: Int) -> UInt8 {
        assert(0..<count ~= index)
        return start.load(fromByteOffset: index, as: UInt8.self)
    }

    /// Whether there is a byte at an index, and it is this one.
    @inline(__always)
    func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
        index < count && self[index] == UInt8(ascii: character)
    }

    @inline(__always)
    func loadUnaligned<Word: BitwiseCopyable>(fromByteOffset index: Int, as type: Word.Type) -> Word {
        assert(index >= 0 && index + MemoryLayout<Word>.size <= count)
        return start.loadUnaligned(fromByteOffset: index, as: type)
    }
}
