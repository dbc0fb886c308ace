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
            // The name of the first function that the library lacks, or nil if it is loaded with all of them.
            let missingFunction = ccurl_load(name, functions).map { String(cString: $0) }
            guard let missingFunction else { return try LibCurl(functions: functions).initialized() }
            // A library that is not installed at all has no problem to report.
            let problemOfLibrary = Self.loadProblem(name, missingFunction: missingFunction)
            if let problemOfLibrary { problem = problemOfLibrary }
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
    private static func loadProblem(_ name: String, missingFunction: String) -> String? {
        let isLoaded = !missingFunction.isEmpty
        if isLoaded { return "\(name) is too old: it lacks \(missingFunction); libcurl 7.68 or later is needed" }
        guard let message = clibrary_failure().map({ String(cString: $0) }), !saysAbsent(message, library: name) else {
            return nil
        }
        return "libcurl is installed but can't be loaded: \(message)"
    }

    /// Whether the loader's message says that the library itself is not there, and not one of the libraries that it
    /// needs. The loader has no code for that.
    private static func saysAbsent(_ message: String, library name: String) -> Bool {
        let isAbsentOnLinux = message.hasPrefix("\(name): ") && message.contains("No such file")
        let isAbsentOnMacOS = message.hasPrefix("dlopen(") && !message.contains("not loaded")
        return isAbsentOnLinux || isAbsentOnMacOS
    }

    /// Returns libcurl's words for a result code.
    func describe(code: Int32) -> String { String(cString: functions.pointee.easy_strerror(code)) }
}
