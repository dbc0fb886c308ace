import EndpointKit
import JSONText

/// Follows the pages of a call and prints their items as one list.
struct PagedCall {
    /// The most pages that are followed unless the command line says otherwise.
    static let defaultPages = 25

    private let exchange: Exchange
    private let paging: Paging
    /// Told the number of pages after each one that was printed; nil for a call of the command line.
    private let agent: (@Sendable (Int) -> Void)?

    init(_ exchange: Exchange, _ paging: Paging, agent: (@Sendable (Int) -> Void)?) {
        self.exchange = exchange
        self.paging = paging
        self.agent = agent
    }

    private var options: CallOptions { exchange.plan.options }
    private var environment: ProcessEnvironment { exchange.context.environment }
    private var maxPages: Int { options.pages.maxPages ?? (options.pages.maxItems == nil ? Self.defaultPages : .max) }

    /// Throws what an exchange throws; a page that fails after others leaves those as a complete document.
    func run() async throws -> ExitCode {
        var walk = PageWalk(paging, from: exchange.plan.request)
        var printer = try printer()
        var itemsLeft = options.pages.maxItems ?? .max
        var (printed, isEnded) = (0, false)
        do {
            while itemsLeft > 0, printed < maxPages,
                let list = try await walk.next({ request in
                    try await exchange.run(request) { response in
                        // What came before stays, as a complete document, before anything is said of a page that failed.
                        if !response.head.isSuccess, printed > 0 { isEnded = (try? printer.finish()) != nil }
                        return try await page(response)
                    }
                })
            {
                // Every page of a sample is the same.
                if options.purpose == .sample { walk.end() }
                try printer.add(list.document(first: itemsLeft), check: exchange.limit.check())
                printed += 1
                agent?(printed)
                itemsLeft -= list.elements?.count ?? 0
            }
            let code = try printer.finish()
            if walk.pending != nil || itemsLeft < 0 { try note(printed, walk, isWithinPage: itemsLeft < 0) }
            return code
        } catch {
            guard printed > 0 else { throw error }
            if !isEnded { _ = try? printer.finish() }
            let pages = printed == 1 ? "1 page was printed." : "\(printed) pages were printed."
            // After a page that is wrong itself, the same request again would only lead to the same pages.
            let advice = error is PagingError ? "" : advice(walk)
            let hint = Hint.fact(pages + (advice.isEmpty ? "" : " To go on: \(advice)"))
            throw AnnotatedError(error, hint: hint)
        }
    }

    /// What prints the items: the view that was asked for, or else one JSON array.
    private func printer() throws -> ResultPrinter {
        var whole = SelectionOptions()
        whole.selects = [SourcedText("$[*]", .preset)]
        whole.array = true
        let isWhole = exchange.plan.view == nil
        let view = try exchange.plan.view ?? ResultView(whole)
        return view.printer(
            environment, options.common, isQuiet: options.output.quiet,
            style: options.output.compact ? .compact : isWhole ? .pretty(indent: .spaces(2)) : nil)
    }

    private func page(_ streamed: StreamedResponse) async throws -> PageWalk.Page {
        let printer = exchange.printer()
        if !streamed.head.isSuccess { throw try await printer.failures.failure(of: streamed) }
        let body = try await streamed.limited(to: options.transfer.maxBytes ?? Client.defaultMaxBodySize).wholeBody()
        return try printer.page(Response(head: streamed.head, body: body))
    }

    /// Says that there is more, except that a limit that was asked for is only noted on a terminal.
    private func note(_ pages: Int, _ walk: PageWalk, isWithinPage: Bool) throws {
        let isEmpty = walk.emptyPages == PageWalk.maxEmptyPages
        let isChosen = options.pages.maxPages != nil || options.pages.maxItems != nil
        guard let notes = exchange.notes, isEmpty || !isChosen || notes.isTerminal else { return }
        let reason = isEmpty ? ", the last \(walk.emptyPages) without items" : ""
        let more = isEmpty || isChosen || agent != nil ? "" : ", or more with --max-pages N"
        let advice = isWithinPage ? "" : advice(walk)
        let further = advice.isEmpty ? "" : "; to go on: \(advice)\(more)"
        try notes.write("note: stopped after \(pages.counted("page"))\(reason)\(further)".safeToShow + "\n")
    }

    /// The options, or a tool's arguments, that continue after the pages that were printed.
    private func advice(_ walk: PageWalk) -> String {
        let parameters = exchange.plan.declaration.signature.parameters.filter { $0.position == nil }.map {
            KebabCase.text($0.name)
        }
        return walk.next.compactMap { name, value in
            let (flag, value) = (KebabCase.text(name), exchange.redactor.redact(value))
            if agent != nil { return parameters.contains(flag) ? "\(flag.replacing("-", with: "_")): \(value)" : nil }
            return parameters.contains(flag)
                ? "--\(flag) \(ShellText.quoted(value))" : "--query \(ShellText.quoted("\(name)=\(value)"))"
        }.joined(separator: " ")
    }
}
