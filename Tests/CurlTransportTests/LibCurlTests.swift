import EndpointKit
import Testing

@testable import CurlTransport

@Suite struct LibCurlTests {
    @Test func aMissingLibraryIsNamedWithThePackageToInstall() {
        #expect(
            throws: TransportError(
                .libraryMissing,
                """
                libcurl is not installed (tried libnone.so.1, libnone.so.2); on Debian and Ubuntu: apt-get install libcurl4, \
                on Fedora: dnf install libcurl
                """)
        ) { try LibCurl.load(from: ["libnone.so.1", "libnone.so.2"]) }
    }

    #if os(Linux)
    @Test func aLibraryWithoutTheFunctionsIsTooOld() {
        #expect(
            throws: TransportError(
                .libraryMissing, "libc.so.6 is too old: it has no curl_global_init; libcurl 7.68 or later is needed")
        ) { try LibCurl.load(from: ["libc.so.6"]) }
    }
    #endif

    @Test func theVersionNamesTheLibrary() throws {
        let version = try #require(CurlTransport.libraryVersion())
        #expect(version.hasPrefix("libcurl/"))
    }
}
