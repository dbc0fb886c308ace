extension EndpointInvocation {
    /// Throws ``UsageError`` for options that make no sense together.
    func check() throws(UsageError) {
        let given = Set(options.given)
        if given.isSuperset(of: ["http1.1", "http2"]) { throw .conflict("--http1.1", "--http2") }
        if options.continues, options.output == nil || options.output == "-" {
            throw .optionMissing("-o FILE", for: "--continue")
        }
        if options.connection.clientKey != nil, options.connection.clientCertificate == nil {
            throw .optionMissing("--cert FILE", for: "--key")
        }
    }
}
