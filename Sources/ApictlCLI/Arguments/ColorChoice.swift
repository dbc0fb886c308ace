/// When output is coloured: the values of `--color`.
enum ColorChoice: String, Sendable, CaseIterable {
    case auto, always, never
}
