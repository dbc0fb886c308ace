import Dispatch
import EndpointKit
import Testing

@testable import CurlTransport

@Suite struct LibCurlTests {
    @Test func aMissingLibraryIsNamedWithThePackageToInstall() {
        #expect(
            throws: TransportError(
                .libraryMissing,
                detail: """
                    libcurl is not installed (tried libnone.so.1, libnone.so.2); \
                    on Debian and Ubuntu: apt-get install libcurl4, on Fedora: dnf install libcurl
                    """)
        ) { try LibCurl.load(from: ["libnone.so.1", "libnone.so.2"]) }
    }

    #if os(Linux)
    @Test func aLibraryWithoutTheFunctionsIsTooOld() {
        #expect(
            throws: TransportError(
                .libraryMissing,
                detail: "libc.so.6 is too old: it lacks curl_global_init; libcurl 7.68 or later is needed")
        ) { try LibCurl.load(from: ["libc.so.6"]) }
    }
    #endif

    @Test(.timeLimit(.minutes(3)))
    func transfersFailIfTheLibraryIsMissing() async throws {
        let error = TransportError(.libraryMissing, detail: "libcurl is missing")
        let mayLoad = DispatchSemaphore(value: 0)
        let loop = try CurlLoop(trust: TrustStore(CurlConfiguration())) {
            mayLoad.wait()
            return .failure(error)
        }
        let plan = try TransferPlan(
            Request(.get, try BaseURL("http://127.0.0.1:1"), path: "/"), options: TransferOptions())
        let early = Task { try await BodyReader(loop: loop).start(plan) }
        mayLoad.signal()
        await #expect(throws: error) { try await early.value }
        await #expect(throws: error) { try await BodyReader(loop: loop).start(plan) }
    }
}
