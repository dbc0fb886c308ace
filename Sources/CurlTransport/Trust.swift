/// Where a connection's trusted certificates come from.
struct Trust: Sendable, Equatable {
    /// The paths that are set in libcurl, or nil for the default of libcurl.
    var configuration: CurlConfiguration
    /// The bundle in use, as far as it is known.
    var bundle: String?
    /// The directory in use, as far as it is known; with OpenSSL also several, separated by colons.
    var directory: String?
    /// Whether the directory is used without the bundle.
    var leavesOutBundle = false

    /// Trusts the file and the directory that a configuration names, and the defaults of libcurl for those that it
    /// leaves out.
    init(_ configuration: CurlConfiguration) {
        self.configuration = configuration
        bundle = configuration.certificateBundle
        directory = configuration.certificateDirectory
    }

    /// The files and directories that are used.
    var paths: [String] { [directory, leavesOutBundle ? nil : bundle].compactMap { $0 } }
}
