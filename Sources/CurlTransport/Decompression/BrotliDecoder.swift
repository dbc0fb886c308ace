import CCodecs

/// Decodes Brotli (RFC 7932), whose window has at most 16 MB.
final class BrotliDecoder: ContentDecoder {
    private let functions: UnsafePointer<CBrotliFunctions>
    private let decoder: OpaquePointer
    private(set) var isAtEnd = false

    /// Nil if memory is short.
    init?(_ functions: UnsafePointer<CBrotliFunctions>) {
        guard let decoder = functions.pointee.CreateInstance(nil, nil, nil) else { return nil }
        self.functions = functions
        self.decoder = decoder
    }

    deinit { functions.pointee.DestroyInstance(decoder) }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
        if isAtEnd { return DecodingStep(problem: input.isEmpty ? nil : .trailing(.brotli)) }
        var available = input.count
        var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var room = output.count
        var place = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let result = functions.pointee.DecompressStream(decoder, &available, &next, &room, &place, nil)
        isAtEnd = result == CBROTLI_SUCCESS
        // The library's own words are names from its source.
        return DecodingStep(
            consumed: input.count - available, produced: output.count - room,
            problem: result == CBROTLI_ERROR ? .wrong(.brotli, "damaged data") : nil)
    }
}
