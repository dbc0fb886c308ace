/// One `encode` call: the text so far, and what all its encoders and containers share.
final class EncodingSession {
    /// The destination of an encoder or container.
    struct Handle {
        let session: EncodingSession
        let frame: Int
        /// Nil if the frame is open for as long as an `encode(to:)` runs.
        let token: HandleToken?
    }

    let coding: Coding
    let userInfo: [CodingUserInfoKey: Any]
    let datePattern: Result<DatePattern, DatePattern.UnsupportedField>?

    // One thread encodes, and what changes the state calls nothing that encodes: the checks for overlapping accesses, an eighth of
    // the time, would never find any.
    @exclusivity(unchecked) private var types = TypeKinds()
    @exclusivity(unchecked) private var names: KeyNames
    /// The part that is written to, and its number.
    @exclusivity(unchecked) private(set) var part: TextPart
    @exclusivity(unchecked) private var current = 0
    /// All parts; the first one becomes the whole text. The one that is written to is not in here, those that are complete are `texts`.
    private var parts: [TextPart?] = [nil]
    private var texts = [FinishedText()]
    /// The numbers of parts in which values are open, but for the first.
    @exclusivity(unchecked) private var openParts: [Int] = []
    /// Where frames are that are not in the first part.
    private var homes: [Int: Int] = [:]
    @exclusivity(unchecked) private var nextFrame = 0
    /// The first misuse in a place where `Encoder` cannot throw.
    private(set) var problem: EncodingError?

    init(coding: Coding, formatter: JSONFormatter, length: Int) {
        self.coding = coding
        userInfo = coding.userInfo
        names = KeyNames(coding.keys)
        if case .format(let pattern) = coding.dates {
            datePattern = Result { () throws(DatePattern.UnsupportedField) in try DatePattern(pattern) }
        } else {
            datePattern = nil
        }
        var empty: [UInt8] = []
        empty.reserveCapacity(length)
        part = TextPart(formatter: formatter, path: [], seed: .random(in: .min ... .max), taking: &empty)
    }

    deinit {
        _ = part.finish()
    }

    private func report(_ mistake: String, _ value: (any Encodable)? = nil, at path: [any CodingKey]) {
        guard problem == nil else { return }
        problem = .invalidValue(value ?? mistake, EncodingError.Context(codingPath: path, debugDescription: mistake))
    }

    // MARK: Values

    /// Encodes the top value and returns its text.
    func encodeTop(_ value: some Encodable) throws -> [UInt8] {
        try encode(value, at: .same, in: nil)
        if let problem { throw problem }
        assert(current == 0 && part.frames.isEmpty)
        texts[0] = FinishedText(bytes: part.out.takeAll(), holes: part.holes)
        return texts[0].filled(with: texts)
    }

    /// Encodes any value; the top one without a handle.
    func encode<Value: Encodable>(_ value: Value, at spot: TextPart.Spot, in handle: Handle?) throws {
        let kind = types.kind(of: Value.self)
        if kind != .other, let scalar = try scalar(value, kind, path: { self.path(to: spot, in: handle) }) {
            guard let place = begin(spot, handle) else { return }
            part.write(scalar)
            complete(place)
        } else if let place = begin(spot, handle) {
            try encode(value, kind, at: spot, place)
        }
    }

    /// Writes a scalar at a place.
    @inline(__always)
    func write(_ spot: TextPart.Spot, _ handle: Handle, _ write: (inout JSONFormatter, inout StagedWriter) -> Void) {
        guard let place = begin(spot, handle) else { return }
        part.print(write)
        complete(place)
    }

    /// Writes a scalar for a key.
    @inline(__always)
    func write(_ key: some CodingKey, _ handle: Handle, _ write: (inout JSONFormatter, inout StagedWriter) -> Void) {
        guard let place = beginMember(key, handle) else { return }
        part.print(write)
        complete(place)
    }

    @inline(__always)
    private func begin(_ spot: TextPart.Spot, _ handle: Handle?) -> TextPart.Place? {
        guard let handle else { return part.placeHere }
        switch spot {
        case .member(let key): return beginMember(key, handle)
        case .element:
            guard reach(handle), part.frames[part.last].kind == .array else { return nil }
            return part.beginElement()
        case .same:
            guard reach(handle) else { return nil }
            guard part.frames[part.last].kind == .undecided else {
                report("The value encodes more than one JSON value.", at: codingPath(of: handle))
                return nil
            }
            part.frames[part.last].kind = .scalar
            return part.placeHere
        }
    }

