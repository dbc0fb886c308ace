/// When output is coloured.
enum ColorChoice: String, Sendable, CaseIterable {
    case auto, always, never
}
