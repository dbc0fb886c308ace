import EndpointKit
import Testing

@testable import CurlTransport

/// How a body's content codings are read from the headers, and requested.
@Suite struct ContentCodingTests {
    struct Case: Row {
        let id: String
        let values: [String]
        let listing: ContentCoding.Listing?
    }

    @Test(arguments: [
        Case(id: "none", values: [], listing: nil),
        Case(id: "empty", values: [""], listing: nil),
        Case(id: "identity", values: ["Identity"], listing: nil),
        Case(id: "only empty members", values: [" ,\t, identity,"], listing: nil),
        Case(id: "every one", values: ["deflate, gzip, br, zstd"], listing: .known([.deflate, .gzip, .brotli, .zstd])),
        Case(id: "any case", values: ["GZip"], listing: .known([.gzip])),
        Case(id: "an old name", values: ["X-GZIP"], listing: .known([.gzip])),
        Case(id: "several fields", values: ["deflate", "gzip,br"], listing: .known([.deflate, .gzip, .brotli])),
        Case(id: "spaces and nothing", values: [",\t gzip ,, identity"], listing: .known([.gzip])),
        Case(
            id: "five", values: ["gzip, gzip, gzip, gzip, gzip, identity"],
            listing: .known([.gzip, .gzip, .gzip, .gzip, .gzip])),
        Case(id: "six", values: ["gzip, gzip, gzip", "gzip, gzip, gzip"], listing: .refused(.tooMany(5))),
        Case(id: "unknown", values: ["gzip, Rot13"], listing: .refused(.unknown("Rot13"))),
        Case(id: "one that is not requested", values: ["compress"], listing: .refused(.unknown("compress"))),
        Case(id: "with a parameter", values: ["gzip;q=1"], listing: .refused(.unknown("gzip;q=1"))),
        Case(id: "two words", values: ["gzip gzip"], listing: .refused(.unknown("gzip gzip"))),
    ])
    func listing(_ row: Case) {
        let fields = [ResponseHead.Field("X-A", "rot13")] + row.values.map { .init("content-ENCODING", $0) }
        #expect(ContentCoding.listing(ResponseHead(status: 200, fields: fields)) == row.listing)
    }

    #if os(Linux)
    @Test(arguments: [
        ("libz.so.1", "libnone.so.1", "libnone.so.1", "deflate, gzip"),
        ("libnone.so.1", "libnone.so.1", "libnone.so.1", nil),
        // A library that lacks the functions does not count.
        ("libc.so.6", "libc.so.6", "libc.so.6", nil),
    ])
    func requestsWhatCanBeDecompressed(_ zlib: String, _ brotli: String, _ zstd: String, _ expected: String?) {
        #expect(CodecLibraries(names: (zlib, brotli, zstd)).acceptEncoding == expected)
    }
    #endif
}
