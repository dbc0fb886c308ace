import EndpointKit
import SystemCalls

/// Links to certificates, each named after a hash of the certificate's subject, such as `5ed36f99.0` (`openssl rehash`,
/// `c_rehash`).
enum HashLinks {
    /// Whether a directory can be read and has at least one such link.
    static func exist(in directory: String) -> Bool {
        let entries = (try? Directory.entries(of: directory.exactBytes)) ?? []
        return entries.contains { isHashLink($0.name) }
    }

    /// Whether a name is that of a hash link, such as `5ed36f99.0`: eight hexadecimal digits in lower case, a full stop
    /// and a number.
    static func isHashLink(_ name: some Collection<UInt8>) -> Bool {
        let hash = name.prefix(8)
        let fullStop = name.dropFirst(8).prefix(1)
        let number = name.dropFirst(9)
        let isHash = hash.allSatisfy { $0.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
        let isNumber = !number.isEmpty && number.allSatisfy(\.isDigit)
        return isHash && fullStop.elementsEqual(".".utf8) && isNumber
    }
}
