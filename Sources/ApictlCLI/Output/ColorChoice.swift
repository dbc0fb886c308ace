import EndpointKit

/// A value of `--color`: when output is coloured.
enum ColorChoice: String, Sendable, CaseIterable {
    case auto, always, never
}

extension ProcessEnvironment {
    /// Returns whether `output` is coloured.
    ///
    /// These decide, in this order: `--color` or the configuration, `NO_COLOR`, `CLICOLOR_FORCE`, and whether `output`
    /// is a terminal that can show colours.
    ///
    /// - Parameter choice: The value of `--color`; nil if it is not given.
    func isColored(_ choice: ColorChoice?, _ output: any ByteOutput) -> Bool {
        switch choice ?? color {
        case .always: return true
        case .never: return false
        case .auto:
            if isSet("NO_COLOR") { return false }
            if isSet("CLICOLOR_FORCE"), variable("CLICOLOR_FORCE") != "0" { return true }
            return output.isTerminal && variable("TERM") != "dumb"
        }
    }
}
