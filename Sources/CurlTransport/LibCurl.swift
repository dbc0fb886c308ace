import CCurl
import CLibrary
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
        var problem: String?
        for name in names {
            guard let missing = ccurl_load(name, functions) else {
                let curl = LibCurl(functions: functions)
                let code = functions.pointee.global_init(Int(CCURL_GLOBAL_ALL))
                if code == CCURLE_OK { return curl }
                throw TransportError(
                    .libraryMissing, detail: "libcurl could not be initialised: \(curl.describe(code: code))")
            }
            let function = String(cString: missing)
            if !function.isEmpty {
                problem = "\(name) is too old: it lacks \(function); libcurl 7.68 or later is needed"
            } else if let words = clibrary_failure().map({ String(cString: $0) }), !Self.isAbsence(words, of: name) {
                problem = "libcurl is installed but can't be loaded: \(words)"
            }
        }
        functions.deallocate()
        let absence =
            "libcurl is not installed (tried \(names.joined(separator: ", "))); "
            + "on Debian and Ubuntu: apt-get install libcurl4, on Fedora: dnf install libcurl"
        throw TransportError(.libraryMissing, detail: problem ?? absence)
    }

    /// Whether the loader's words tell that the library itself is not there, rather than what it needs.
    private static func isAbsence(_ words: String, of name: String) -> Bool {
        words.hasPrefix("\(name): ") && words.contains("No such file")
            || words.hasPrefix("dlopen(") && !words.contains("not loaded")
    }

    /// libcurl's words for a result code.
    func describe(code: Int32) -> String { String(cString: functions.pointee.easy_strerror(code)) }
}
