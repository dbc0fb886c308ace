/// A message digest that reads blocks of 64 bytes and ends with the message's length: MD5, SHA-1, SHA-256.
///
/// A conforming type only mixes one block into its state. The message is cut into blocks and padded here.
protocol BlockDigest {
    /// The order in which a digest reads and writes the bytes of its 32-bit words.
    static var byteOrder: DigestByteOrder { get }
    /// The state, which is the digest once the last block has been mixed in.
    var state: [UInt32] { get }

    /// Starts the digest of a message.
    init()

    /// Mixes a block into the state.
    ///
    /// - Parameter words: The block as 16 words.
    mutating func mix(_ words: [UInt32])
}

/// The order of the bytes in a word.
enum DigestByteOrder {
    /// The highest byte comes first.
    case bigEndian
    /// The lowest byte comes first.
    case littleEndian

    /// How far each of a word's four bytes is shifted, in the order they are written.
    var shifts: [UInt32] {
        switch self {
        case .bigEndian: [24, 16, 8, 0]
        case .littleEndian: [0, 8, 16, 24]
        }
    }

    /// Returns the bytes of a word.
    func bytes(of word: UInt32) -> [UInt8] { shifts.map { UInt8(truncatingIfNeeded: word >> $0) } }

    /// Returns the word of four bytes, of which the first is at `index`.
    func word(of bytes: [UInt8], at index: Int) -> UInt32 {
        let (first, second) = (UInt32(bytes[index]), UInt32(bytes[index + 1]))
        let (third, fourth) = (UInt32(bytes[index + 2]), UInt32(bytes[index + 3]))
        switch self {
        case .bigEndian: return first << 24 | second << 16 | third << 8 | fourth
        case .littleEndian: return fourth << 24 | third << 16 | second << 8 | first
        }
    }
}

/// The digest of a message that arrives in pieces.
struct DigestStream<Digest: BlockDigest> {
    private var digest = Digest()
    /// The bytes since the last whole block, always fewer than 64.
    private var unmixed: [UInt8] = []
    /// The number of bytes of the message so far.
    private var length: UInt64 = 0

    /// The length of a block in bytes.
    static var blockSize: Int { 64 }

    /// Adds a piece of the message.
    mutating func update(_ bytes: some Collection<UInt8>) {
        length += UInt64(bytes.count)
        mixInBlocks(of: bytes)
    }

    /// Ends the message with the padding that the digests require, and returns the digest of all pieces.
    ///
    /// The padding is a 1 bit, zeros up to the last eight bytes of a block, and the length of the message in bits
    /// (RFC 6234, section 4.1).
    consuming func finish() -> [UInt8] {
        let bitCount = length &* 8
        // The 1 bit takes one byte, and the length eight. Zeros fill the block in which the length ends. Two blocks are
        // enough for all of these, so the difference is never negative.
        let zeroCount = (2 * Self.blockSize - 9 - unmixed.count) % Self.blockSize
        mixInBlocks(of: [0x80] + [UInt8](repeating: 0, count: zeroCount))
        let highWord = Digest.byteOrder.bytes(of: UInt32(truncatingIfNeeded: bitCount >> 32))
        let lowWord = Digest.byteOrder.bytes(of: UInt32(truncatingIfNeeded: bitCount))
        switch Digest.byteOrder {
        case .bigEndian: mixInBlocks(of: highWord + lowWord)
        case .littleEndian: mixInBlocks(of: lowWord + highWord)
        }
        return digest.state.flatMap(Digest.byteOrder.bytes)
    }

    /// Appends `bytes` to the unmixed bytes, and mixes in as many whole blocks as they have now. The bytes after the last
    /// whole block stay unmixed.
    private mutating func mixInBlocks(of bytes: some Collection<UInt8>) {
        unmixed += bytes
        var words = [UInt32](repeating: 0, count: Self.blockSize / 4)
        var start = 0
        while unmixed.count - start >= Self.blockSize {
            for index in words.indices {
                words[index] = Digest.byteOrder.word(of: unmixed, at: start + 4 * index)
            }
            digest.mix(words)
            start += Self.blockSize
        }
        unmixed.removeFirst(start)
    }
}
