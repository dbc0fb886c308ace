import CSystem

/// An event: the start or end of a stream, document or collection, or a scalar or alias.
///
/// The events of a text are a walk through its tree of nodes (YAML 1.2.2, section 3.1).
struct YAMLEvent {
    /// The kind of an event, with the text of a scalar.
    enum Content {
        case streamStart
        case streamEnd
        case documentStart
        case documentEnd
        /// An alias; ``YAMLEvent/anchor`` is the name of the anchor.
        case alias
        /// A scalar. Its text in UTF-8 is valid until the next event is read.
        case scalar(text: UnsafeBufferPointer<UInt8>, isPlain: Bool)
        /// The start of a collection. A flow collection is written with brackets or braces.
        case sequenceStart(isFlow: Bool)
        case mappingStart(isFlow: Bool)
        case collectionEnd
    }

    let content: Content
    let place: TextPlace
    /// The name of the node's anchor.
    var anchor: ByteText?
    /// The node's tag, if it is one of the core schema.
    var tag: YAMLTag?
}

/// Reads the events of a YAML text with libyaml.
///
/// The parser and the event belong to the reader, which can't be copied. `deinit` frees them.
struct YAMLEventReader: ~Copyable {
    private let functions: UnsafePointer<CYAMLFunctions>
    private let parser: UnsafeMutablePointer<CYAMLParser>
    private let event: UnsafeMutablePointer<CYAMLEvent>
    /// The text that is read. It belongs to the caller.
    private let text: UnsafeBufferPointer<UInt8>
    /// Whether ``event`` holds an event, whose memory libyaml is to free.
    private var hasEvent = false

    /// Starts reading a text.
    ///
    /// - Parameters:
    ///   - text: The text in UTF-8, or in UTF-16 with a byte order mark. It must outlive the reader.
    ///   - library: The library to read with.
    init(_ text: UnsafeBufferPointer<UInt8>, library: LibYAML) {
        functions = library.functions
        parser = .allocate(capacity: 1)
        event = .allocate(capacity: 1)
        self.text = text
        // This fails only if memory is short, for which no Swift program is prepared either.
        precondition(functions.pointee.parser_initialize(parser) != 0, "out of memory")
        functions.pointee.parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        if hasEvent { functions.pointee.event_delete(event) }
        functions.pointee.parser_delete(parser)
        parser.deallocate()
        event.deallocate()
    }

    /// Reads the next event. It must not be called after an error, or after the end of the stream.
    ///
    /// The event before is freed, and with it the text of a scalar.
    ///
    /// - Throws: ``YAMLError`` if the text is not YAML, or not encoded in UTF-8 or UTF-16.
    mutating func next() throws(YAMLError) -> YAMLEvent {
        if hasEvent { functions.pointee.event_delete(event) }
        hasEvent = functions.pointee.parser_parse(parser, event) != 0
        guard hasEvent else { throw YAMLError(parser.pointee, in: text) }
        let place = TextPlace(event.pointee.start_mark)
        let data = event.pointee.data
        switch event.pointee.type {
        case CYAML_STREAM_START_EVENT: return YAMLEvent(content: .streamStart, place: place)
        case CYAML_DOCUMENT_START_EVENT: return YAMLEvent(content: .documentStart, place: place)
        case CYAML_DOCUMENT_END_EVENT: return YAMLEvent(content: .documentEnd, place: place)
        case CYAML_ALIAS_EVENT:
            return YAMLEvent(content: .alias, place: place, anchor: Self.name(data.alias.anchor))
        case CYAML_SCALAR_EVENT: return Self.scalar(data.scalar, at: place)
        case CYAML_SEQUENCE_START_EVENT:
            let isFlow = data.collection.style == CYAML_FLOW_SEQUENCE_STYLE
            return Self.collection(data.collection, .sequenceStart(isFlow: isFlow), at: place)
        case CYAML_MAPPING_START_EVENT:
            let isFlow = data.collection.style == CYAML_FLOW_MAPPING_STYLE
            return Self.collection(data.collection, .mappingStart(isFlow: isFlow), at: place)
        case CYAML_SEQUENCE_END_EVENT, CYAML_MAPPING_END_EVENT:
            return YAMLEvent(content: .collectionEnd, place: place)
        // The only other event is the end of the stream. libyaml's "no event" follows the end, and would end it too.
        default: return YAMLEvent(content: .streamEnd, place: place)
        }
    }

    /// Returns the event of a scalar. Its text belongs to libyaml, which frees it when the next event is read.
    private static func scalar(_ scalar: CYAMLScalar, at place: TextPlace) -> YAMLEvent {
        let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        let isPlain = scalar.style == CYAML_PLAIN_SCALAR_STYLE
        return YAMLEvent(
            content: .scalar(text: text, isPlain: isPlain), place: place, anchor: name(scalar.anchor),
            tag: tag(scalar.tag))
    }

    /// Returns the event of a collection's start.
    private static func collection(
        _ collection: CYAMLCollection, _ content: YAMLEvent.Content, at place: TextPlace
    ) -> YAMLEvent {
        YAMLEvent(content: content, place: place, anchor: name(collection.anchor), tag: tag(collection.tag))
    }

    /// Returns the name of an anchor, which ends with a zero byte; nil if there is no anchor.
    private static func name(_ text: UnsafePointer<CChar>?) -> ByteText? {
        guard let text else { return nil }
        var length = 0
        while text[length] != 0 { length += 1 }
        return ByteText(bytes: Array(UnsafeRawBufferPointer(start: text, count: length)))
    }

    /// Returns a tag of the core schema; nil for any other tag, or none.
    private static func tag(_ name: UnsafePointer<CChar>?) -> YAMLTag? {
        name.flatMap { YAMLTag(name: String(cString: $0)) }
    }
}

extension TextPlace {
    /// The place of a mark of libyaml, which counts lines and columns from 0.
    init(_ mark: CYAMLMark) {
        self.init(line: mark.line + 1, column: mark.column + 1)
    }
}