    @inline(__always)
    private func beginMember(_ key: some CodingKey, _ handle: Handle) -> TextPart.Place? {
        guard reach(handle), part.frames[part.last].kind == .object else { return nil }
        let name =
            part.frames[part.last].isDictionary
            ? key.stringValue : names.name(of: key, path: part.codingPath(to: part.last))
        return part.beginMember(name)
    }

    /// Ends the value at a place.
    @inline(__always)
    private func complete(_ place: TextPart.Place) {
        if let member = place.replaced { replace(member, place) }
    }

    private func replace(_ member: Int, _ place: TextPart.Place) {
        let range = part.value(of: member, end: place.start)
        let text = part.cut(place)
        part.holes.append(TextPart.Hole(range: range, part: addPart(nil, text)))
    }

    private func addPart(_ part: TextPart?, _ text: FinishedText) -> Int {
        parts.append(part)
        texts.append(text)
        return parts.count - 1
    }

    /// Encodes a value that is not one scalar.
    private func encode<Value: Encodable>(
        _ value: Value, _ kind: TypeKinds.Kind, at spot: TextPart.Spot, _ place: TextPart.Place
    ) throws {
        let frame = open(spot, token: nil, place)
        let handle = Handle(session: self, frame: frame, token: nil)
        do {
            if kind == .other {
                try value.encode(to: ValueEncoder(handle: handle))
            } else {
                try encodeKnown(value, kind, handle)
            }
        } catch {
            abandon(frame, place)
            throw error
        }
        close(frame, value)
    }

    // MARK: Frames

    private func open(_ spot: TextPart.Spot, token: HandleToken?, _ place: TextPart.Place, isNested: Bool = false)
        -> Int
    {
        nextFrame &+= 1
        if current != 0 { homes[nextFrame] = current }
        part.frames.append(
            TextPart.Frame(
                id: nextFrame, token: token, spot: spot, start: part.out.position,
                firstMember: part.members.count, firstHole: place.firstHole, firstPart: parts.count,
                replaced: place.replaced, isNested: isNested))
        return nextFrame
    }

    /// Makes the handle's frame the innermost one of the part that is written to. False if that cannot be done any more.
    @inline(__always)
    private func reach(_ handle: Handle) -> Bool {
        let last = part.last
        if last >= 0, part.frames[last].id == handle.frame { return true }
        return reachOther(handle)
    }

    @inline(never)
    private func reachOther(_ handle: Handle) -> Bool {
        activate(homes[handle.frame] ?? 0)
        guard let index = part.frames.lastIndex(where: { $0.id == handle.frame }) else {
            report("A container is written to after its value was complete.", at: [])
            return false
        }
        let inner = index + 1
        if inner > part.last { return true }
        guard part.frames[inner...].allSatisfy({ $0.token != nil }) else {
            report(
                "A container is written to while a value inside it is being encoded.", at: part.codingPath(to: index))
            return false
        }
        if isAbandoned(from: inner) {
            closeFrames(from: inner)
        } else {
            let start = part.frames[inner].start
            let range = part.frames[inner].replaced.map { part.value(of: $0, end: start) } ?? start..<start
            let detached = part.detach(from: inner)
            let number = addPart(detached, FinishedText())
            openParts.append(number)
            for frame in detached.frames { homes[frame.id] = number }
            part.holes.append(TextPart.Hole(range: range, part: number))
        }
        return true
    }

    /// Whether nothing can write to these frames any more.
    private func isAbandoned(from first: Int) -> Bool {
        !part.frames[first].isNested
            && part.frames.indices[first...].allSatisfy { isKnownUniquelyReferenced(&part.frames[$0].token) }
    }

    /// Makes that part the one that is written to, if it is not complete.
    private func activate(_ number: Int) {
        guard number != current, let next = parts[number] else { return }
        part.out.suspend()
        parts[current] = part
        part = next
        parts[number] = nil
        current = number
        part.out.resume()
    }

    /// Ends a value after its `encode(to:)`.
    private func close(_ frame: Int, _ value: some Encodable) {
        var index = part.last
        if index < 0 || part.frames[index].id != frame {
            activate(homes[frame] ?? 0)
            guard let found = part.frames.lastIndex(where: { $0.id == frame }) else { return }
            index = found
        }
        if current == 0, part.last == 0, part.frames[0].kind == .undecided {
            report("The value encoded nothing.", value, at: [])
        }
        closeFrames(from: index)
    }

