/// Finds secrets in a text, however they are spelled there: in one pass from its end to its start.
///
/// At each place it knows all ends of secrets that may start there, as nodes of the trie, and extends them by what the place before may stand
/// for. So nothing is read twice, and the time is that of the text times the ends that may be open at once, of which there is a limit.
struct SecretSearch {
    /// A secret shorter than this, in bytes, is redacted only as a word of its own: `x` is part of many words.
    static let shortest = 4
    /// From this many bytes on a secret is known when lines are folded within it.
    private static let shortestFolded = 8
    /// How many bytes of a secret must be present if the text is cut inside it.
    private static let shortestCut = 4
    /// How many ends may be open at one place; the longest count. Only a secret that repeats itself has more than a few: as many as it
    /// has repetitions.
    private static let mostOpen = 64
    /// The longest start of an escape that may be cut with the text, in bytes.
    private static let longestEscape = 12

    private struct Open {
        let node: Int
        /// Where the secret ends in the text.
        let end: Int
        /// How many bytes of the secret were taken as read, because the text is cut.
        let missing: Int
        let isFolded: Bool
    }

    private let trie: SecretTrie
    private let text: UnsafeBufferPointer<UInt8>
    /// Places at which the text may have been cut.
    private let cuts: Set<Int>
    private var spellings: Spellings
    /// The matches that may start at each of the last positions.
    private var open = [[Open]](repeating: [], count: Spellings.reach)
    /// For each node, folded or not: the place at which it was opened last, and as which one.
    private var opened: [(place: Int, index: Int)]
    /// Which of those that are open at a place has read least, if there are as many as may be.
    private var shallowest = (start: -1, index: 0)
    private var found: [Range<Int>] = []

    /// Where `text` spells secrets of `trie`: ranges that do not touch, in order.
    static func ranges(of trie: SecretTrie, in text: UnsafeBufferPointer<UInt8>, cuts: Set<Int> = []) -> [Range<Int>] {
        var search = SecretSearch(trie: trie, text: text, cuts: cuts, spellings: Spellings(text))
        return search.run()
    }

    private init(trie: SecretTrie, text: UnsafeBufferPointer<UInt8>, cuts: Set<Int>, spellings: Spellings) {
        (self.trie, self.text, self.cuts, self.spellings) = (trie, text, cuts, spellings)
        opened = Array(repeating: (-1, 0), count: 2 * trie.count)
    }

    private mutating func run() -> [Range<Int>] {
        for index in text.indices.reversed() {
            let place = index & (Spellings.reach - 1)
            if !open[place].isEmpty { open[place].removeAll(keepingCapacity: true) }
            spellings.add(index)
            let spelled = spellings[index]
            if spelled.isEmpty {
                extend(by: spellings.literal(index), to: index, from: index + 1)
            } else {
                for spelling in spelled {
                    for length in Lengths(bits: spelling.lengths) {
                        extend(by: spelling.code, to: index, from: index + length)
                    }
                }
            }
            skip(at: index, spelled)
        }
        return merged()
    }

    /// Extends what may start at `end` by `code`, spelled from `start` up to there.
    private mutating func extend(by code: UInt32, to start: Int, from end: Int) {
        if code < 0x80 || code & Spellings.rawByte != 0 {
            extend(by: CollectionOfOne(UInt8(truncatingIfNeeded: code)), start, end)
        } else if let scalar = Unicode.Scalar(code), let bytes = UTF8.encode(scalar) {
            extend(by: Array(bytes).reversed(), start, end)
        }
    }

    private mutating func extend(by bytes: some Collection<UInt8>, _ start: Int, _ end: Int) {
        guard let last = bytes.first else { return }
        func node(_ node: Int?, _ bytes: some Sequence<UInt8>) -> Int? {
            var node = node
            for byte in bytes { node = node.flatMap { trie.child(of: $0, byte) } }
            return node
        }
        if let first = node(SecretTrie.root, bytes) {
            add(Open(node: first, end: end, missing: 0, isFolded: false), start)
        }
        let place = end & (Spellings.reach - 1)
        for index in open[place].indices where end < text.count {
            let secret = open[place][index]
            if let next = node(secret.node, bytes) {
                add(Open(node: next, end: secret.end, missing: secret.missing, isFolded: secret.isFolded), start)
            }
        }
        guard let rest = cut(at: end) else { return }
        for candidate in trie.nodes(endingBefore: last) {
            let missing = trie.depth(Int(candidate)) - 1
            if let next = node(Int(candidate), bytes.dropFirst()) {
                add(Open(node: next, end: rest, missing: missing, isFolded: false), start)
            }
        }
    }

    /// Where the text may have been cut: at `index`, or within an escape that starts there.
    private func cut(at index: Int) -> Int? {
        guard !cuts.isEmpty else { return nil }
        if cuts.contains(index) { return index }
        // UTF-16 may be cut between the two bytes of a character.
        let next = index + text[index...].prefix(3).prefix { $0 == 0 }.count
        if cuts.contains(next) { return next }
        guard next < text.count, !spellings[next].isEmpty else { return nil }
        return (next + 1..<next + Self.longestEscape).first(where: cuts.contains)
    }

