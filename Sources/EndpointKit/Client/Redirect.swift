#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Request {
    /// The request that `head` redirects this one to; nil if it is not a redirect (RFC 9110, section 15.4).
    ///
    /// 301 and 302 turn a POST, 303 all but HEAD, into a GET without a body, as every browser does; 307 and 308 keep both. Secrets
    /// are not sent to another origin. Throws ``TransportError`` for a redirect that must not be followed.
    func redirected(by head: ResponseHead) throws(TransportError) -> Request? {
        guard [301, 302, 303, 307, 308].contains(head.status), let location = head["Location"] else { return nil }
        let target = try resolve(location)
        var next = self
        next.base = target.base
        next.path = target.path
        next.query = []
        let redactor = Redactor(self)
        next.formerSecrets += query.flatMap(\.value.secrets)
        next.verbatimQuery = target.query.map { VerbatimQuery(sent: $0, shown: redactor.redact($0)) }
        let becomesGet = head.status == 303 ? method != .head : head.status < 303 && method == .post
        if becomesGet {
            next.method = .get
            next.body = nil
            // Headers that describe the body are removed with it (RFC 9110, section 15.4).
            next.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
        }
        if target.base.origin != base.origin {
            if !secrets.isEmpty, base.scheme == "https", target.base.scheme == "http" {
                throw unsafe(.credentialsInPlainText(to: target.base.text))
            }
            if repeatsSecret(target.query ?? "") {
                throw unsafe(.leaksCredential(to: target.base.text))
            }
            next.headers.removeAll { header in
                header.value.holdsSecrets || Header.isConfidential(header.name) || header.isNamed("Host")
            }
        }
        return next
    }

    private func unsafe(_ problem: TransportError.RedirectProblem) -> TransportError {
        TransportError(.unsafeRedirect(problem, from: base.text), server: TransportError.Peer(base))
    }

    /// Whether an item of the server's query has a secret of this request as its value.
    private func repeatsSecret(_ query: String) -> Bool {
        let values = query.utf8.split(separator: UInt8(ascii: "&")).map { item in
            let value = item.drop { $0 != UInt8(ascii: "=") }.dropFirst()
            return PercentEncoding.decode(String(Substring(value)).replacingBytes(of: "+", with: "%20"))
        }
        return (secrets + formerSecrets).contains { secret in secret.reveal().map(values.contains) == true }
    }

    private func resolve(_ location: String) throws(TransportError) -> (base: BaseURL, path: String, query: String?) {
        let cleaned = LocationText.reference(location)
        guard let own = try? URL(string: revealedURL()), let url = URL(string: cleaned, relativeTo: own)?.absoluteURL,
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let scheme = parts.scheme?.lowercased(),
            BaseURL.hasUsablePort(url.absoluteString)
        else { throw unsafe(.invalidURL) }
        guard scheme == "http" || scheme == "https" else {
            throw unsafe(.unsupportedScheme(scheme))
        }
        let port = parts.port.map { ":\($0)" } ?? ""
        do {
            let target = try BaseURL("\(scheme)://\(parts.encodedHost ?? "")\(port)")
            return (
                target, parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath, parts.percentEncodedQuery
            )
        } catch {
            throw unsafe(.invalidURL)
        }
    }
}
