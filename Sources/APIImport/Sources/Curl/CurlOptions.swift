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

    /// An option in the table.
    struct Definition {
        /// The long name without dashes.
        let name: String
        /// The letter of the short option; nil if there is none.
        let letter: Unicode.Scalar?
        let takesValue: Bool
        /// The way in which an import treats the option; nil if the import reads it, or notes that it can't.
        let effect: Effect?

        /// Reads an entry of the table, such as `~output=o`.
        fileprivate init(_ entry: Substring) {
            effect = entry.first.flatMap(Effect.init)
            let parts = entry.dropFirst(effect == nil ? 0 : 1).split { "=/".contains($0) }
            name = String(parts[0])
            letter = parts.dropFirst().first?.unicodeScalars.first
            takesValue = entry.contains("=")
        }
    }

    private static let definitions = table.split(whereSeparator: \.isWhitespace).map(Definition.init)
    /// The options by their long names.
    static let all = Dictionary(uniqueKeysWithValues: definitions.map { ($0.name, $0) })
    /// The long names by the letters of short options.
    private static let namesByLetter = Dictionary(
        uniqueKeysWithValues: definitions.compactMap { option in option.letter.map { ($0, option.name) } })

    /// Returns whether an option takes a value; nil if curl has no such option.
    ///
    /// - Parameter name: The long name without dashes.
    static func takesValue(_ name: String) -> Bool? { all[name]?.takesValue }

    /// The entries of all options, each of which has these parts:
    ///
    /// 1. the mark of its ``Effect``, if it has one
    /// 2. its long name
    /// 3. `=` if it takes a value, so that no value is ever taken for the URL
    /// 4. the letter of its short option, after `=` or `/`
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
    struct GivenOption {
        /// The long name without dashes.
        let name: String
        var value = ""
        /// The option as the command has it, such as `-H`.
        var text = ""

        /// The way in which an import treats the option; nil if the import reads it, or notes that it can't.
        ///
        /// An option such as `--no-buffer` reverses another one. It is an option of output if that one is, and
        /// otherwise it has no effect of its own.
        var effect: Effect? {
            guard name.hasPrefix("no-") else { return all[name]?.effect }
            let reversedEffect = all[String(name.dropFirst("no-".count))]?.effect
            return reversedEffect == .output ? .output : nil
        }
    }

    /// Returns the options and URLs in the words after `curl`, as curl reads them.
    ///
    /// `-sd a=1 https://example.com` → `silent`, `data` with `a=1`, `url` with `https://example.com`
    ///
    /// - Throws: ``ImportError`` for a word that is not an option of curl, and for an option without its value.
    static func parse(_ words: some Collection<String>) throws(ImportError) -> [GivenOption] {
        var options: [GivenOption] = []
        var remainingWords = Array(words)[...]
        while let word = remainingWords.popFirst(), word != "--" {
            try checkDash(word)
            let isURL = word.unicodeScalars.first != "-" || word == "-"
            let isLongOption = word.unicodeScalars.starts(with: "--".unicodeScalars)
            if isURL {
                options.append(GivenOption(name: "url", value: word))
            } else if isLongOption {
                let name = try longName(String(word.unicodeScalars.dropFirst(2)))
                var option = GivenOption(name: name, text: word)
                if takesValue(name) == true { option.value = try takeValue(of: option, from: &remainingWords) }
                options.append(option)
            } else {
                try parseShortOptions(word, remainingWords: &remainingWords, into: &options)
            }
        }
        // All words after `--` are URLs.
        return options + remainingWords.map { GivenOption(name: "url", value: $0) }
    }

    /// Adds the options of a word such as `-sXPOST`, which is `-s -X POST`.
    ///
    /// - Parameters:
    ///   - word: The word, which begins with one dash.
    ///   - remainingWords: The words after it. The first of them is taken away if it is the value of the last option.
    ///   - options: The options so far.
    /// - Throws: ``ImportError`` for a letter that is not an option of curl, and for an option without its value.
    private static func parseShortOptions(
        _ word: String, remainingWords: inout ArraySlice<String>, into options: inout [GivenOption]
    ) throws(ImportError) {
        var letters = word.unicodeScalars.dropFirst()
        while let letter = letters.popFirst() {
            guard let name = namesByLetter[letter] else { throw ImportError("curl has no option '-\(letter)'") }
            var option = GivenOption(name: name, text: "-\(letter)")
            if takesValue(name) == true {
                // `-XPOST` has the value in the same word, `-X POST` in the next one.
                option.value = letters.isEmpty ? try takeValue(of: option, from: &remainingWords) : String(letters)
                letters.removeAll()
            }
            options.append(option)
        }
    }

    /// Takes the value of an option, which is the next word.
    ///
    /// - Throws: ``ImportError`` if there is no further word.
    private static func takeValue(
        of option: GivenOption, from remainingWords: inout ArraySlice<String>
    ) throws(ImportError) -> String {
        guard let value = remainingWords.popFirst() else { throw ImportError("curl's \(option.text) needs a value") }
        return value
    }

    /// Checks that a word does not begin with a dash such as `–` (U+2013), which text programs make of `-`.
    private static func checkDash(_ word: String) throws(ImportError) {
        guard let first = word.unicodeScalars.first, first != "-", first.properties.isDash else { return }
        let code = String(first.value, radix: 16, uppercase: true)
        throw ImportError("an option begins with '\(first)' (U+\(code)), not with '-'")
    }

    /// Returns the name of a long option in the table: `data` for `--data`.
    ///
    /// - Parameter text: The option without its dashes.
    /// - Returns: The name, such as `no-buffer` for an option that is reversed.
    /// - Throws: ``ImportError`` if curl has no such option, or if the value follows after `=` in the same word.
    private static func longName(_ text: String) throws(ImportError) -> String {
        if takesValue(text) != nil { return text }
        // Every option without a value can be reversed.
        let isReversed = text.hasPrefix("no-") && takesValue(String(text.dropFirst("no-".count))) == false
        if isReversed { return text }
        // The value of `--expand-url` has variables of curl's own. It is refused in the same way as `--variable`, which
        // sets them.
        if text.hasPrefix("expand-") { return "variable" }
        let nameBeforeSign = String(text.prefix { $0 != "=" })
        if nameBeforeSign != text, takesValue(nameBeforeSign) != nil {
            throw ImportError(
                "curl has no '--\(nameBeforeSign)=…'; the value is the next word: --\(nameBeforeSign) VALUE")
        }
        throw ImportError("curl has no option '--\(text)'")
    }
}
