import EndpointKit
import EndpointTools
import Synchronization
import SystemCalls

/// The variables for the calls of an API.
///
/// The value of a variable comes from the first of these that has one: the process, the files of `--env-file`, and
/// the source that the configuration names.
///
/// A source that takes time to answer, such as a program, is slow. Its value is known only after ``load(_:until:)``.
final class Variables: Sendable {
    /// The value that a source gave, or the reason why it gave none.
    private typealias Answer = Result<String, CredentialSourceFailure>

    private struct State {
        /// The answers of sources, by the names of variables.
        var answers: [String: Answer] = [:]
        /// The work of asking the slow sources that have not answered yet, by the names of variables.
        var pendingAnswers: [String: SharedWork] = [:]
    }

    private let environment: ProcessEnvironment
    private let fileVariables: [String: String]
    private let sources: [String: CredentialSource]
    private let directory: ConfigurationDirectory
    private let state = Mutex(State())

    /// Makes the variables of an API.
    ///
    /// - Parameters:
    ///   - environment: The variables of the process, and the files and programs that sources read.
    ///   - fileVariables: The variables of `--env-file`.
    ///   - sources: The sources of values, by the names of variables.
    ///   - directory: The directory where relative paths of sources start. Without sources, it is not used.
    init(
        _ environment: ProcessEnvironment, files fileVariables: [String: String],
        sources: [String: CredentialSource] = [:],
        in directory: ConfigurationDirectory = ConfigurationDirectory(path: "", home: nil)
    ) {
        self.environment = environment
        self.fileVariables = fileVariables
        self.sources = sources
        self.directory = directory
    }

    // MARK: Values

    /// Whether a variable has a value. A slow source is not asked, but assumed to give one.
    func hasValue(_ name: String) -> Bool {
        if let source = source(name), isSlow(source) { return true }
        return value(name)?.isEmpty == false
    }

    /// Returns the source that gives the value of a variable.
    ///
    /// - Returns: The source; nil if the process or a file sets the variable, or if the variable has no source.
    func source(_ name: String) -> CredentialSource? {
        let isSet = valueWithoutSource(name) != nil
        return isSet ? nil : sources[name]
    }

    /// Returns the value that the process or a file gives; nil if there is none or it is empty.
    private func valueWithoutSource(_ name: String) -> String? {
        if let value = environment.value(name) { return value }
        guard let value = fileVariables[name], !value.isEmpty else { return nil }
        return value
    }

    /// Returns the value of a variable. A source that answers immediately is asked, once.
    ///
    /// - Returns: The value; nil if there is none, or if the source is slow and ``load(_:until:)`` has not asked it.
    func value(_ name: String) -> String? {
        guard let source = source(name) else {
            // Unlike `valueWithoutSource`, this returns the empty text of a variable that the process sets to it.
            return valueWithoutSource(name) ?? environment.variable(name)
        }
        if let knownAnswer = state.withLock({ $0.answers[name] }) { return Self.value(in: knownAnswer) }
        if isSlow(source) { return nil }
        let answer = askImmediateSource(source, for: name)
        state.withLock { $0.answers[name] = answer }
        return Self.value(in: answer)
    }

    /// Returns the value in an answer; nil for a failure, which ``failure`` reports.
    private static func value(in answer: Answer) -> String? {
        switch answer {
        case .success(let value): value
        case .failure: nil
        }
    }

    /// The failure of a source that gave no value; nil if none has failed. Of several, it is the one whose variable
    /// comes first in the alphabet, so that messages do not depend on the order of the answers.
    var failure: CredentialSourceFailure? {
        let answers = state.withLock { $0.answers.sorted { $0.key < $1.key } }
        for case (_, .failure(let failure)) in answers { return failure }
        return nil
    }

    // MARK: Sources that answer immediately

    /// Asks a source that answers immediately: a variable or a regular file.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - name: The variable that gets the value, for the failure.
    private func askImmediateSource(_ source: CredentialSource, for name: String) -> Answer {
        let value: String?
        do {
            switch source {
            case .variable(let otherName): value = environment.value(otherName) ?? fileVariables[otherName]
            case .file(let path): value = try readValue(ofFile: path, within: CredentialSource.timeLimit)
            // A program is slow and never comes here.
            case .command: value = nil
            }
        } catch {
            let limit = CredentialSource.timeLimit
            return .failure(CredentialSourceFailure(of: source, for: name, error: error, limit: limit))
        }
        return Self.answer(from: source, for: name, value: value)
    }

