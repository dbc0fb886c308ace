/// The options of curl, to version 8.16.
enum CurlOptions {
    /// The way in which an import treats an option, by its mark in the table.
    enum Effect: Character {
        /// The option says how to connect. `call` has an option of the same name.
        case connection = "!"
        /// The option is about output and messages, which are no part of an endpoint.
        case output = "~"
        /// The option chooses a scheme of authentication that credentials don't have.
        case scheme = "?"
        /// The option names a file with further options, which is not read.
        case refused = "^"
    }

    private static let rows = table.split(whereSeparator: \.isWhitespace).map { text in
        let effect = text.first.flatMap(Effect.init)
        let parts = text.dropFirst(effect == nil ? 0 : 1).split { "=/".contains($0) }
        let letter = parts.dropFirst().first?.unicodeScalars.first
        return (name: String(parts[0]), letter: letter, takesValue: text.contains("="), effect: effect)
    }
    /// By their long names.
    static let all = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0) })
    /// The long names by the letters of short options.
    private static let letters = Dictionary(
        uniqueKeysWithValues: rows.compactMap { row in row.letter.map { ($0, row.name) } })
    /// Each after the mark of its effect, with `=` if it takes a value, so that no value is ever taken for the URL, and its letter after that or
    /// after `/`.
    private static let table = """
        abstract-unix-socket= alpn alt-svc= ?anyauth append/a ?aws-sigv4= ~basic ~buffer/N ca-native !cacert= capath=
        !cert=E cert-status cert-type= ciphers= ~clobber ~compressed compressed-ssh ^config=K !connect-timeout=
        connect-to= continue-at=C cookie=b cookie-jar=c ~create-dirs ~create-file-mode= crlf crlfile= curves= data=d
        data-ascii= data-binary= data-raw= data-urlencode= delegation= ?digest ~disable/q disable-eprt disable-epsv
        disallow-username-in-url dns-interface= dns-ipv4-addr= dns-ipv6-addr= dns-servers= doh-cert-status doh-insecure
        doh-url= dump-ca-embed ~dump-header=D ech= egd-file= engine= eprt epsv etag-compare= etag-save=
        expect100-timeout= ~fail/f ~fail-early ~fail-with-body false-start ~follow form=F form-escape form-string=
        ftp-account= ftp-alternative-to-user= ftp-create-dirs ftp-method= ftp-pasv ftp-port=P ftp-pret ftp-skip-pasv-ip
        ftp-ssl ftp-ssl-ccc ftp-ssl-ccc-mode= ftp-ssl-control ftp-ssl-reqd get/G globoff/g happy-eyeballs-timeout-ms=
        haproxy-clientip= haproxy-protocol head/I header=H help/h hostpubmd5= hostpubsha256= hsts= http0.9 http1.0/0
        !http1.1 !http2 http2-prior-knowledge http3 http3-only ignore-content-length ~include/i !insecure/k interface=
        ip-tos= ipfs-gateway= ipv4/4 ipv6/6 json= junk-session-cookies/j keepalive keepalive-cnt= keepalive-time= !key=
        key-type= krb= libcurl= limit-rate= list-only/l local-port= ~location/L location-trusted login-options=
        mail-auth= mail-from= mail-rcpt= mail-rcpt-allowfails manual/M max-filesize= max-redirs= !max-time=m metalink
        mptcp ?negotiate !netrc/n netrc-file= netrc-optional next/: noproxy= npn ?ntlm ?ntlm-wb oauth2-bearer= out-null
        ~output=o ~output-dir= ~parallel/Z ~parallel-immediate ~parallel-max= parallel-max-host= pass= path-as-is
        pinnedpubkey= post301 post302 post303 preproxy= ~progress-bar/# ~progress-meter proto= proto-default=
        proto-redir= !proxy=x proxy-anyauth proxy-basic proxy-ca-native proxy-cacert= proxy-capath= proxy-cert=
        proxy-cert-type= proxy-ciphers= proxy-crlfile= proxy-digest proxy-header= proxy-http2 proxy-insecure proxy-key=
        proxy-key-type= proxy-negotiate proxy-ntlm proxy-pass= proxy-pinnedpubkey= proxy-service-name=
        proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tls13-ciphers= proxy-tlsauthtype= proxy-tlspassword=
        proxy-tlsuser= proxy-tlsv1 proxy-user=U proxy1.0= proxytunnel/p pubkey= quote=Q random-file= range=r rate= ~raw
        referer=e ~remote-header-name/J ~remote-name/O ~remote-name-all ~remote-time/R ~remove-on-error request=X
        request-target= !resolve= !retry= retry-all-errors retry-connrefused retry-delay= retry-max-time= sasl-authzid=
        sasl-ir service-name= sessionid ~show-error/S ~show-headers sigalgs= ~silent/s skip-existing socks4= socks4a=
        socks5= socks5-basic socks5-gssapi socks5-gssapi-nec socks5-gssapi-service= socks5-hostname= speed-limit=Y
        speed-time=y ssl ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort sslv2/2
        sslv3/3 ~stderr= ~styled-output ~suppress-connect-headers tcp-fastopen tcp-nodelay telnet-option=t tftp-blksize=
        tftp-no-options time-cond=z tls-earlydata tls-max= tls13-ciphers= tlsauthtype= tlspassword= tlsuser= tlsv1/1
        tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding ~trace= ~trace-ascii= trace-config= trace-ids ~trace-time
        !unix-socket= upload-file=T upload-flags= url= url-query= use-ascii/B user=u user-agent=A ^variable=
        ~verbose/v version/V vlan-priority= ~write-out=w xattr
        """

    /// An option with its value. A word that is no option is the value of the option `url`.
    struct Item {
        let name: String
        var value = ""
        /// The option as it was written, such as `-H`.
        var shown = ""

        /// The effect of the option; nil for one that is noted. Of an option such as `--no-buffer`, which takes another one
        /// back, only that of output counts.
        var effect: Effect? {
            guard name.hasPrefix("no-") else { return all[name]?.effect }
            return all[String(name.dropFirst(3))]?.effect == .output ? .output : nil
        }
    }

    /// Returns the options and URLs in the words after `curl`, as curl reads them.
    ///
    /// - Throws: ``ImportError`` for a word that is not an option of curl, and for an option without its value.
    static func items(_ words: some Collection<String>) throws(ImportError) -> [Item] {
        var items: [Item] = []
        var rest = Array(words)[...]
        while let word = rest.popFirst(), word != "--" {
            try checkDash(word)
            var letters = word.unicodeScalars.dropFirst()
            if word.unicodeScalars.first != "-" || letters.isEmpty { items.append(Item(name: "url", value: word)) }
            guard word.unicodeScalars.first == "-" else { continue }
            while let letter = letters.popFirst() {
                var item: Item
                if letter == "-" {
                    item = Item(name: try long(String(letters)), shown: word)
                    letters.removeAll()
                } else {
                    guard let name = self.letters[letter] else { throw ImportError("curl has no option '-\(letter)'") }
                    item = Item(name: name, shown: "-\(letter)")
                }
                if all[item.name]?.takesValue == true {
                    guard let value = letters.isEmpty ? rest.popFirst() : String(letters) else {
                        throw ImportError("curl's \(item.shown) needs a value")
                    }
                    item.value = value
                    letters.removeAll()
                }
                items.append(item)
            }
        }
        return items + rest.map { Item(name: "url", value: $0) }
    }

    /// Checks that an option begins with `-`, not with the dash that a text program made of it, such as U+2013.
    private static func checkDash(_ word: String) throws(ImportError) {
        guard let first = word.unicodeScalars.first, first != "-", first.properties.isDash else { return }
        let code = String(first.value, radix: 16, uppercase: true)
        throw ImportError("an option begins with '\(first)' (U+\(code)), not with '-'")
    }

    /// Returns the name of a long option: `data` for `--data`.
    private static func long(_ name: String) throws(ImportError) -> String {
        if all[name] != nil || name.hasPrefix("no-") && all[String(name.dropFirst(3))]?.takesValue == false {
            return name
        }
        // The value of `--expand-url` and the like has variables of curl's own, which `--variable` sets.
        if name.hasPrefix("expand-") { return "variable" }
        let start = name.prefix { $0 != "=" }
        guard start != name, all[String(start)] != nil else { throw ImportError("curl has no option '--\(name)'") }
        throw ImportError("curl has no '--\(start)=…'; the value is the next word: --\(start) VALUE")
    }
}