    private func closeFrames(from first: Int) {
        while part.last >= first {
            let frame = part.frames.removeLast()
            switch frame.kind {
            case .object, .array: part.end(isObject: frame.kind == .object)
            case .undecided:
                part.begin(isObject: true)
                part.end(isObject: true)
            case .scalar: break
            }
            if part.members.count > frame.firstMember {
                part.members.removeLast(part.members.count - frame.firstMember)
            }
            if frame.token == nil { finishParts(from: frame.firstPart) }
            if let member = frame.replaced {
                replace(member, TextPart.Place(start: frame.start, replaced: member, firstHole: frame.firstHole))
            }
        }
    }

    /// Completes the parts from that number on: the value that they belong to is complete.
    private func finishParts(from first: Int) {
        while let number = openParts.last, number >= first {
            openParts.removeLast()
            let home = current
            activate(number)
            guard current == number else { continue }
            closeFrames(from: 0)
            texts[number] = part.finish()
            guard let next = parts[home] else { return }
            part = next
            parts[home] = nil
            current = home
            part.out.resume()
        }
    }

    /// Undoes a value whose `encode(to:)` has thrown.
    private func abandon(_ frame: Int, _ place: TextPart.Place) {
        activate(homes[frame] ?? 0)
        guard let index = part.frames.lastIndex(where: { $0.id == frame }) else { return }
        while let number = openParts.last, number >= part.frames[index].firstPart {
            openParts.removeLast()
            parts[number] = nil
        }
        part.members.removeLast(part.members.count - part.frames[index].firstMember)
        while part.last >= index {
            let kind = part.frames.removeLast().kind
            if kind == .object || kind == .array { part.formatter.nesting.pop() }
        }
        part.abandon(place)
    }
}

// MARK: Encoders and containers

extension EncodingSession {
    /// Opens the object or array that the handle's value is; the same one if it is open already.
    func openContainer(_ handle: Handle, isObject: Bool) {
        guard reach(handle) else { return }
        let kind = isObject ? TextPart.Frame.Kind.object : .array
        if part.frames[part.last].kind == .undecided {
            part.frames[part.last].kind = kind
            part.begin(isObject: isObject)
        } else if part.frames[part.last].kind != kind {
            report("The value encodes itself as two different kinds of JSON value.", at: codingPath(of: handle))
        }
    }

    /// Opens the object that a dictionary becomes; if its keys are text, they are written as they are and known to be distinct.
    func openDictionary(_ handle: Handle, hasTextKeys: Bool) {
        openContainer(handle, isObject: true)
        part.frames[part.last].isDictionary = hasTextKeys
    }

    /// A container inside the handle's; the same one if it has been asked for with that key already.
    func nested(_ spot: TextPart.Spot, in handle: Handle, isObject: Bool) -> Handle {
        guard let place = begin(spot, handle) else { return closed }
        if let nested = place.replaced.flatMap({ part.members[$0].nested }),
            let frame = parts[homes[nested] ?? 0]?.frames.first(where: { $0.id == nested }),
            frame.kind == (isObject ? .object : .array)
        {
            part.formatter.phase = .afterValue
            return Handle(session: self, frame: nested, token: frame.token)
        }
        let token = HandleToken()
        let member = place.replaced ?? part.members.count - 1
        let isMember = part.frames[part.last].kind == .object
        let frame = open(spot, token: token, place, isNested: isMember)
        if isMember { part.members[member].nested = frame }
        let nested = Handle(session: self, frame: frame, token: token)
        openContainer(nested, isObject: isObject)
        return nested
    }

    /// An encoder for a value inside the handle's container.
    func encoder(_ spot: TextPart.Spot, in handle: Handle) -> ValueEncoder {
        guard let place = begin(spot, handle) else { return ValueEncoder(handle: closed) }
        let token = HandleToken()
        return ValueEncoder(handle: Handle(session: self, frame: open(spot, token: token, place), token: token))
    }

    /// A destination for misuse: everything written to it is reported as an error.
    private var closed: Handle { Handle(session: self, frame: -1, token: nil) }

    /// The elements or members so far.
    @inline(__always)
    func count(of handle: Handle) -> Int {
        let last = part.last
        if last >= 0, part.frames[last].id == handle.frame { return part.frames[last].count }
        return find(handle).map { $0.frames[$1].count } ?? 0
    }

    func codingPath(of handle: Handle) -> [any CodingKey] {
        find(handle).map { $0.codingPath(to: $1) } ?? []
    }

    func path(to spot: TextPart.Spot, in handle: Handle?) -> [any CodingKey] {
        (handle.map(codingPath) ?? []) + [spot.key].compactMap { $0 }
    }

    private func find(_ handle: Handle) -> (TextPart, Int)? {
        let home = homes[handle.frame] ?? 0
        guard let part = home == current ? part : parts[home] else { return nil }
        return part.frames.lastIndex { $0.id == handle.frame }.map { (part, $0) }
    }
}
