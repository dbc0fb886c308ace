/// The message digest SHA-256 (RFC 6234).
struct SHA256: BlockDigest {
    static let byteOrder = DigestByteOrder.bigEndian

    /// The first 32 bits of the fractional parts of the square roots of the first eight primes.
    private(set) var state: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]

    /// The constants of the 64 steps: the first 32 bits of the fractional parts of the cube roots of the first 64
    /// primes.
    private static let cubeRoots: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]

    /// Mixes a block of 16 words into the state of SHA-256, in 64 steps (RFC 6234, section 6.2).
    ///
    /// The names `a` to `h` are those of the RFC, and `temporary1` and `temporary2` are its `T1` and `T2`. Its functions
    /// `CH` and `MAJ` are `choice` and `majority`, and `BSIG1` and `BSIG0` are `sumOfE` and `sumOfA`. A rotation to the
    /// right by 6 bits is one to the left by 26.
    mutating func mix(_ words: [UInt32]) {
        let schedule = Self.extended(words)
        let cubeRoots = Self.cubeRoots
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for step in 0..<64 {
            let choice = (e & f) ^ (~e & g)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let sumOfE = e.rotated(left: 26) ^ e.rotated(left: 21) ^ e.rotated(left: 7)
            let sumOfA = a.rotated(left: 30) ^ a.rotated(left: 19) ^ a.rotated(left: 10)
            let temporary1 = h &+ sumOfE &+ choice &+ cubeRoots[step] &+ schedule[step]
            let temporary2 = sumOfA &+ majority
            (h, g, f, e) = (g, f, e, d &+ temporary1)
            (d, c, b, a) = (c, b, a, temporary1 &+ temporary2)
        }
        state = zip(state, [a, b, c, d, e, f, g, h]).map { $0 &+ $1 }
    }

    /// Returns the words of a block of SHA-256, extended to one for each of the 64 steps (RFC 6234, section 6.2).
    ///
    /// The functions `SSIG0` and `SSIG1` of the RFC are `smallSigma0` and `smallSigma1`.
    private static func extended(_ words: [UInt32]) -> [UInt32] {
        var schedule = words
        schedule.reserveCapacity(64)
        for index in 16..<64 {
            let word15Back = schedule[index - 15]
            let word2Back = schedule[index - 2]
            let smallSigma0 = word15Back.rotated(left: 25) ^ word15Back.rotated(left: 14) ^ word15Back >> 3
            let smallSigma1 = word2Back.rotated(left: 15) ^ word2Back.rotated(left: 13) ^ word2Back >> 10
            schedule.append(smallSigma1 &+ schedule[index - 7] &+ smallSigma0 &+ schedule[index - 16])
        }
        return schedule
    }
}
