import CCurl
import EndpointKit

/// The functions of libcurl.
///
/// `@unchecked Sendable`: the table is filled before anyone else can see it, and never changed or freed.
struct LibCurl: @unchecked Sendable {
    let functions: UnsafePointer<CCurlFunctions>

    /// The system's libcurl, loaded and initialised at the first use.
    ///
    /// It stays loaded: threads of a name lookup may run in it long after the last transfer.
    static let shared = Result<LibCurl, TransportError> { () throws(TransportError) in
        try load(from: Platform.libraryNames)
    }

    static func load(from names: [String]) throws(TransportError) -> LibCurl {
        let functions = UnsafeMutablePointer<CCurlFunctions>.allocate(capacity: 1)
        var outdated: String?
        for name in names {
            guard let missing = ccurl_load(name, functions) else {
                let curl = LibCurl(functions: functions)
                try curl.initialise()
                return curl
            }
            let function = String(cString: missing)
            if !function.isEmpty {
                outdated = "\(name) is too old: it lacks \(function); libcurl 7.68 or later is needed"
            }
        }
        functions.deallocate()
        throw TransportError(.libraryMissing, detail: outdated ?? absence(of: names))
    }

    private func initialise() throws(TransportError) {
        let code = functions.pointee.global_init(Int(CCURL_GLOBAL_ALL))
        guard code == CCURLE_OK else {
            throw TransportError(
                .libraryMissing, detail: "libcurl could not be initialised: \(describe(code: code))")
        }
    }

    private static func absence(of names: [String]) -> String {
        "libcurl is not installed (tried \(names.joined(separator: ", "))); "
            + "on Debian and Ubuntu: apt-get install libcurl4, on Fedora: dnf install libcurl"
    }

    var version: String? { functions.pointee.version().map { String(cString: $0) } }

    /// libcurl's words for a result code.
    func describe(code: Int32) -> String { String(cString: functions.pointee.easy_strerror(code)) }
}
