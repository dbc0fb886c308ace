import EndpointKit
import Synchronization
import SystemCalls

/// Variables from the process, then from files, then from the sources that the configuration names.
final class ConfiguredVariables: Sendable {
    private let environment: ProcessEnvironment
    private let files: [String: String]
    private let sources: [String: CredentialSource]
    /// Whether values that commands print are asked for.
    private let runsCommands: Bool
    /// Relative paths of files start here.
    private let folder: String
    private let known = Mutex<[String: Result<String, CredentialSourceFailure>]>([:])

    init(
        _ environment: ProcessEnvironment, files: [String: String], configuration: Configuration?, runsCommands: Bool
    ) {
        self.environment = environment
        self.files = files
        sources = configuration?.sources ?? [:]
        folder = configuration.map { String($0.path[..<($0.path.lastIndex(of: "/") ?? $0.path.startIndex)]) } ?? ""
        self.runsCommands = runsCommands
    }

    /// Where a variable's value comes from.
    enum Origin: Equatable {
        case process, file
        case source(CredentialSource)
    }

    /// Where the value of `name` comes from; nil if it is not set.
    func origin(_ name: String) -> Origin? {
        if environment.isSet(name) { return .process }
        if files[name].map({ !$0.isEmpty }) == true { return .file }
        return sources[name].map { .source($0) }
    }

    /// The value of `name`; nil if there is none. A source is asked once.
    func value(_ name: String) -> String? {
        switch origin(name) {
        case nil: environment.variable(name)
        case .process: environment.variable(name)
        case .file: files[name]
        case .source(let source): try? value(name, source).get()
        }
    }

    /// The first source that gave no value although it was asked.
    var failure: CredentialSourceFailure? {
        known.withLock { known in
            known.sorted { $0.key < $1.key }.lazy.compactMap { _, result in
                if case .failure(let failure) = result { failure } else { nil }
            }.first
        }
    }

    private func value(_ name: String, _ source: CredentialSource) -> Result<String, CredentialSourceFailure> {
        if case .command = source, !runsCommands {
            return .failure(CredentialSourceFailure(variable: name, source: source, reason: "not asked"))
        }
        // The lock is held meanwhile: two tasks must not run the same command.
        return known.withLock { known in
            if let result = known[name] { return result }
            let result = Result { () throws(CredentialSourceFailure) in try read(name, source) }
            known[name] = result
            return result
        }
    }

    private func read(_ name: String, _ source: CredentialSource) throws(CredentialSourceFailure) -> String {
        func failure(_ reason: String) -> CredentialSourceFailure {
            CredentialSourceFailure(variable: name, source: source, reason: reason)
        }
        let value: String
        do {
            switch source {
            case .variable(let other):
                guard let text = environment.value(other) ?? files[other] else { throw failure("it is not set") }
                value = text
            case .file(let path):
                let path = absolute(path)
                value = try Self.text(
                    environment.files.open(path).readAll(name: path, limit: CredentialSource.longestValue))
            case .command(let words):
                value = Self.text(try environment.commandOutput(words, CredentialSource.timeLimit))
            case .text: throw failure(CredentialSource.refusal)
            }
        } catch let error as CredentialSourceFailure {
            throw error
        } catch let error as FileError {
            throw failure(error.reason)
        } catch let error as CommandOutput.Failure {
            throw failure(error.sentence)
        } catch {
            throw failure("\(error)")
        }
        guard !value.isEmpty else { throw failure("it is empty") }
        return value
    }

    private func absolute(_ path: String) -> String {
        if path.hasPrefix("~/"), let home = environment.value("HOME") { return home + path.dropFirst() }
        return path.hasPrefix("/") || folder.isEmpty ? path : folder + "/" + path
    }

    /// The text without the line break at its end.
    private static func text(_ bytes: [UInt8]) -> String {
        var bytes = bytes[...]
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(exactBytes: Array(bytes))
    }
}

extension CommandOutput.Failure {
    fileprivate var sentence: String {
        switch self {
        case .notStarted(let error): error.inSentence
        case .timedOut: "it took longer than \(CredentialSource.timeLimit.shown)"
        case .exited(let code): "it ended with exit code \(code)"
        case .killed(let signal): "it was ended by signal \(signal)"
        case .tooLong: "it printed more than \(ByteCountText.shown(CredentialSource.longestValue))"
        }
    }
}