    /// Returns the answer of a source: its value, or the failure that the value is missing or empty.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - name: The variable that gets the value, for the failure.
    ///   - value: The value; nil if the source has none.
    private static func answer(from source: CredentialSource, for name: String, value: String?) -> Answer {
        if let value, !value.isEmpty { return .success(value) }
        let reason = value == nil ? "it is not set" : "it is empty"
        return .failure(CredentialSourceFailure(variable: name, source: source, reason: reason, exceededMaxTime: false))
    }

    /// Reads a value from a file: the text without the line break at its end.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the directory of the configuration file.
    ///   - limit: The longest time that reading may take, because a pipe may have no writer.
    /// - Throws: ``FileError`` for a file that can't be read, is too long, or does not end in time.
    private func readValue(ofFile path: String, within limit: Duration) throws -> String {
        let fullPath = directory.path(to: path)
        let bytes = try environment.files.open(fullPath)
            .readAll(name: fullPath, limit: CredentialSource.maxValueLength, until: .now + limit)
        return String(line: bytes)
    }
}

// MARK: - Slow sources

/// Sources that take time to answer: programs, and pipes that wait for a writer.
extension Variables {
    /// Whether the value of a variable comes from a slow source that has not answered yet.
    func mustBeLoaded(_ name: String) -> Bool {
        guard let source = source(name), isSlow(source) else { return false }
        return state.withLock { $0.answers[name] == nil }
    }

    /// Whether a source takes time to answer.
    private func isSlow(_ source: CredentialSource) -> Bool {
        switch source {
        case .variable: false
        case .file(let path): environment.files.isStream(directory.path(to: path))
        case .command: true
        }
    }

    /// Waits until the slow source of a variable has answered. Then ``value(_:)`` returns the answer.
    ///
    /// Several calls may wait for the same source, which is asked once. No thread is blocked while they wait.
    ///
    /// - Parameters:
    ///   - name: The name of the variable.
    ///   - deadline: When the source must have answered. Only the deadline of the call that asks first counts.
    /// - Throws: `CancellationError`.
    func load(_ name: String, until deadline: ContinuousClock.Instant) async throws {
        // The work of asking ends without an answer if all calls that waited for it were cancelled. A call that joined
        // it too late asks again.
        while mustBeLoaded(name), let source = source(name) {
            try Task.checkCancellation()
            await startOrJoinAsking(source, for: name, until: deadline).wait()
        }
    }

    /// Starts to ask a slow source, or joins another call that is asking it already.
    ///
    /// - Returns: The work of asking. When it ends, the answer is in ``state``, unless all calls that waited for it
    ///   were cancelled.
    private func startOrJoinAsking(
        _ source: CredentialSource, for name: String, until deadline: ContinuousClock.Instant
    ) -> SharedWork {
        state.withLock { state in
            if let pendingAnswer = state.pendingAnswers[name] { return pendingAnswer }
            let newWork = SharedWork { [self] in
                let answer = await askSlowSource(source, for: name, until: deadline)
                endAsking(for: name, answer: answer)
            }
            state.pendingAnswers[name] = newWork
            return newWork
        }
    }

    /// Stores the answer of a slow source, and removes the work of asking it. It is called by that work's own task.
    private func endAsking(for name: String, answer: Answer) {
        state.withLock { state in
            state.pendingAnswers[name] = nil
            // The answer to work that was cancelled says nothing about the source.
            if !Task.isCancelled { state.answers[name] = answer }
        }
    }

    /// Asks a slow source and waits for its answer.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - name: The variable that gets the value, for the failure.
    ///   - deadline: When the source must have answered. The source's own time limit may end earlier.
    /// - Returns: The value, or the failure if there is none or the time is over.
    private func askSlowSource(
        _ source: CredentialSource, for name: String, until deadline: ContinuousClock.Instant
    ) async -> Answer {
        let timeLeft = max(deadline - .now, .zero)
        let limit = min(timeLeft, CredentialSource.timeLimit)
        do {
            switch source {
            case .variable:
                return askImmediateSource(source, for: name)
            case .file(let path):
                let value = try await BlockingWork.run { [self] in try readValue(ofFile: path, within: limit) }
                return Self.answer(from: source, for: name, value: value)
            case .command(let words):
                let output = try await environment.commandOutput(words, limit)
                return Self.answer(from: source, for: name, value: String(line: output))
            }
        } catch {
            return .failure(CredentialSourceFailure(of: source, for: name, error: error, limit: limit))
        }
    }
}

extension String {
    /// The text of `bytes` without the line break at its end.
    init(line bytes: [UInt8]) {
        var bytes = bytes[...]
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        self.init(exactBytes: bytes)
    }
}
