import EndpointKit
import Synchronization

/// Notes on a terminal's stderr about what the printed result does not show.
struct ResponseNotes: Sendable {
    /// The most keys that are named.
    private static let mostKeys = 5

    let output: any ByteOutput
    /// False if stderr is not a terminal, or nothing is to be printed.
    let isWanted: Bool
    private let colors: HeadColors

    init(_ options: CallOptions, _ environment: ProcessEnvironment) {
        output = environment.stderr
        isWanted = environment.stderr.isTerminal && !options.quiet
        colors = HeadColors(options.color, for: environment.stderr, environment)
    }

    /// The keys of `body` that `model` does not have and the printed value therefore lacks. The body must fit the model.
    func unexpectedKeys(
        in body: [UInt8], _ model: ResponseModel, coding: Coding, mayRepeat: Bool, check: (() throws -> Void)?
    ) throws {
        guard model.kind == .json else { return }
        let survey = try model.survey(body, coding: coding, check: check)
        let keys = survey.findings.filter { $0.kind == .unexpectedKey }.map { Self.shortPath($0.path) }
        guard !keys.isEmpty else { return }
        let named = keys.prefix(Self.mostKeys).joined(separator: ", ")
        let more = keys.count > Self.mostKeys ? " and \(keys.count - Self.mostKeys) more" : ""
        let count = keys.count == 1 ? "1 key is" : "\(keys.count) keys are"
        try write("\(count) not in \(model.name): \(named)\(more)\(mayRepeat ? " (--raw shows them)" : "")")
    }

    /// The status of a response that has no body to print.
    func noBody(_ head: ResponseHead) throws { try write("\(head.statusText), no body") }

    /// A file that has been written.
    func saved(_ path: String, count: Int) throws { try write("\(ByteCountText.shown(count)) saved in \(path)") }

    /// The headers of a response that consists of nothing else.
    func headers(_ head: ResponseHead, _ redactor: Redactor) throws {
        if isWanted { try output.write(head.shown(redactor, colors)) }
    }

    private func write(_ text: String) throws {
        if isWanted { try output.write("note: \(text.safeToShow)\n") }
    }

    /// `results[].new_field` for `$.results[*].new_field`.
    private static func shortPath(_ path: String) -> String {
        var text = path[...]
        if text.hasPrefix("$.") { text = text.dropFirst(2) }
        return text.split(separator: "[*]", omittingEmptySubsequences: false).joined(separator: "[]")
    }
}
