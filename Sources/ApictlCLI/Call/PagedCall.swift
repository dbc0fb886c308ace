import EndpointKit
import JSONText

/// Follows the pages of a call and prints their items as one list.
struct PagedCall {
    /// The most pages that are followed if neither `--max-pages` nor `--max-items` is given.
    static let defaultPages = 25

    private let exchange: Exchange
    private let paging: Paging
    /// Gets the number of pages after each page that was printed; nil for a call of the command line.
    private let agent: (@Sendable (Int) -> Void)?

    /// Prepares to follow the pages of a call.
    ///
    /// - Parameters:
    ///   - exchange: The exchange that sends the requests.
    ///   - paging: How one page leads to the next.
    ///   - agent: Gets the number of pages after each page that was printed; nil for a call of the command line.
    init(_ exchange: Exchange, _ paging: Paging, agent: (@Sendable (Int) -> Void)?) {
        self.exchange = exchange
        self.paging = paging
        self.agent = agent
    }

    private var plan: CallPlan { exchange.plan }
    private var options: CallOptions { plan.options }
    /// The most pages that are followed. With `--max-items` alone, only the items are limited.
    private var maxPages: Int { options.pages.maxPages ?? (options.pages.maxItems == nil ? Self.defaultPages : .max) }

    /// The printed document so far, and how many more items it may get.
    private struct Progress {
        var printer: ResultPrinter
        /// The number of pages that have been printed.
        var pages = 0
        /// How many more items may be printed. It becomes negative if a page has more items than that, of which the
        /// last are left out.
        var itemsLeft: Int
        /// Whether the end of the document, such as the `]` of the array, has been printed.
        var isEnded = false

        /// Prints the end of the document, unless it has been printed. So what was printed is complete after an error
        /// too. An error of the output is ignored, because another error is on its way.
        mutating func end() {
            if !isEnded { isEnded = (try? printer.finish()) != nil }
        }

        /// Whether the last page was cut, because it had more items than may be printed.
        var isPageCut: Bool { itemsLeft < 0 }

        /// Prints the items of a page, but no more than may be printed.
        ///
        /// - Parameters:
        ///   - items: The list of the page's items.
        ///   - check: Throws when the time is over.
        mutating func add(_ items: JSONValue, check: @escaping () throws -> Void) throws {
            try printer.add(items.document(first: itemsLeft), check: check)
            pages += 1
            itemsLeft -= items.elements?.count ?? 0
        }
    }

