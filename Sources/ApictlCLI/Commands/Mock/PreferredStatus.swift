import MockServer

extension ReceivedRequest {
    /// The status in `Prefer: code=503` (RFC 7240); nil without one, or if it is not from 200 to 599.
    var preferredStatus: Int? {
        for value in values(of: "Prefer") {
            for preference in value.split(separator: ",") {
                let parts = preference.prefix { $0 != ";" }.filter { !" \t\"".contains($0) }.split(separator: "=")
                if parts.count == 2, parts[0].lowercased() == "code", let status = Int(parts[1]),
                    (200...599).contains(status)
                {
                    return status
                }
            }
        }
        return nil
    }
}
