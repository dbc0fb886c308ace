/// Finds secrets in a text, however they are spelled there: in one pass, with all ways in which one may continue at each place.
///
/// The time is that of the text times the secrets that may be open at once, of which there is a limit.
struct SecretSearch {
    /// A secret shorter than this, in bytes, is redacted only as a word of its own: `x` is part of many words.
    private static let minAnywhere = 4
    /// How many bytes of a secret must be present if the text is cut inside it.
    private static let minCut = 4
    /// The longest start of an escape that may be cut with the text, in bytes.
    private static let maxCutEscape = 12
    /// How many secrets may be open at one place; those of which most has been read count. Only one that repeats itself has more than a few.
    private static let maxOpen = 64

    /// A secret of which the start was read.
    private struct Open {
        /// How much of which forms.
        var node: Int
        let start: Int
        /// Whether an escape ends where it starts, whose last letter is not part of a word.
        let isAfterEscape: Bool
    }

    private let forms: SecretForms
    private let text: [UInt8]
    /// Places at which the text may have been cut.
    private let cuts: Set<Int>
    /// What may continue at each of the next places, and whether an escape ends there: one slot for each as far as an escape reaches.
    private var open = [[Open]](repeating: [], count: EscapeReader.reach)
    private var endsEscape = [Bool](repeating: false, count: EscapeReader.reach)
    private var found: [Range<Int>] = []

    /// Where `text` spells secrets, in any order.
    static func ranges(of forms: SecretForms, in text: [UInt8], cuts: Set<Int> = []) -> [Range<Int>] {
        guard !forms.isEmpty else { return [] }
        var search = SecretSearch(forms: forms, text: text, cuts: cuts)
        search.run()
        return search.found
    }

    private init(forms: SecretForms, text: [UInt8], cuts: Set<Int>) {
        (self.forms, self.text, self.cuts) = (forms, text, cuts)
    }

    private mutating func run() {
        var reader = EscapeReader(text)
        for index in text.indices {
            let slot = index & (EscapeReader.reach - 1)
            let readings = reader.readings(at: index)
            let isPlain = readings.isEmpty
            if isPlain, open[slot].isEmpty, !forms.begins(with: text[index]) {
                endsEscape[slot] = false
                continue
            }
            var here: [Open] = []
            swap(&here, &open[slot])
            noteCut(here, at: index, isEscape: !isPlain)
            here.append(Open(node: 0, start: index, isAfterEscape: endsEscape[slot]))
            endsEscape[slot] = false
            if isPlain {
                extend(here, by: EscapeReader.code(text[index]), to: index + 1)
            } else {
                for reading in readings { extend(here, by: reading.code, to: index + reading.length) }
                for reading in readings where reading.length > 1 {
                    endsEscape[(index + reading.length) & (EscapeReader.reach - 1)] = true
                }
            }
        }
        noteCut(open[text.count & (EscapeReader.reach - 1)], at: text.count, isEscape: false)
    }

    /// Notes the secrets that have begun, if the text may be cut at `index`, or within an escape that starts there.
    private mutating func noteCut(_ here: [Open], at index: Int, isEscape: Bool) {
        guard !cuts.isEmpty,
            let cut = (index...(isEscape ? index + Self.maxCutEscape : index)).first(where: cuts.contains)
        else { return }
        for secret in here where forms.depth(secret.node) >= Self.minCut { found.append(secret.start..<cut) }
    }

    private mutating func extend(_ here: [Open], by code: UInt32, to end: Int) {
        let isByte = code < 0x80 || code & EscapeReader.rawByte != 0
        let bytes =
            isByte
            ? [UInt8(truncatingIfNeeded: code)] : Unicode.Scalar(code).flatMap(UTF8.encode).map { Array($0) } ?? []
        guard !bytes.isEmpty else { return }
        for var secret in here {
            let next = bytes.reduce(secret.node as Int?) { node, byte in node.flatMap { forms.next($0, byte) } }
            guard let next else { continue }
            secret.node = next
            if forms.isForm(next), isSecret(secret, end) { found.append(secret.start..<end) }
            if forms.isLonger(next) { insert(secret, end) }
        }
    }

    /// Adds what may continue at `end`; of the same forms only what starts first.
    private mutating func insert(_ secret: Open, _ end: Int) {
        let slot = end & (EscapeReader.reach - 1)
        func depth(_ index: Int) -> Int { forms.depth(open[slot][index].node) }
        if let same = open[slot].firstIndex(where: { $0.node == secret.node }) {
            if secret.start < open[slot][same].start { open[slot][same] = secret }
        } else if open[slot].count < Self.maxOpen {
            open[slot].append(secret)
        } else if let least = open[slot].indices.min(by: { depth($0) < depth($1) }),
            depth(least) < forms.depth(secret.node)
        {
            open[slot][least] = secret
        }
    }

    private func isSecret(_ secret: Open, _ end: Int) -> Bool {
        let count = forms.depth(secret.node)
        guard count < Self.minAnywhere else { return true }
        // A number, a version or an address may hold one or two characters between signs.
        let isShortest = count < Self.minAnywhere - 1
        if secret.start > 0, !secret.isAfterEscape {
            let before = text[secret.start - 1]
            if isShortest ? !" \t\n\r=:\"'(".utf8.contains(before) : before.isLetterOrDigit { return false }
        }
        guard end < text.count else { return true }
        return isShortest ? " \t\n\r&;,\"')\\%".utf8.contains(text[end]) : !text[end].isLetterOrDigit
    }
}
