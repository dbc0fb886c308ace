import Dispatch
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

    @Test(.timeLimit(.minutes(3)))
    func whoWaitsForTheLibraryIsToldThatItIsNotThere() async throws {
        let error = TransportError(.libraryMissing, "libcurl is not there")
        let mayLoad = DispatchSemaphore(value: 0)
        let loop = try CurlLoop(configuration: CurlConfiguration()) {
            mayLoad.wait()
            return .failure(error)
        }
        let plan = try TransferPlan(
            Request(.get, try BaseURL("http://127.0.0.1:1"), path: "/"), options: TransferOptions())
        let early = Task { try await BodyReader(loop: loop).start(plan) }
        let task = Task(executorPreference: LoopExecutor(loop)) { try await BodyReader(loop: loop).start(plan) }
        mayLoad.signal()
        await #expect(throws: error) { try await early.value }
        await #expect(throws: error) { try await task.value }
        await #expect(throws: error) { try await BodyReader(loop: loop).start(plan) }
    }

    @Test func theVersionNamesTheLibrary() throws {
        let version = try #require(CurlTransport.libraryVersion())
        #expect(version.hasPrefix("libcurl/"))
    }
}