    /// Requests the pages one after the other and prints their items as one document.
    ///
    /// If a page fails after others have been printed, the document is ended all the same, so that it is complete
    /// JSON.
    ///
    /// - Throws: The errors of sending and printing. After the first page, the error is an ``AnnotatedError`` that
    ///   says how to go on.
    func run() async throws -> ExitCode {
        var walk = PageWalk(
            paging, from: plan.request, followsOtherOrigins: options.pages.followsOtherOrigins)
        var progress = Progress(printer: try printer(), itemsLeft: options.pages.maxItems ?? .max)
        do {
            followPages: while progress.itemsLeft > 0, progress.pages < maxPages {
                switch try await nextItems(&walk, &progress) {
                case nil: break followPages
                case .events(let code): return code
                case .list(let items):
                    try progress.add(items, check: exchange.limit.check())
                    agent?(progress.pages)
                    exchange.context.activity?.addPage()
                }
            }
            let code = try progress.printer.finish()
            // The request of another page is pending if a limit ended the walk.
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

    /// The content of one response while the pages are followed.
    private enum Items {
        /// The items of a page, which are still to be printed.
        case list(JSONValue)
        /// Server-sent events, which have been printed, with the exit code of the call.
        case events(ExitCode)
    }

    /// Requests the next page and returns its items.
    ///
    /// - Returns: The items; nil if there are no more pages.
    private func nextItems(_ walk: inout PageWalk, _ progress: inout Progress) async throws -> Items? {
        var codeOfEvents: ExitCode?
        let items = try await walk.next { request in
            try await exchange.run(request) { response in
                if isStreamOfItems(response.head), progress.pages == 0 {
                    codeOfEvents = try await exchange.printer().print(response)
                    return nil
                }
                // The body of a failed page is shown on stderr. The document on stdout is ended before that.
                if !response.head.isSuccess, progress.pages > 0 { progress.end() }
                return try await page(response)
            }
        }
        // Every page of a sample is the same, so the first one is also the last.
        if options.purpose == .sample { walk.end() }
        if let codeOfEvents { return .events(codeOfEvents) }
        return items.map { .list($0) }
    }

    /// Whether a response is a stream of events, of which `--max-items` limits the number.
    private func isStreamOfItems(_ head: ResponseHead) -> Bool {
        options.pages.maxItems != nil && head.isSuccess && head.isEventStream
    }

    /// Reads the whole response with a page.
    ///
    /// - Throws: ``FailedStatus`` for another status than a success, and the errors of reading.
    private func page(_ streamed: StreamedResponse) async throws -> PageWalk.Page {
        let printer = exchange.printer()
        if !streamed.head.isSuccess { throw try await printer.failures.failure(of: streamed) }
        let body = try await streamed.limited(to: options.transfer.maxBytes ?? Client.defaultMaxBodySize).wholeBody()
        return try printer.reader.page(Response(head: streamed.head, body: body))
    }

    /// Returns the printer of all items: in the view that was asked for, or else as one JSON array.
    private func printer() throws -> ResultPrinter {
        if let view = plan.view { return printer(of: view, isIndented: false) }
        var all = SelectionOptions()
        // Each page is a list. The path takes its elements, and `array` puts those of all pages into one array.
        all.selects = [SourcedText("$[*]", .preset)]
        all.array = true
        return printer(of: try ResultView(all), isIndented: true)
    }

    /// Returns the printer of a view.
    ///
    /// - Parameter isIndented: Whether JSON is indented, unless `--compact` is given. Otherwise the view has its own
    ///   style.
    private func printer(of view: ResultView, isIndented: Bool) -> ResultPrinter {
        let style: JSONStyle? = isIndented ? .pretty(indent: .spaces(2)) : nil
        return view.printer(
            exchange.environment, options.common, isQuiet: options.output.quiet,
            style: options.output.compact ? .compact : style)
    }

    // MARK: Going on

    /// Returns the hint after a page that failed: how many pages were printed, and how to go on.
    ///
    ///     2 pages were printed. To go on: --page 3
    private func hint(after pages: Int, _ walk: PageWalk, _ error: any Error) -> Hint {
        let printed = pages == 1 ? "1 page was printed." : "\(pages) pages were printed."
        // After a page that is wrong itself, the same request again would only lead to the same pages.
        let continuation = error is PagingError ? "" : continuation(walk)
        return .fact(continuation.isEmpty ? printed : "\(printed) To go on: \(continuation)")
    }

    /// Notes that there are more pages than were printed.
    ///
    /// A user who gave a limit expects this, so that only a terminal shows the note. It is always shown after too
    /// many pages without items.
    ///
    /// - Parameter isWithinPage: Whether the last page was cut. Then no option could continue after the last item.
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

    /// Returns the words with which a call continues after the pages that were printed.
    ///
    /// For the command line, they are options: `--page 26`. For an agent, they are arguments of the tool: `page: 26`.
    ///
    /// - Returns: The words; empty if the next page can't be given that way.
    private func continuation(_ walk: PageWalk) -> String {
        let labelled = plan.declaration.signature.parameters.filter { $0.position == nil }
        let flags = Set(labelled.map { KebabCase.text($0.name) })
        let words = walk.nextQueryItems.compactMap { name, value -> String? in
            let flag = KebabCase.text(name)
            let shown = exchange.redactor.redact(value)
            if agent != nil {
                // A tool takes only what the endpoint declares.
                return flags.contains(flag) ? "\(flag.replacing("-", with: "_")): \(shown)" : nil
            }
            if flags.contains(flag) { return "--\(flag) \(ShellWord.quoted(shown))" }
            return "--query \(ShellWord.quoted("\(name)=\(shown)"))"
        }
        return words.joined(separator: " ")
    }
}
