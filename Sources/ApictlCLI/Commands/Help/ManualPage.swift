import EndpointKit
import EndpointTools
import JSONText

/// The manual page in the language of man(7).
///
/// It has everything that help has, except for what depends on the user's settings. Each option is described once: the
/// options of every command come first, and an option that several commands have is described with the first of them.
struct ManualPage {
    private let context: CommandContext
    private var text = ManualText()
    /// The options that are described so far.
    private var described: [OptionSpec] = []

    private init(_ context: CommandContext) { self.context = context }

    /// Returns the page.
    @Sendable static func text(_ context: CommandContext) throws -> String {
        var page = ManualPage(context)
        page.writeHead()
        page.writeOptionsOfEveryCommand()
        page.text.section("COMMANDS")
        for command in context.commands { page.write(command) }
        try page.writeTopics()
        page.writeEnd()
        return page.text.text
    }

    /// Writes the title and the sections before the options.
    private mutating func writeHead() {
        let tool = context.tool
        let now = Date(timeIntervalSince1970: Double(context.environment.secondsSince1970()))
        text.title(tool, version: context.version, day: DateText.iso8601(now).map { String($0.prefix(10)) } ?? "")
        text.section("NAME")
        text.line("\(tool) - call HTTP APIs by name")
        text.section("SYNOPSIS")
        text.verbatim(context.commands.map { "\(tool) \($0.usage)\n" }.joined())
        text.section("DESCRIPTION")
        text.line(
            "Every endpoint of an API is a command, every parameter a flag; responses are decoded through the models "
                + "of the API. The APIs are:")
        for subject in context.registry.outermostSubjects { text.row([subject.name, subject.summary]) }
    }

    private mutating func writeOptionsOfEveryCommand() {
        text.section("OPTIONS")
        text.line("Every command has these options:")
        write(CommonOptions.group.options.map(\.spec))
        text.row(["-V, --version", "print the version; without a command"])
    }

    /// Writes the section about a command: its summary, options and notes.
    private mutating func write(_ command: any Command.Type) {
        text.subsection("\(context.tool) \(command.usage)")
        text.line(command.summary)
        if !command.usageNote.isEmpty { text.paragraph(command.usageNote) }
        let common = CommonOptions.group.options.map(\.spec)
        var known: [OptionSpec] = []
        for group in command.groups {
            let options = group.options.filter { !common.contains($0) }
            known += options.filter(isDescribed)
            let new = options.filter { !isDescribed($0) }
            if new.isEmpty { continue }
            text.paragraph("\(group.title):")
            write(new)
        }
        if !known.isEmpty {
            text.paragraph("Options that are described above: " + known.map(\.flag).joined(separator: ", ") + ".")
        }
        text.notes(command.notes(context))
    }

    /// Writes the descriptions of options.
    private mutating func write(_ options: [OptionSpec]) {
        for option in options {
            text.row([(option.short.map { "-\($0), " } ?? "") + option.syntax, option.help])
        }
        described += options
    }

    /// Whether an option has been described with an earlier command. Whether help shows it does not matter.
    private func isDescribed(_ option: OptionSpec) -> Bool {
        described.contains { $0.short == option.short && $0.syntax == option.syntax && $0.help == option.help }
    }

    /// Writes a section for each topic of help.
    private mutating func writeTopics() throws {
        for topic in HelpTopic.all {
            guard let section = topic.section else { continue }
            text.section(section)
            text.notes(try (topic.manualNotes ?? topic.notes)(context))
        }
    }

    /// Writes the sections after the topics.
    private mutating func writeEnd() {
        text.section("FILES")
        text.row(["~/.config/\(context.tool)/config.json", "the configuration file; see the command config"])
        text.row(["~/.netrc", "users and passwords, read only with --netrc"])
        text.section("EXAMPLES")
        for example in HelpText.examples(context) { text.row(example) }
        text.section("SEE ALSO")
        text.references(["curl", "jq"])
    }
}

/// A text in the language of man(7), which grows by its parts.
private struct ManualText {
    private(set) var text = ""
    /// Whether the last part is a heading, which begins a paragraph itself.
    private var isAfterHeading = false

    /// The longest line of the source, which leaves room for escapes. Man joins the lines again.
    private static let width = 60

    /// Adds the line that every manual page begins with.
    ///
    /// - Parameter day: The day on which the page is made, such as `2026-11-30`. Programs that check pages expect one.
    mutating func title(_ tool: String, version: String, day: String) {
        text += ".TH \(Self.escaped(tool.uppercased())) 1 \"\(day)\" \"\(Self.escaped("\(tool) \(version)"))\"\n"
    }

    mutating func section(_ title: String) {
        text += ".SH \(title)\n"
        isAfterHeading = true
    }

    mutating func subsection(_ title: String) {
        text += ".SS \(Self.escaped(title))\n"
        isAfterHeading = true
    }

    /// Adds a text that follows a heading or continues a paragraph.
    mutating func line(_ line: String) {
        text += Self.lines(TextWrap.text(line, width: Self.width))
        isAfterHeading = false
    }

    mutating func paragraph(_ paragraph: String) {
        beginParagraph()
        line(paragraph)
    }

    private mutating func beginParagraph() {
        if !isAfterHeading { text += ".PP\n" }
        isAfterHeading = false
    }

    /// Adds a term, and its meaning below it or beside it.
    ///
    /// - Parameter cells: The term, and the parts of its meaning.
    mutating func row(_ cells: [String]) {
        text += ".TP\n" + Self.lines(cells.first ?? "")
        line(cells.dropFirst().joined(separator: "; "))
    }

    /// Adds lines that are shown as they are.
    mutating func verbatim(_ block: String) {
        text += ".nf\n" + Self.lines(block.hasSuffix("\n") ? String(block.dropLast()) : block) + ".fi\n"
    }

    /// Adds paragraphs, rows and an example in the order of help.
    mutating func notes(_ notes: CommandNotes) {
        for paragraph in notes.paragraphs { self.paragraph(paragraph) }
        for cells in notes.rows { row(cells) }
        for paragraph in notes.closing { self.paragraph(paragraph) }
        if notes.example.isEmpty { return }
        beginParagraph()
        verbatim(notes.example)
    }

    /// Adds the names of other manual pages in section 1.
    mutating func references(_ names: [String]) {
        text += names.map { ".BR \($0) (1)" }.joined(separator: ",\n") + "\n"
    }

    /// Returns lines of text as lines that man does not take for requests.
    private static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            // A dot or quote at the start of a line begins a request. `\&` before it is an empty character.
            (line.first == "." || line.first == "'" ? "\\&" : "") + escaped(String(line)) + "\n"
        }.joined()
    }

    /// The escapes of characters that man(7) changes or that not all fonts have.
    private static let escapes: [Unicode.Scalar: String] = [
        "…": "...", "✓": "+", "✗": "x", "–": "\\-", "\\": "\\e", "-": "\\-", "^": "\\(ha", "~": "\\(ti", "`": "\\(ga",
        "\"": "\\(dq",
    ]

    /// Returns text without characters that have a meaning in man(7), or are not ASCII: `\[u00E9]` for é.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            if let escape = escapes[scalar] { return escape }
            if scalar.isASCII { return String(scalar) }
            let hex = String(scalar.value, radix: 16, uppercase: true)
            return "\\[u" + String(repeating: "0", count: max(4 - hex.count, 0)) + hex + "]"
        }.joined()
    }
}
