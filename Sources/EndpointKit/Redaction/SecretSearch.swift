import JSONText

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
    /// How many matches are kept that no place can reach any more.
    private static let mostForgotten = 4096
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
    /// The matches that may start at each of the last places, one place after the other.
    private var open: [Open] = []
    /// Which of ``open`` may start at each of the last places.
    private var spans = [Range<Int>](repeating: 0..<0, count: Spellings.reach)
    /// The first of ``open`` that may start at this place.
    private var first = 0
    /// For each node, folded or not: the place at which it was opened last, and as which one.
    private var opened: [(place: Int, index: Int)]
    /// Which of those that are open at a place has read least, if there are as many as may be.
    private var shallowest = (start: -1, index: 0)
    /// Whether this place may be a backslash that another one before it doubles.
    private var mayBeDoubled = false
    /// The first place from this one on that is not blank.
    private var nextVisible: Int
    private var found: [Range<Int>] = []

    /// Where `text` spells secrets of `trie`: ranges that do not touch, in order.
    static func ranges(of trie: SecretTrie, in text: UnsafeBufferPointer<UInt8>, cuts: Set<Int> = []) -> [Range<Int>] {
        var search = SecretSearch(trie: trie, text: text, cuts: cuts, spellings: Spellings(text))
        return search.run()
    }

    private init(trie: SecretTrie, text: UnsafeBufferPointer<UInt8>, cuts: Set<Int>, spellings: Spellings) {
        (self.trie, self.text, self.cuts, self.spellings) = (trie, text, cuts, spellings)
        opened = Array(repeating: (-1, 0), count: 2 * trie.count)
        nextVisible = text.count
    }

    private mutating func run() -> [Range<Int>] {
        for index in text.indices.reversed() {
            if open.count >= Self.mostForgotten { forget(from: index + Spellings.reach) }
            first = open.count
            if !Self.isBlank(text[index]) { nextVisible = index }
            spellings.add(index)
            let spelled = spellings[index]
            mayBeDoubled = false
            if spelled.isEmpty {
                if !span(index + 1).isEmpty || !cuts.isEmpty || trie.begins(with: text[index]) {
                    extend(by: spellings.literal(index), to: index, from: index + 1)
                }
            } else {
                mayBeDoubled = spelled.contains { $0.code == 0x5C }
                for spelling in spelled {
                    for length in Lengths(bits: spelling.lengths) {
                        let isSingle = spelling.single & 1 << UInt64(length) != 0
                        extend(by: spelling.code, to: index, from: index + length, onlyBegins: !isSingle)
                    }
                }
                // What may start at a doubled backslash may start at the one that doubles it.
                for length in Lengths(bits: spellings.doubled) {
                    for position in span(index + length) { add(open[position], index) }
                }
            }
            skip(at: index, spelled)
            spans[index & (Spellings.reach - 1)] = first..<open.count
        }
        return merged()
    }

    /// The matches that may start at `place`.
    private func span(_ place: Int) -> Range<Int> { spans[place & (Spellings.reach - 1)] }

    /// Frees the memory of the matches that start at `place` and after it, once there are many.
    private mutating func forget(from place: Int) {
        let count = span(place - 1).lowerBound
        guard count >= Self.mostForgotten else { return }
        open.removeFirst(count)
        spans = spans.map { max($0.lowerBound - count, 0)..<max($0.upperBound - count, 0) }
    }

    /// Extends what may start at `end` by `code`, spelled from `start` up to there; if `onlyBegins`, only begins with it.
    private mutating func extend(by code: UInt32, to start: Int, from end: Int, onlyBegins: Bool = false) {
        if code < 0x80 || code & Spellings.rawByte != 0 {
            extend(by: CollectionOfOne(UInt8(truncatingIfNeeded: code)), start, end, onlyBegins)
        } else if let scalar = Unicode.Scalar(code), let bytes = UTF8.encode(scalar) {
            extend(by: Array(bytes).reversed(), start, end, onlyBegins)
        }
    }

    private mutating func extend(by bytes: some Collection<UInt8>, _ start: Int, _ end: Int, _ onlyBegins: Bool) {
        guard let last = bytes.first else { return }
        if !onlyBegins, end < text.count {
            for position in span(end) {
                let secret = open[position]
                guard let node = child(of: secret.node, bytes) else { continue }
                add(Open(node: node, end: secret.end, missing: secret.missing, isFolded: secret.isFolded), start)
            }
        }
        // Last: what has read most comes first, so that it need not replace others.
        if let node = child(of: SecretTrie.root, bytes) {
            add(Open(node: node, end: end, missing: 0, isFolded: false), start)
        }
        guard !onlyBegins, let rest = cut(at: end) else { return }
        for candidate in trie.nodes(endingBefore: last) {
            let missing = trie.depth(Int(candidate)) - 1
            if let node = child(of: Int(candidate), bytes.dropFirst()) {
                add(Open(node: node, end: rest, missing: missing, isFolded: false), start)
            }
        }
    }

    /// The node that `bytes` lead to from `node`.
    private func child(of node: Int, _ bytes: some Sequence<UInt8>) -> Int? {
        var node = node
        for byte in bytes {
            guard let next = trie.child(of: node, byte) else { return nil }
            node = next
        }
        return node
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
        if trie.isForm(secret.node), isSecret(secret, start) { note(trimmed(start..<secret.end)) }
        // A backslash before it makes a whole secret longer.
        guard mayBeDoubled || trie.isLonger(secret.node) else { return }
        insert(secret, start)
    }

    private mutating func note(_ range: Range<Int>) {
        if let last = found.last, range.lowerBound <= last.upperBound, last.lowerBound <= range.upperBound {
            found[found.count - 1] =
                min(range.lowerBound, last.lowerBound)..<max(range.upperBound, last.upperBound)
        } else {
            found.append(range)
        }
    }

    /// Adds what may start at `start`; of the same node only the best.
    private mutating func insert(_ secret: Open, _ start: Int) {
        let key = 2 * secret.node + (secret.isFolded ? 1 : 0)
        if opened[key].place == start {
            let same = opened[key].index
            if isBetter(secret, than: open[same]) { open[same] = secret }
            return
        }
        var index = open.count
        if secret.missing == 0, index - first >= Self.mostOpen {
            if shallowest.start != start { shallowest = (start, findShallowest()) }
            index = shallowest.index
            let old = open[index]
            guard trie.depth(old.node) < trie.depth(secret.node) else { return }
            opened[2 * old.node + (old.isFolded ? 1 : 0)].place = -1
            open[index] = secret
            shallowest.index = findShallowest()
        } else {
            open.append(secret)
        }
        opened[key] = (start, index)
    }

    /// Whether more has been read of `secret` than of `other`, of the same node, or only the other can't be a short secret.
    private func isBetter(_ secret: Open, than other: Open) -> Bool {
        if !trie.isLonger(secret.node) {
            let isPart = isFollowedByWord(secret)
            if isPart != isFollowedByWord(other) { return !isPart }
        }
        return (secret.missing, -secret.end) < (other.missing, -other.end)
    }

    private func findShallowest() -> Int {
        var (index, depth) = (first, Int.max)
        for other in first..<open.count where trie.depth(open[other].node) < depth {
            (index, depth) = (other, trie.depth(open[other].node))
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
            fallthrough
        default:
            for spelling in spelled where [0x09, 0x0A, 0x0D].contains(spelling.code) {
                for length in Lengths(bits: spelling.single) { pass(to: index, from: index + length, isFold: true) }
            }
        }
    }

    private mutating func pass(to start: Int, from end: Int, isFold: Bool) {
        guard end < text.count else { return }
        for position in span(end) {
            let secret = open[position]
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
        return !isFollowedByWord(secret) && !isPrecededByWord(secret, start)
    }

    /// Whether a short secret is the end of a word, a number, a version or an address.
    private func isPrecededByWord(_ secret: Open, _ start: Int) -> Bool {
        let count = trie.depth(secret.node)
        guard count < Self.shortest else { return false }
        let before = text[..<start].suffix(Self.longestEscape)
        guard let last = before.last else { return false }
        let isPart = count < Self.shortest - 1 ? !" \t\n\r=:\"'(".utf8.contains(last) : Self.isWordByte(last)
        return isPart && !Self.endsInEscape(before)
    }

    /// Whether a short secret is the start of one.
    private func isFollowedByWord(_ secret: Open) -> Bool {
        let count = trie.depth(secret.node)
        guard count < Self.shortest, secret.end < text.count else { return false }
        let next = text[secret.end]
        return count < Self.shortest - 1 ? !" \t\n\r&;,\"')\\%".utf8.contains(next) : Self.isWordByte(next)
    }

    /// Whether `text` ends in an escape, which is not part of a word even if its last byte is a letter.
    private static func endsInEscape(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        let letters = text.reversed().prefix { isWordByte($0) }.count
        guard let sign = text.dropLast(letters).last else { return false }
        let word = text.suffix(letters)
        return switch sign {
        case UInt8(ascii: "%"):
            letters >= 2 && letters % 2 == 0 && word.allSatisfy { Hexadecimal.isDigit($0) }
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

    /// `range`, which starts at this place, without the blanks at its ends, which would take the end of a line along.
    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        guard nextVisible < range.upperBound else { return range }
        var end = range.upperBound
        while Self.isBlank(text[end - 1]) { end -= 1 }
        return nextVisible..<end
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

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
