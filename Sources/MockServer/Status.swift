/// Facts about status codes (RFC 9110, section 15).
enum Status {
    /// Whether a response with this status may have a body.
    static func allowsBody(_ status: Int) -> Bool {
        status >= 200 && status != 204 && status != 304
    }
}
