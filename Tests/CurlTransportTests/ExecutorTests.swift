import CurlTransport
import EndpointKit
import MockServer
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Tasks on the thread that carries the transfers.
@Suite(.timeLimit(.minutes(3))) struct ExecutorTests {
    @Test func requestsAndWhatIsBetweenThemShareOneThread() async throws {
        let server = try MockServer { request in .text(request.target) }
        let transport = CurlTransport()
        let answers = try await withTaskExecutorPreference(try transport.executor()) {
            try await withThrowingTaskGroup(of: [(text: String, thread: UInt)].self) { group in
                for job in 0..<8 {
                    group.addTask {
                        var answers: [(String, UInt)] = []
                        for number in 0..<10 {
                            answers.append((try await transport.text(server, "/\(job)/\(number)"), currentThread()))
                        }
                        return answers
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }
        #expect(answers.map(\.text).sorted() == (0..<8).flatMap { job in (0..<10).map { "/\(job)/\($0)" } })
        #expect(Set(answers.map(\.thread)).count == 1)
    }

    @Test func aTaskThatNeverRestsHoldsUpNoTransfer() async throws {
        let server = try MockServer { request in .text(request.target) }
        let transport = CurlTransport()
        let text = try await withTaskExecutorPreference(try transport.executor()) {
            try await withThrowingTaskGroup(of: String?.self) { group in
                group.addTask {
                    while !Task.isCancelled { await Task.yield() }
                    return nil
                }
                group.addTask { try await transport.text(server, "/busy") }
                let first = try await group.next() ?? nil
                group.cancelAll()
                return first
            }
        }
        #expect(text == "/busy")
    }

    @Test func anExecutorOutlivesItsTransport() async throws {
        let server = try MockServer { request in .text(request.target) }
        let executor = try CurlTransport().executor()
        let text = try await withTaskExecutorPreference(executor) {
            try await CurlTransport().text(server, "/other")
        }
        #expect(text == "/other")
    }

    @Test func aTaskKeepsItsExecutor() async throws {
        let server = try MockServer { request in .text(request.target) }
        let transport = CurlTransport()
        let task = Task(executorPreference: try transport.executor()) {
            try await transport.text(server, "/task")
        }
        #expect(try await task.value == "/task")
    }
}

private func currentThread() -> UInt {
    #if canImport(Glibc)
    pthread_self()
    #else
    UInt(bitPattern: pthread_self())
    #endif
}

extension CurlTransport {
    fileprivate func text(_ server: MockServer, _ path: String) async throws -> String {
        String(decoding: try await fetch(server.request(.get, path)).body, as: UTF8.self)
    }
}
