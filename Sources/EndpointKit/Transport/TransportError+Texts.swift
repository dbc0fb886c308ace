extension TransportError {
    /// The error with every text passed through `transform`, which takes secrets out.
    func mappingTexts(_ transform: (String) -> String) -> TransportError {
        var result = self
        result.detail = transform(detail)
        result.server?.host = transform(server?.host ?? "")
        result.server?.unixSocket = server?.unixSocket.map(transform)
        result.proxy?.host = transform(proxy?.host ?? "")
        switch cause {
        case .credentialFile(let file, let path?): result.cause = .credentialFile(file, path: transform(path))
        case .unreadableBody(let path): result.cause = .unreadableBody(path: transform(path))
        case .tooManyRedirects(let limit, let chain):
            result.cause = .tooManyRedirects(limit: limit, chain: chain.map(transform))
        case .unsafeRedirect(let problem, let from):
            result.cause = .unsafeRedirect(problem.mappingTexts(transform), from: transform(from))
        default: break
        }
        return result
    }
}

extension TransportError.RedirectProblem {
    fileprivate func mappingTexts(_ transform: (String) -> String) -> Self {
        switch self {
        case .credentialsInPlainText(let target): .credentialsInPlainText(to: transform(target))
        case .leaksCredential(let target): .leaksCredential(to: transform(target))
        case .invalidURL: self
        case .unsupportedScheme(let scheme): .unsupportedScheme(transform(scheme))
        }
    }
}
