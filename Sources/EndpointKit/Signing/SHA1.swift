/// The message digest SHA-1 (RFC 3174).
///
/// It is no protection against forgery any more, because messages with equal digests were found. As part of HMAC, older
/// APIs still ask for it.
struct SHA1: BlockDigest {
    static let byteOrder = DigestByteOrder.bigEndian

    private(set) var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]

    /// Mixes a block of 16 words into the state of SHA-1, in four rounds of 20 steps (RFC 3174, section 6.1).
    ///
    /// The names `a` to `e` are those of the RFC. First, the words are extended to one for each step. Each round
    /// combines `b`, `c` and `d` in another way, and adds another constant.
    mutating func mix(_ words: [UInt32]) {
        var schedule = words
        for index in 16..<80 {
            let earlierWords = schedule[index - 3] ^ schedule[index - 8] ^ schedule[index - 14] ^ schedule[index - 16]
            schedule.append(earlierWords.rotated(left: 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for step in 0..<80 {
            let mixed: UInt32
            let constant: UInt32
            switch step {
            case ..<20: (mixed, constant) = ((b & c) | (~b & d), 0x5A82_7999)
            case ..<40: (mixed, constant) = (b ^ c ^ d, 0x6ED9_EBA1)
            case ..<60: (mixed, constant) = ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
            default: (mixed, constant) = (b ^ c ^ d, 0xCA62_C1D6)
            }
            let sum = a.rotated(left: 5) &+ mixed &+ e &+ schedule[step] &+ constant
            (e, d, c, b, a) = (d, c, b.rotated(left: 30), a, sum)
        }
        state = zip(state, [a, b, c, d, e]).map { $0 &+ $1 }
    }
}
