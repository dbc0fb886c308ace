import EndpointKit

/// The options of `call` and `curl`, in the groups of their help page.
struct CallOptions: CommandOptions, Equatable {
    var common = CommonOptions()
    @Indirect var output = OutputOptions()
    var selection = SelectionOptions()
    var pages = PageOptions()
    var watch = WatchOptions()
    @Indirect var request = RequestChoices()
    @Indirect var data = DataChoices()
    var purpose = CallPurpose.send
    @Indirect var transfer = TransferChoices()
    @Indirect var connection = ConnectionChoices()

    /// The value of `--auth` with which no credential is sent: `none`.
    static let noCredential = "none"

    /// Whether `--auth none` is given, so that no credential is sent.
    var sendsNoCredential: Bool { request.auth?.text == Self.noCredential }

    /// Whether a successful response is decoded through a model. Otherwise its body is streamed: with `--raw`, with
    /// `--output`, and if the model does not describe JSON.
    func decodes(_ model: ResponseModel) -> Bool { model.kind == .json && !output.raw && output.file == nil }
}

/// The purpose of a call, which decides which inputs are read for it, and whether credentials may be missing.
enum CallPurpose: Sendable, Equatable {
    /// The request is sent: everything is needed.
    case send
    /// The request is shown: credentials may be missing.
    case dryRun
    /// The embedded sample responds: credentials may be missing, and parameters are taken from the example.
    case sample
    /// The request is printed as a curl command, which reads stdin and the netrc file itself. Credentials may be
    /// missing.
    case curl
}

extension CallOptions {
    /// Every option of `call` and `curl`. The groups that a first call needs come first.
    static let table = OptionTable<CallOptions>(command: [
        OptionGroup(title: "Without a server", options: offline),
        SelectionOptions.group(excluding: ["output"]).lifted(to: \.selection),
        OutputOptions.group.lifted(to: \.output),
        PageOptions.group.lifted(to: \.pages),
        WatchOptions.group.lifted(to: \.watch),
        RequestChoices.group.lifted(to: \.request),
        DataChoices.group.lifted(to: \.data),
        TransferChoices.group.lifted(to: \.transfer),
        ConnectionChoices.group.lifted(to: \.connection),
    ])

    /// The options with which nothing is sent.
    private static let offline: [Option<CallOptions>] = [
        Option(
            "dry-run", \.purpose, on: .dryRun, off: .send,
            "print the request, send nothing; works without credentials"
        ).excluding("sample"),
        Option(
            "sample", \.purpose, on: .sample, off: .send,
            "use the embedded sample instead of a server: no network, no key; missing parameters come from the example"
        ),
    ]

    /// Returns the options that say how requests are sent, for a command that sends several requests, such as `check`.
    ///
    /// - Parameters:
    ///   - path: The property of the command's options that holds the options of calls.
    ///   - servers: The command's own options that choose a server, for a command such as `diff`, which has two
    ///     servers. Nil takes `--server` and `--base-url` as `call` has them.
    static func sending<Outer>(
        _ path: WritableKeyPath<Outer, CallOptions> & Sendable, servers: [Option<Outer>]? = nil
    ) -> [OptionGroup<Outer>] {
        // An option of `RequestChoices` sets a property of this type. The lifted option sets it in the property
        // `request` of `CallOptions`, and after the second lift in the property of the command's options.
        func lifted(_ options: [Option<RequestChoices>]) -> [Option<Outer>] {
            options.map { $0.lifted(to: \.request).lifted(to: path) }
        }
        let serverOptions = servers ?? lifted(RequestChoices.servers)
        let requestOptions = serverOptions + lifted(RequestChoices.ofSeveral)
        return [
            OptionGroup(title: RequestChoices.title, options: requestOptions),
            TransferChoices.group.lifted(to: \.transfer).lifted(to: path),
            ConnectionChoices.group.lifted(to: \.connection).lifted(to: path),
        ]
    }

    /// The names of the options that a URL can't have, because only an endpoint declares what they need.
    static let ofEndpoints: Set = [
        "record", "server", "base-url", "auth", "sample", "body-type",
    ]

    /// The names of the options that only a URL can have, because an endpoint declares what they give.
    static let ofURLs = Set(DataChoices.names + ["request"])

    /// The words of options that may read stdin, of which only one word of a command line may. A word that does is a
    /// dash alone.
    var readers: [SourcedText] {
        var words = request.environmentFiles + data.pieces.map(\.word)
        // In `--form name=<-`, the dash is only a part of the word.
        words += data.form.filter(\.isFormFromStdin).map { $0.with("-") }
        if let body = request.body { words.append(body) }
        if let writeOut = output.writeOut, writeOut.filePath != nil { words.append(writeOut) }
        return words
    }
}
