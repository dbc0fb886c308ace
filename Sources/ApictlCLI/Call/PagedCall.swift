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

    private var plan: CallPlan { exchange.plan }
    private var options: CallOptions { plan.options }
    private var maxPages: Int { options.pages.maxPages ?? (options.pages.maxItems == nil ? Self.defaultPages : .max) }

    /// What has been printed so far.
    private struct Progress {
        var printer: ResultPrinter
        /// How many pages.
        var pages = 0
        /// How many items may follow. It is negative after a page with more items than may be printed.
        var itemsLeft: Int
        /// Whether the end of the document has been printed.
        var isEnded = false

        /// Ends the document, if it is not ended already, so that what was printed is complete.
        mutating func end() {
            if !isEnded { isEnded = (try? printer.finish()) != nil }
        }

        /// Whether the last page was cut, because it had more items than may be printed.
        var isPageCut: Bool { itemsLeft < 0 }

        /// Prints the items of a page, as many as may be printed.
        mutating func add(_ items: JSONValue, check: @escaping () throws -> Void) throws {
            try printer.add(items.document(first: itemsLeft), check: check)
            pages += 1
            itemsLeft -= items.elements?.count ?? 0
        }
    }

    /// Prints the items of the pages. If a page fails after others, those stay as a complete document.
    ///
    /// - Throws: What sending and printing throw, perhaps in an ``AnnotatedError``.
    func run() async throws -> ExitCode {
        var walk = PageWalk(paging, from: plan.request)
        var progress = Progress(printer: try printer(), itemsLeft: options.pages.maxItems ?? .max)
        do {
            while progress.itemsLeft > 0, progress.pages < maxPages {
                guard let items = try await nextItems(&walk, &progress) else { break }
                try progress.add(items, check: exchange.limit.check())
                agent?(progress.pages)
            }
            let code = try progress.printer.finish()
            let hasMorePages = walk.pending != nil
            if hasMorePages || progress.isPageCut {
                try note(progress.pages, walk, isWithinPage: progress.isPageCut)
            }
            return code
        } catch  where progress.pages > 0 {
            progress.end()
            throw AnnotatedError(error, hint: hint(after: progress.pages, walk, error))
        }
    }

    /// Requests the next page.
    ///
    /// - Returns: Its items, or nil if there are no more pages.
    private func nextItems(_ walk: inout PageWalk, _ progress: inout Progress) async throws -> JSONValue? {
        let items = try await walk.next { request in
            try await exchange.run(request) { response in
                // What came before is ended before anything is said about a page that failed.
                if !response.head.isSuccess, progress.pages > 0 { progress.end() }
                return try await page(response)
            }
        }
        // Every page of a sample is the same.
        if options.purpose == .sample { walk.end() }
        return items
    }

    private func page(_ streamed: StreamedResponse) async throws -> PageWalk.Page {
        let printer = exchange.printer()
        if !streamed.head.isSuccess { throw try await printer.failures.failure(of: streamed) }
        let body = try await streamed.limited(to: options.transfer.maxBytes ?? Client.defaultMaxBodySize).wholeBody()
        return try printer.reader.page(Response(head: streamed.head, body: body))
    }

    /// The printer of the items: in the view that was asked for, or else as one JSON array.
    private func printer() throws -> ResultPrinter {
        if let view = plan.view { return printer(of: view, isIndented: false) }
        var all = SelectionOptions()
        all.selects = [SourcedText("$[*]", .preset)]
        all.array = true
        return printer(of: try ResultView(all), isIndented: true)
    }

    private func printer(of view: ResultView, isIndented: Bool) -> ResultPrinter {
        let style: JSONStyle? = isIndented ? .pretty(indent: .spaces(2)) : nil
        return view.printer(
            exchange.environment, options.common, isQuiet: options.output.quiet,
            style: options.output.compact ? .compact : style)
    }

    // MARK: Going on

    /// The hint after a page that failed: how many pages were printed, and how to go on.
    private func hint(after pages: Int, _ walk: PageWalk, _ error: any Error) -> Hint {
        let printed = pages == 1 ? "1 page was printed." : "\(pages) pages were printed."
        // After a page that is wrong itself, the same request again would only lead to the same pages.
        let continuation = error is PagingError ? "" : continuation(walk)
        return .fact(continuation.isEmpty ? printed : "\(printed) To go on: \(continuation)")
    }

    /// Notes that there are more pages. If a limit was asked for, only a terminal shows it.
    private func note(_ pages: Int, _ walk: PageWalk, isWithinPage: Bool) throws {
        let isEmpty = walk.emptyPages == PageWalk.maxEmptyPages
        let isChosen = options.pages.maxPages != nil || options.pages.maxItems != nil
        guard let notes = exchange.notes, isEmpty || !isChosen || notes.isTerminal else { return }
        var text = "note: stopped after \(pages.counted("page"))"
        if isEmpty { text += ", the last \(walk.emptyPages) without items" }
        let continuation = isWithinPage ? "" : continuation(walk)
        if !continuation.isEmpty {
            text += "; to go on: \(continuation)"
            if !isEmpty, !isChosen, agent == nil { text += ", or more with --max-pages N" }
        }
        try notes.write(text.safeToShow + "\n")
    }

    /// The options, or for an agent the arguments of the tool, that continue after the pages which were printed: `--page 26`,
    /// `page: 26`.
    private func continuation(_ walk: PageWalk) -> String {
        let labelled = plan.declaration.signature.parameters.filter { $0.position == nil }
        let flags = Set(labelled.map { KebabCase.text($0.name) })
        let words = walk.next.compactMap { name, value -> String? in
            let flag = KebabCase.text(name)
            let shown = exchange.redactor.redact(value)
            if agent != nil {
                // A tool takes only what the endpoint declares.
                return flags.contains(flag) ? "\(flag.replacing("-", with: "_")): \(shown)" : nil
            }
            if flags.contains(flag) { return "--\(flag) \(ShellText.quoted(shown))" }
            return "--query \(ShellText.quoted("\(name)=\(shown)"))"
        }
        return words.joined(separator: " ")
    }
}
