/// A stretch of the text that is being made, and the values in it that are not complete yet.
///
/// Text is appended to the innermost open value only, so mostly one part becomes the whole text. If a container is left and may be filled
/// later, or a key is encoded again, text moves to a part of its own, and a hole says where it belongs.
struct TextPart {
    var out: StagedWriter
    var formatter: JSONFormatter
    /// The values that are open, each within the one before.
    var frames: [Frame] = []
    /// The members of all open objects, those of the innermost last.
    var members: [Member] = []
    var holes: [Hole] = []
    /// The keys on the way to the value around the first frame.
    let path: [any CodingKey]
    /// For each frame the names in its object, as far as they have been needed.
    private var names: [NameTable] = []
    private let seed: UInt64

    init(formatter: JSONFormatter, path: [any CodingKey], seed: UInt64, taking text: inout [UInt8]) {
        out = StagedWriter(taking: &text)
        self.formatter = formatter
        self.path = path
        self.seed = seed
    }

    var last: Int { frames.count &- 1 }

    /// A value that is open.
    struct Frame {
        enum Kind { case undecided, scalar, object, array }

        let id: Int
        /// Of a container or encoder that was asked for by itself: what may still write to it. Nil for a value that is being encoded,
        /// which is complete when its `encode(to:)` returns.
        var token: HandleToken?
        let spot: Spot
        var kind = Kind.undecided
        /// Whether it is a dictionary that is encoded member by member: its keys are distinct.
        var isDictionary = false
        /// The number of its elements or members.
        var count = 0
        var start: Int
        var firstMember: Int
        var firstHole: Int
        /// The number of the first part that was made since.
        let firstPart: Int
        /// The member whose value it replaces.
        var replaced: Int?
        /// Whether the same container is returned if it is asked for again, by its key.
        var isNested = false
    }

    /// What a value is in the value around it.
    enum Spot {
        case member(any CodingKey)
        case element(Int)
        /// All of it: the top, or what is encoded in a single-value container.
        case same

        var key: (any CodingKey)? {
            switch self {
            case .member(let key): key
            case .element(let position): PositionKey(intValue: position)
            case .same: nil
            }
        }
    }

    struct Member {
        let hash: UInt64
        /// Where the comma before it starts, its key and its value.
        var start: Int
        var keyStart: Int
        var valueStart: Int
        /// The frame of the container that was asked for with this key.
        var nested: Int?
    }

    /// Where the text of another part belongs, instead of what is there.
    struct Hole {
        var range: Range<Int>
        let part: Int
    }

    func codingPath(to frame: Int) -> [any CodingKey] {
        path + frames[0...frame].compactMap(\.spot.key)
    }

    @inline(__always)
    mutating func print(_ body: (inout JSONFormatter, inout StagedWriter) -> Void) { body(&formatter, &out) }

    mutating func begin(isObject: Bool) { formatter.begin(isObject: isObject, &out) }

    mutating func end(isObject: Bool) { formatter.end(isObject: isObject, &out) }

    // MARK: Members and elements

    /// Where a value is about to be written.
    struct Place {
        /// Where its text starts, comma and key included.
        let start: Int
        /// The member whose value it replaces.
        let replaced: Int?
        let firstHole: Int
    }

    /// The place of a value that nothing is written before.
    @inline(__always)
    var placeHere: Place { Place(start: out.position, replaced: nil, firstHole: holes.count) }

    /// Begins an element of the innermost frame, an array.
    @inline(__always)
    mutating func beginElement() -> Place {
        let place = placeHere
        if frames[last].count > 0 { _ = formatter.readComma(&out) }
        frames[last].count &+= 1
        return place
    }

    /// Begins a member of the innermost frame, an object, and writes its key; if there is one of that name already, its value
    /// is to be replaced.
    @inline(__always)
    mutating func beginMember(_ name: String) -> Place {
        let place = placeHere
        var hash: UInt64 = 0
        if !frames[last].isDictionary {
            hash = NameTable.hash(name, seed: seed)
            if let member = note(hash, frame: last), isName(name, of: member) {
                return Place(start: place.start, replaced: member, firstHole: place.firstHole)
            }
        }
        if frames[last].count > 0 { _ = formatter.readComma(&out) }
        frames[last].count &+= 1
        let keyStart = out.position
        formatter.writeKey(name, &out)
        members.append(
            Member(hash: hash, start: place.start, keyStart: keyStart, valueStart: out.position, nested: nil))
        return place
    }

