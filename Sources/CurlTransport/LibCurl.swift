import CSystem
import EndpointKit
import SystemCalls

/// The functions of libcurl.
///
/// `@unchecked Sendable`: the table is filled before anyone else can see it, and never changed or freed.
struct LibCurl: @unchecked Sendable {
    let functions: UnsafePointer<CCurlFunctions>

    /// The system's libcurl, loaded and initialised at the first use.
    ///
    /// It stays loaded: threads of a name lookup may run in it long after the last transfer.
    static let shared = Result<LibCurl, TransportError> { () throws(TransportError) in
        try load(from: SystemCall.curlLibraries)
    }

    /// Loads and initialises the first of several libraries that is installed and new enough.
    ///
    /// - Parameter names: The names of the libraries, such as `libcurl.so.4`.
    /// - Throws: ``TransportError`` with the reason why there is none, or with the package to install.
    static func load(from names: [String]) throws(TransportError) -> LibCurl {
        let functions = UnsafeMutablePointer<CCurlFunctions>.allocate(capacity: 1)
        var problem: String?
        for name in names {
            // Returns nil on success, or else the name of the first function that the library lacks.
            guard let missingFunction = ccurl_load(name, functions) else {
                return try LibCurl(functions: functions).initialized()
            }
            problem = Self.problem(name, missingFunction: String(cString: missingFunction)) ?? problem
        }
        functions.deallocate()
        let absence =
            "libcurl is not installed (tried \(names.joined(separator: ", "))); "
            + "on Debian and Ubuntu: apt-get install libcurl4, on Fedora: dnf install libcurl"
        throw TransportError(.libraryMissing, detail: problem ?? absence)
    }

    /// Initialises libcurl, which happens once in a process, and returns it.
    private func initialized() throws(TransportError) -> LibCurl {
        let code = functions.pointee.global_init(Int(CCURL_GLOBAL_ALL))
        if code == CCURLE_OK { return self }
        throw TransportError(.libraryMissing, detail: "libcurl could not be initialised: \(describe(code: code))")
    }

    /// Returns the reason why an installed library could not be loaded, or nil if it is not installed.
    ///
    /// - Parameters:
    ///   - name: The name of the library.
    ///   - missingFunction: The function that the library lacks. It is empty if the library was not loaded at all.
    private static func problem(_ name: String, missingFunction: String) -> String? {
        if !missingFunction.isEmpty {
            return "\(name) is too old: it lacks \(missingFunction); libcurl 7.68 or later is needed"
        }
        guard let words = clibrary_failure().map({ String(cString: $0) }), !isAbsence(words, of: name) else {
            return nil
        }
        return "libcurl is installed but can't be loaded: \(words)"
    }

    /// Whether the loader's message says that the library itself is not there, and not one of the libraries that it
    /// needs. The loader has no code for that.
    private static func isAbsence(_ words: String, of name: String) -> Bool {
        let isAbsentOnLinux = words.hasPrefix("\(name): ") && words.contains("No such file")
        let isAbsentOnMacOS = words.hasPrefix("dlopen(") && !words.contains("not loaded")
        return isAbsentOnLinux || isAbsentOnMacOS
    }

    /// Returns libcurl's words for a result code.
    func describe(code: Int32) -> String { String(cString: functions.pointee.easy_strerror(code)) }
}
