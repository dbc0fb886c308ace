/// The options of curl, to version 8.16: which of them take a value, so that no value is ever taken for the URL.
enum CurlOptions {
    static let withValue = names(
        """
        abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to
        continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii data-binary data-raw
        data-urlencode delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header ech egd-file
        engine etag-compare etag-save expect100-timeout form form-string ftp-account ftp-alternative-to-user ftp-method
        ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header hostpubmd5 hostpubsha256 hsts
        interface ip-tos ipfs-gateway json keepalive-cnt keepalive-time key key-type krb libcurl limit-rate local-port
        login-options mail-auth mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer
        output output-dir parallel-max parallel-max-host pass pinnedpubkey preproxy proto proto-default proto-redir
        proxy proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key
        proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype
        proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file range rate referer request
        request-target resolve retry retry-delay retry-max-time sasl-authzid service-name sigalgs socks4 socks4a socks5
        socks5-gssapi-service socks5-hostname speed-limit speed-time stderr telnet-option tftp-blksize time-cond tls-max
        tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii trace-config unix-socket upload-file
        upload-flags url url-query user user-agent variable vlan-priority write-out
        """)
    static let switches = names(
        """
        alpn anyauth append basic buffer ca-native cert-status clobber compressed compressed-ssh create-dirs crlf digest
        disable disable-eprt disable-epsv disallow-username-in-url doh-cert-status doh-insecure dump-ca-embed eprt epsv
        fail fail-early fail-with-body false-start follow form-escape ftp-create-dirs ftp-pasv ftp-pret ftp-skip-pasv-ip
        ftp-ssl ftp-ssl-ccc ftp-ssl-control ftp-ssl-reqd get globoff haproxy-protocol head help http0.9 http1.0 http1.1
        http2 http2-prior-knowledge http3 http3-only ignore-content-length include insecure ipv4 ipv6
        junk-session-cookies keepalive list-only location location-trusted mail-rcpt-allowfails manual metalink mptcp
        negotiate netrc netrc-optional next npn ntlm ntlm-wb out-null parallel parallel-immediate path-as-is post301
        post302 post303 progress-bar progress-meter proxy-anyauth proxy-basic proxy-ca-native proxy-digest proxy-http2
        proxy-insecure proxy-negotiate proxy-ntlm proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tlsv1
        proxytunnel raw remote-header-name remote-name remote-name-all remote-time remove-on-error retry-all-errors
        retry-connrefused sasl-ir sessionid show-error show-headers silent skip-existing socks5-basic socks5-gssapi
        socks5-gssapi-nec ssl ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort sslv2
        sslv3 styled-output suppress-connect-headers tcp-fastopen tcp-nodelay tftp-no-options tls-earlydata tlsv1
        tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace-ids trace-time use-ascii verbose version xattr
        """)
    /// The letters of short options with their long ones.
    static let letters = Dictionary(
        uniqueKeysWithValues: names(
            """
            a:append E:cert K:config C:continue-at b:cookie c:cookie-jar d:data q:disable D:dump-header f:fail F:form
            P:ftp-port G:get g:globoff I:head H:header h:help 0:http1.0 i:include k:insecure 4:ipv4 6:ipv6
            j:junk-session-cookies l:list-only L:location M:manual m:max-time n:netrc ::next N:no-buffer o:output
            Z:parallel #:progress-bar x:proxy U:proxy-user p:proxytunnel Q:quote r:range e:referer J:remote-header-name
            O:remote-name R:remote-time X:request S:show-error s:silent Y:speed-limit y:speed-time 2:sslv2 3:sslv3
            t:telnet-option z:time-cond 1:tlsv1 T:upload-file B:use-ascii u:user A:user-agent v:verbose V:version
            w:write-out
            """
        ).compactMap { pair in pair.unicodeScalars.first.map { ($0, String(pair.dropFirst(2))) } })
    /// What is about output and messages alone, which an endpoint has no part of.
    static let ofOutput = names(
        """
        compressed create-dirs create-file-mode disable dump-header fail fail-early fail-with-body include location
        buffer clobber output output-dir parallel parallel-immediate parallel-max progress-bar progress-meter raw
        remote-header-name remote-name remote-name-all remote-time remove-on-error show-error show-headers silent stderr
        styled-output suppress-connect-headers trace trace-ascii trace-time verbose write-out follow basic http1.1 http2
        """)

    /// An option with its value, or another word as the option `url`.
    struct Item: Equatable {
        let name: String
        var value = ""
        /// As it was written.
        var shown = ""
    }

    private static func names(_ text: String) -> Set<String> {
        Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }

    /// The words after `curl` as curl reads them. Throws ``ImportError`` for what is not an option of curl.
    static func items(_ words: some Collection<String>) throws(ImportError) -> [Item] {
        var items: [Item] = []
        var rest = Array(words)[...]
        func value(_ shown: String) throws(ImportError) -> String {
            guard let value = rest.popFirst() else { throw ImportError("curl's \(shown) needs a value") }
            return value
        }
        while let word = rest.popFirst() {
            if word == "--" {
                items += rest.map { Item(name: "url", value: $0) }
                break
            }
            if word.hasPrefix("--") {
                let name = try long(String(word.dropFirst(2)))
                items.append(Item(name: name, value: withValue.contains(name) ? try value(word) : "", shown: word))
                continue
            }
            guard word.unicodeScalars.first == "-", word != "-" else {
                items.append(Item(name: "url", value: word))
                continue
            }
            var open = word.unicodeScalars.dropFirst()
            while let letter = open.popFirst() {
                guard let name = letters[letter] else { throw ImportError("curl has no option '-\(letter)'") }
                guard withValue.contains(name) else {
                    items.append(Item(name: name, shown: "-\(letter)"))
                    continue
                }
                let attached = String(open)
                items.append(
                    Item(name: name, value: attached.isEmpty ? try value("-\(letter)") : attached, shown: "-\(letter)"))
                break
            }
        }
        return items
    }

    /// The whole name of a long option, of which older versions of curl take a beginning too.
    private static func long(_ name: String) throws(ImportError) -> String {
        if withValue.contains(name) || switches.contains(name) { return name }
        if name.hasPrefix("no-"), switches.contains(String(name.dropFirst(3))) { return name }
        if name.hasPrefix("expand-") {
            throw ImportError("--\(name) and --variable are not read; write the value itself")
        }
        if let equals = name.firstIndex(of: "="), case let option = name[..<equals], withValue.contains(String(option))
        {
            throw ImportError("curl has no '--\(option)=…'; the value is the next word: --\(option) VALUE")
        }
        let matches = name.isEmpty ? [] : withValue.union(switches).filter { $0.hasPrefix(name) }
        if let match = matches.first, matches.count == 1 { return match }
        throw ImportError("curl has no option '--\(name)'" + (matches.count > 1 ? " alone: it begins several" : ""))
    }
}