    /// Takes down the next member of the object; if there is one with the same hash, returns that.
    @inline(__always)
    private mutating func note(_ hash: UInt64, frame: Int) -> Int? {
        if frame >= names.count || names[frame].owner != frames[frame].id { restart(frame) }
        return names[frame].insert(hash, member: members.count)
    }

    /// Whether the key is written for `name`.
    private mutating func isName(_ name: String, of member: Int) -> Bool {
        let start = out.position
        formatter.writeKey(name, &out)
        let key = out.cut(from: start)
        return out.written(from: members[member].keyStart, to: members[member].valueStart) == key[...]
    }

    /// Starts a table of names, with those that are there already if the object was open before.
    private mutating func restart(_ frame: Int) {
        while names.count <= frame { names.append(NameTable()) }
        names[frame].restart(owner: frames[frame].id)
        for member in frames[frame].firstMember..<members.count {
            _ = names[frame].insert(members[member].hash, member: member)
        }
    }

    /// Undoes a place of the innermost frame, with all that has been written since.
    mutating func abandon(_ place: Place) {
        out.truncate(to: place.start)
        holes.removeLast(holes.count - place.firstHole)
        guard last >= 0 else { return }
        switch frames[last].kind {
        case .object:
            if place.replaced == nil {
                frames[last].count -= 1
                members.removeLast()
                if last < names.count { names[last].restart(owner: -1) }
            }
        case .array: frames[last].count -= 1
        case .scalar, .undecided: frames[last].kind = .undecided
        }
        formatter.resume(isEmpty: frames[last].count == 0, isObject: frames[last].kind == .object)
    }

    /// The text of a member's value, which ends at the next member, or at `end` for the last.
    func value(of member: Int, end: Int) -> Range<Int> {
        members[member].valueStart..<(member + 1 < members.count ? members[member + 1].start : end)
    }

    // MARK: Moving text

    /// Removes the frames from `first` on with all their text, for a part of their own.
    mutating func detach(from first: Int) -> TextPart {
        let start = frames[first].start
        let (firstMember, firstHole) = (frames[first].firstMember, frames[first].firstHole)
        var text = out.cut(from: start)
        let around = first == 0 ? path : codingPath(to: first - 1)
        var part = TextPart(formatter: formatter, path: around, seed: seed, taking: &text)
        for var frame in frames[first...] {
            frame.start -= start
            frame.firstMember -= firstMember
            frame.firstHole -= firstHole
            frame.replaced = part.frames.isEmpty ? nil : frame.replaced.map { $0 - firstMember }
            part.frames.append(frame)
            if frame.kind == .object || frame.kind == .array { formatter.nesting.pop() }
        }
        for var member in members[firstMember...] {
            member.start -= start
            member.keyStart -= start
            member.valueStart -= start
            part.members.append(member)
        }
        part.holes = holes[firstHole...].map { $0.moved(by: -start) }
        frames.removeLast(frames.count - first)
        members.removeLast(members.count - firstMember)
        holes.removeLast(holes.count - firstHole)
        formatter.phase = .afterValue
        part.out.suspend()
        return part
    }

    /// Removes what was written at `place`.
    mutating func cut(_ place: Place) -> FinishedText {
        let moved = holes[place.firstHole...].map { $0.moved(by: -place.start) }
        holes.removeLast(moved.count)
        return FinishedText(bytes: out.cut(from: place.start), holes: moved)
    }

    /// Ends the part.
    mutating func finish() -> FinishedText {
        var bytes: [UInt8] = []
        out.finish(into: &bytes)
        return FinishedText(bytes: bytes, holes: holes)
    }
}

extension TextPart.Hole {
    func moved(by distance: Int) -> Self {
        Self(range: range.lowerBound + distance..<range.upperBound + distance, part: part)
    }
}

/// Held by everything that can write to one container: when only its frame holds it, nothing can any more.
final class HandleToken {}
