import CSystem

/// A step in reading a YAML text: the start or end of a document or collection, a scalar, or an alias.
///
/// The events of a text visit the nodes of its tree in the order of the text (YAML 1.2.2, section 3.1).
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
    /// The name of the node's anchor; nil if it has none.
    var anchor: ByteText?
    /// The tag of the node; nil if it has none, or one that is not in the core schema.
    var tag: YAMLTag?
}

/// Reads the events of a YAML text with libyaml.
///
/// The reader owns the parser and the event of libyaml, and frees them in `deinit`. So it can't be copied.
struct YAMLEventReader: ~Copyable {
    private let functions: UnsafePointer<CYAMLFunctions>
    private let parser: UnsafeMutablePointer<CYAMLParser>
    private let event: UnsafeMutablePointer<CYAMLEvent>
    /// The text that is read. It belongs to the caller.
    private let text: UnsafeBufferPointer<UInt8>
    /// Whether ``event`` contains an event that has to be freed.
    private var hasEvent = false

    /// Creates a reader at the start of a text.
    ///
    /// - Parameters:
    ///   - text: The text in UTF-8, or in UTF-16 with a byte order mark. It must outlive the reader.
    ///   - library: The library to read with.
    init(_ text: UnsafeBufferPointer<UInt8>, library: LibYAML) {
        functions = library.functions
        parser = .allocate(capacity: 1)
        event = .allocate(capacity: 1)
        self.text = text
        // This fails only without memory. Swift programs end then, too.
        precondition(functions.pointee.parser_initialize(parser) != 0, "out of memory")
        functions.pointee.parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        if hasEvent { functions.pointee.event_delete(event) }
        functions.pointee.parser_delete(parser)
        parser.deallocate()
        event.deallocate()
    }

    /// Reads the next event, and frees the event before. The text of a scalar is not valid any more after that.
    ///
    /// This function must not be called after an error, or after the end of the stream.
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
            return YAMLEvent(content: .alias, place: place, anchor: Self.anchorName(data.alias.anchor))
        case CYAML_SCALAR_EVENT: return Self.scalarEvent(data.scalar, at: place)
        case CYAML_SEQUENCE_START_EVENT:
            let isFlow = data.collection.style == CYAML_FLOW_SEQUENCE_STYLE
            return Self.collectionEvent(data.collection, content: .sequenceStart(isFlow: isFlow), at: place)
        case CYAML_MAPPING_START_EVENT:
            let isFlow = data.collection.style == CYAML_FLOW_MAPPING_STYLE
            return Self.collectionEvent(data.collection, content: .mappingStart(isFlow: isFlow), at: place)
        case CYAML_SEQUENCE_END_EVENT, CYAML_MAPPING_END_EVENT:
            return YAMLEvent(content: .collectionEnd, place: place)
        // The only other event is the end of the stream.
        default: return YAMLEvent(content: .streamEnd, place: place)
        }
    }

    /// Returns the event of a scalar. Its text belongs to libyaml, and is valid until the next event is read.
    private static func scalarEvent(_ scalar: CYAMLScalar, at place: TextPlace) -> YAMLEvent {
        let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        let isPlain = scalar.style == CYAML_PLAIN_SCALAR_STYLE
        return YAMLEvent(
            content: .scalar(text: text, isPlain: isPlain), place: place, anchor: anchorName(scalar.anchor),
            tag: coreTag(named: scalar.tag))
    }

    /// Returns the event of the start of a collection.
    private static func collectionEvent(
        _ collection: CYAMLCollection, content: YAMLEvent.Content, at place: TextPlace
    ) -> YAMLEvent {
        YAMLEvent(
            content: content, place: place, anchor: anchorName(collection.anchor), tag: coreTag(named: collection.tag))
    }

    /// Returns the name of an anchor, which libyaml ends with a zero byte; nil without an anchor.
    private static func anchorName(_ text: UnsafePointer<CChar>?) -> ByteText? {
        guard let text else { return nil }
        var length = 0
        while text[length] != 0 { length += 1 }
        return ByteText(bytes: Array(UnsafeRawBufferPointer(start: text, count: length)))
    }

    /// Returns the tag with a name; nil without a name, and for a tag that is not in the core schema.
    private static func coreTag(named name: UnsafePointer<CChar>?) -> YAMLTag? {
        name.flatMap { YAMLTag(name: String(cString: $0)) }
    }
}

extension TextPlace {
    /// Creates the place of a mark of libyaml. Lines and columns of a mark begin at 0.
    init(_ mark: CYAMLMark) {
        self.init(line: mark.line + 1, column: mark.column + 1)
    }
}