    private mutating func add(_ secret: Open, _ start: Int) {
        if trie.isForm(secret.node), isSecret(secret, start) { found.append(trimmed(start..<secret.end)) }
        guard trie.isLonger(secret.node) else { return }
        insert(secret, start)
    }

    /// Adds what may start at `start`; of the same node only what has been read most of.
    private mutating func insert(_ secret: Open, _ start: Int) {
        let place = start & (Spellings.reach - 1)
        let key = 2 * secret.node + (secret.isFolded ? 1 : 0)
        if opened[key].place == start {
            let same = opened[key].index
            let old = open[place][same]
            if (old.missing, -old.end) > (secret.missing, -secret.end) { open[place][same] = secret }
            return
        }
        var index = open[place].count
        if secret.missing == 0, index >= Self.mostOpen {
            if shallowest.start != start { shallowest = (start, self.shallowest(at: place)) }
            index = shallowest.index
            let old = open[place][index].node
            guard trie.depth(old) < trie.depth(secret.node) else { return }
            opened[2 * old + (open[place][index].isFolded ? 1 : 0)].place = -1
            open[place][index] = secret
            shallowest.index = self.shallowest(at: place)
        } else {
            open[place].append(secret)
        }
        opened[key] = (start, index)
    }

    private func shallowest(at place: Int) -> Int {
        var (index, depth) = (0, Int.max)
        for (other, secret) in open[place].enumerated() where trie.depth(secret.node) < depth {
            (index, depth) = (other, trie.depth(secret.node))
        }
        return index
    }

    /// NUL bytes are skipped, which covers ASCII in UTF-16 and UTF-32, and white space, which covers folded lines.
    private mutating func skip(at index: Int, _ spelled: [Spellings.Spelling]) {
        switch text[index] {
        case 0: pass(to: index, from: index + 1, isFold: false)
        case 0x09, 0x0A, 0x0D, 0x20: pass(to: index, from: index + 1, isFold: true)
        case UInt8(ascii: "="):
            // A soft line break of quoted-printable.
            for length in 2...3 where index + length <= text.count && text[index + length - 1] == 0x0A {
                pass(to: index, from: index + length, isFold: true)
            }
        default:
            for spelling in spelled where [0x09, 0x0A, 0x0D].contains(spelling.code) {
                for length in Lengths(bits: spelling.lengths) { pass(to: index, from: index + length, isFold: true) }
            }
        }
    }

    private mutating func pass(to start: Int, from end: Int, isFold: Bool) {
        guard end < text.count else { return }
        for secret in open[end & (Spellings.reach - 1)] {
            insert(
                Open(
                    node: secret.node, end: secret.end, missing: secret.missing, isFolded: secret.isFolded || isFold),
                start)
        }
    }

    private func isSecret(_ secret: Open, _ start: Int) -> Bool {
        let count = trie.depth(secret.node)
        if secret.missing > 0 { return count - secret.missing >= Self.shortestCut }
        if secret.isFolded { return count >= Self.shortestFolded }
        return count >= Self.shortest || isAlone(start..<secret.end, count)
    }

    /// Whether a short secret is not part of a word, a number, a version or an address.
    private func isAlone(_ range: Range<Int>, _ count: Int) -> Bool {
        let before = text[..<range.lowerBound].suffix(Self.longestEscape)
        let after = range.upperBound < text.count ? text[range.upperBound] : nil
        if count < Self.shortest - 1 {
            let opens = before.last.map { " \t\n\r=:\"'(".utf8.contains($0) } ?? true
            let closes = after.map { " \t\n\r&;,\"')\\%".utf8.contains($0) } ?? true
            return (opens || Self.endsInEscape(before)) && closes
        }
        return (!Self.isWordByte(before.last) || Self.endsInEscape(before)) && !Self.isWordByte(after)
    }

    /// Whether `text` ends in an escape, which is not part of a word even if its last byte is a letter.
    private static func endsInEscape(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        let letters = text.reversed().prefix { isWordByte($0) }.count
        guard let sign = text.dropLast(letters).last else { return false }
        let word = text.suffix(letters)
        return switch sign {
        case UInt8(ascii: "%"):
            letters >= 2 && letters % 2 == 0 && word.allSatisfy { PercentEncoding.hexValue($0) != nil }
        case UInt8(ascii: "\\"): letters == 1 || letters == 5 && word.first == UInt8(ascii: "u")
        default: sign == UInt8(ascii: ";")
        }
    }

    /// Whether a byte is part of a word; nil is not.
    static func isWordByte(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }

    /// `range` without the blanks at its ends, which would take the end of a line along.
    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = text[range].firstIndex(where: { !isBlank($0) }),
            let last = text[range].lastIndex(where: { !isBlank($0) })
        else { return range }
        return first..<last + 1
    }

    private func merged() -> [Range<Int>] {
        var result: [Range<Int>] = []
        for range in found.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}

/// The numbers of the bits that are set.
private struct Lengths: Sequence, IteratorProtocol {
    var bits: UInt64

    mutating func next() -> Int? {
        guard bits != 0 else { return nil }
        defer { bits &= bits - 1 }
        return bits.trailingZeroBitCount
    }
}
