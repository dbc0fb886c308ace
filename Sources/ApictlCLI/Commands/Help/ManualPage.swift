import EndpointKit
import EndpointTools
import JSONText

/// The manual page in the language of man(7).
///
/// It has everything that help has, except for what depends on the user's settings. Each option is described once: the
/// options of every command come first, and an option that several commands have is described with the first of them.
struct ManualPage {
    private let context: CommandContext
    private var manual = ManualText()
    /// The options that are described so far.
    private var describedOptions: [OptionSpec] = []

    private init(_ context: CommandContext) { self.context = context }

    /// Returns the source of the manual page, which `man` formats.
    ///
    /// - Throws: The errors of making a topic's text.
    @Sendable static func text(_ context: CommandContext) throws -> String {
        var page = ManualPage(context)
        page.writeHead()
        page.writeOptionsOfEveryCommand()
        page.manual.addSection("COMMANDS")
        for command in context.commands { page.writeCommand(command) }
        try page.writeTopics()
        page.writeEnd()
        return page.manual.text
    }

    /// Writes the title and the sections before the options.
    private mutating func writeHead() {
        let tool = context.tool
        let now = Date(timeIntervalSince1970: Double(context.environment.secondsSince1970()))
        // The day is the start of `2026-11-30T12:00:00Z`.
        let day = DateText.iso8601(now).map { String($0.prefix(10)) } ?? ""
        manual.addTitle(tool, version: context.version, day: day)
        manual.addSection("NAME")
        manual.addLine("\(tool) - call HTTP APIs by name")
        manual.addSection("SYNOPSIS")
        manual.addVerbatim(context.commands.map { "\(tool) \($0.usage)\n" }.joined())
        manual.addSection("DESCRIPTION")
        manual.addLine(
            """
            Every endpoint of an API is a command, and every parameter is a flag. Responses are decoded with the \
            models of the API. The APIs are:
            """)
        for subject in context.registry.outermostSubjects { manual.addRow([subject.name, subject.summary]) }
    }

    /// Writes the section about the options that every command has.
    private mutating func writeOptionsOfEveryCommand() {
        manual.addSection("OPTIONS")
        manual.addLine("Every command has these options:")
        describe(CommonOptions.group.options.map(\.spec))
        manual.addRow(["-V, --version", "print the version; without a command"])
    }

    /// Writes the section about a command: its summary, its options and notes. Options that were described for an
    /// earlier command are only named.
    private mutating func writeCommand(_ command: any Command.Type) {
        manual.addSubsection("\(context.tool) \(command.usage)")
        manual.addLine(command.summary)
        if !command.usageNote.isEmpty { manual.addParagraph(command.usageNote) }
        let commonOptions = CommonOptions.group.options.map(\.spec)
        var optionsDescribedAbove: [OptionSpec] = []
        for group in command.groups {
            let options = group.options.filter { !commonOptions.contains($0) }
            optionsDescribedAbove += options.filter(isDescribed)
            let newOptions = options.filter { !isDescribed($0) }
            if newOptions.isEmpty { continue }
            manual.addParagraph("\(group.title):")
            describe(newOptions)
        }
        if !optionsDescribedAbove.isEmpty {
            let flags = optionsDescribedAbove.map(\.flag).joined(separator: ", ")
            manual.addParagraph("Options that are described above: \(flags).")
        }
        manual.addNotes(command.notes(context))
    }

    /// Writes the descriptions of options, and remembers that they are described.
    private mutating func describe(_ options: [OptionSpec]) {
        for option in options {
            let shortForm = option.short.map { "-\($0), " } ?? ""
            manual.addRow([shortForm + option.syntax, option.help])
        }
        describedOptions += options
    }

    /// Whether an option has been described with an earlier command, in the same spelling and the same words.
    private func isDescribed(_ option: OptionSpec) -> Bool {
        describedOptions.contains { $0.short == option.short && $0.syntax == option.syntax && $0.help == option.help }
    }

