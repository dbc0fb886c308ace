/// The manual page, in the language of man(7).
enum ManualPage {
    static func text(_ context: RunContext) -> String {
        let tool = context.tool
        let title = tool.uppercased()
        let apis = context.registry.apis.map { [$0.name, $0.summary] }
        var text = ".TH \(escaped(title)) 1 \"\" \"\(escaped(tool)) \(escaped(context.version))\"\n"
        text += section("NAME") + lines("\(tool) - call HTTP APIs by name")
        text += section("SYNOPSIS")
        text += context.commands.map { "\(bold(tool)) \(escaped($0.usage))\n" }.joined(separator: ".br\n")
        text += section("DESCRIPTION")
        text += lines(
            "Every endpoint of an API is a command, every parameter a flag; responses are decoded through the models of the API."
        )
        if !apis.isEmpty { text += paragraph("The APIs are:") + list(apis) }
        text += section("COMMANDS") + context.commands.map { command($0, context) }.joined()
        text += section("EXIT STATUS") + list(HelpText.exitCodeRows)
        text += section("ENVIRONMENT") + list(HelpText.environmentRows(context))
        text += section("SEE ALSO") + ".BR curl (1)\n"
        return text
    }

    private static func command(_ command: any Command.Type, _ context: RunContext) -> String {
        // The options of call are those of curl too.
        let notes = command.notes(context)
        var text = ".SS \(escaped(context.tool)) \(escaped(command.usage))\n" + lines(sentence(command.summary))
        if command == CurlCommand.self {
            text += paragraph("Its options are those of \(CallCommand.name).")
        } else {
            for group in command.groups {
                text += paragraph(group.title + ":")
                text += list(group.options.map { [spelling($0), $0.help] })
            }
        }
        text += notes.paragraphs.map(paragraph).joined()
        if !notes.example.isEmpty { text += ".PP\n.nf\n" + lines(notes.example) + ".fi\n" }
        return text
    }

    private static func spelling(_ option: OptionSpec) -> String {
        (option.short.map { "-\($0), " } ?? "") + option.syntax
    }

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }
    private static func section(_ title: String) -> String { ".SH \(title)\n" }
    private static func paragraph(_ text: String) -> String { ".PP\n" + lines(text) }
    private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    /// Each row's first text in bold, the second one indented under it.
    private static func list(_ rows: [[String]]) -> String {
        rows.map { ".TP\n\(bold($0[0]))\n" + lines($0[1].isEmpty ? " " : $0[1]) }.joined()
    }

    private static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(text.hasSuffix("\n") ? 1 : 0).map {
            line in
            // A dot or quote at the start of a line would be a request.
            (line.first == "." || line.first == "'" ? "\\&" : "") + escaped(String(line)) + "\n"
        }.joined()
    }

    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            case "^": "\\(ha"
            case "~": "\\(ti"
            case "`": "\\(ga"
            default: String(character)
            }
        }.joined()
    }
}
