import EndpointKit

extension RequestOptions {
    package init(
        base: BaseURL? = nil, variables: @escaping @Sendable (String) -> String? = { _ in nil },
        missingCredential: Credential.MissingPolicy = .fail, headers: [HTTPField] = [], withheldHeaders: [String] = [],
        query: [QueryItem] = [], fallbackHeaders: [HTTPField] = [], boundary: String? = nil
    ) {
        self.init()
        self.base = base
        self.variables = variables
        self.missingCredential = missingCredential
        self.headers = headers
        self.withheldHeaders = withheldHeaders
        self.query = query
        self.fallbackHeaders = fallbackHeaders
        self.boundary = boundary
    }
}

extension TransferOptions {
    package init(
        maxTime: Duration? = nil, connectTimeout: Duration? = nil, idleTimeout: Duration? = nil,
        connection: ConnectionOptions = ConnectionOptions(), onEvent: (@Sendable (TransferEvent) -> Void)? = nil
    ) {
        self.init()
        self.maxTime = maxTime
        self.connectTimeout = connectTimeout
        self.idleTimeout = idleTimeout
        self.connection = connection
        self.onEvent = onEvent
    }
}

extension ConnectionOptions {
    package init(
        verifiesCertificate: Bool = true, certificateAuthorities: String? = nil, clientCertificate: String? = nil,
        clientKey: String? = nil, keyPassphrase: Secret? = nil, proxy: String? = nil, unixSocket: String? = nil,
        resolve: [String] = [], httpVersion: HTTPVersion? = nil
    ) {
        self.init()
        self.verifiesCertificate = verifiesCertificate
        self.certificateAuthorities = certificateAuthorities
        self.clientCertificate = clientCertificate
        self.clientKey = clientKey
        self.keyPassphrase = keyPassphrase
        self.proxy = proxy
        self.unixSocket = unixSocket
        self.resolve = resolve
        self.httpVersion = httpVersion
    }
}

extension Client {
    package init(
        transport: any Transport, transfer: TransferOptions = TransferOptions(), maxRedirects: Int = 10,
        retry: RetryPolicy
    ) {
        self.init(transport: transport)
        self.transfer = transfer
        self.maxRedirects = maxRedirects
        self.retry = retry
    }
}

extension RetryPolicy {
    package init(
        count: Int, delay: Duration? = nil, includesUnsafe: Bool = false, onRetry: @escaping @Sendable (Retry) -> Void
    ) {
        self.init(count: count, delay: delay, includesUnsafe: includesUnsafe, maxWait: nil)
        self.onRetry = onRetry
    }
}