    /// Writes a section for each topic of help.
    private mutating func writeTopics() throws {
        for topic in HelpTopic.all {
            guard let section = topic.section else { continue }
            manual.addSection(section)
            manual.addNotes(try (topic.manualNotes ?? topic.notes)(context))
        }
    }

    /// Writes the sections after the topics.
    private mutating func writeEnd() {
        manual.addSection("FILES")
        manual.addRow(["~/.config/\(context.tool)/config.json", "the configuration file; see the command config"])
        manual.addRow(["~/.netrc", "users and passwords, read only with --netrc"])
        manual.addSection("EXAMPLES")
        for example in HelpText.examples(context) { manual.addRow(example) }
        manual.addSection("SEE ALSO")
        manual.addReferences(["curl", "jq"])
    }
}

/// A text in the language of man(7), to which headings, paragraphs and rows are added one after the other.
private struct ManualText {
    private(set) var text = ""
    /// Whether a heading was added last. It begins a paragraph itself.
    private var isAfterHeading = false

    /// The longest line of the source, which leaves room for escapes. Man joins the lines again.
    private static let width = 60

    /// Adds the line that every manual page begins with.
    ///
    /// - Parameter day: The day on which the page is made, such as `2026-11-30`. Programs that check pages expect one.
    mutating func addTitle(_ tool: String, version: String, day: String) {
        text += ".TH \(Self.escaped(tool.uppercased())) 1 \"\(day)\" \"\(Self.escaped("\(tool) \(version)"))\"\n"
    }

    /// Adds the heading of a section, which is in capitals.
    mutating func addSection(_ title: String) {
        text += ".SH \(title)\n"
        isAfterHeading = true
    }

    /// Adds the heading of a part of a section.
    mutating func addSubsection(_ title: String) {
        text += ".SS \(Self.escaped(title))\n"
        isAfterHeading = true
    }

    /// Adds a text that follows a heading or continues a paragraph.
    mutating func addLine(_ line: String) {
        text += Self.lines(of: TextWrap.text(line, width: Self.width))
        isAfterHeading = false
    }

    /// Adds a text as a paragraph of its own.
    mutating func addParagraph(_ paragraph: String) {
        beginParagraph()
        addLine(paragraph)
    }

    /// Begins a paragraph, unless a heading has begun one.
    private mutating func beginParagraph() {
        if !isAfterHeading { text += ".PP\n" }
        isAfterHeading = false
    }

    /// Adds a term, and its meaning below it or beside it.
    ///
    /// - Parameter cells: The term, and the parts of its meaning.
    mutating func addRow(_ cells: [String]) {
        text += ".TP\n" + Self.lines(of: cells.first ?? "")
        addLine(cells.dropFirst().joined(separator: "; "))
    }

    /// Adds lines that are shown as they are.
    mutating func addVerbatim(_ block: String) {
        let lines = block.hasSuffix("\n") ? String(block.dropLast()) : block
        text += ".nf\n" + Self.lines(of: lines) + ".fi\n"
    }

    /// Adds paragraphs, rows and an example in the order of help.
    mutating func addNotes(_ notes: CommandNotes) {
        for paragraph in notes.paragraphs { addParagraph(paragraph) }
        for cells in notes.rows { addRow(cells) }
        for paragraph in notes.closing { addParagraph(paragraph) }
        if notes.example.isEmpty { return }
        beginParagraph()
        addVerbatim(notes.example)
    }

    /// Adds the names of other manual pages in section 1.
    mutating func addReferences(_ names: [String]) {
        text += names.map { ".BR \($0) (1)" }.joined(separator: ",\n") + "\n"
    }

    /// Returns the lines of a text so that man prints them, and takes none for a request: an instruction such as `.PP`.
    private static func lines(of text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            // A dot or quote at the start of a line begins a request. `\&` before it is an empty character.
            let looksLikeRequest = line.first == "." || line.first == "'"
            return (looksLikeRequest ? "\\&" : "") + escaped(String(line)) + "\n"
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
            // The number of a character has at least four digits.
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let leadingZeros = String(repeating: "0", count: max(4 - digits.count, 0))
            return "\\[u\(leadingZeros)\(digits)]"
        }.joined()
    }
}
