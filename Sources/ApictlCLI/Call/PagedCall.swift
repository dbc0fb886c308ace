import EndpointKit
import JSONText

/// Follows the pages of a call and prints their items as one list.
struct PagedCall {
    /// The most pages that are followed if neither `--max-pages` nor `--max-items` is given.
    static let defaultPages = 25

    private let exchange: Exchange
    private let paging: Paging
    /// Gets the number of pages after each page that was printed; nil for a call of the command line.
    private let onPage: (@Sendable (Int) -> Void)?

    /// Prepares to follow the pages of a call.
    ///
    /// - Parameters:
    ///   - exchange: The exchange that sends the requests.
    ///   - paging: How one page leads to the next.
    ///   - onPage: Gets the number of pages after each page that was printed, for the agent that makes the call. Nil
    ///     for a call of the command line.
    init(_ exchange: Exchange, paging: Paging, onPage: (@Sendable (Int) -> Void)?) {
        self.exchange = exchange
        self.paging = paging
        self.onPage = onPage
    }

    private var plan: CallPlan { exchange.plan }
    private var options: CallOptions { plan.options }
    /// Whether an agent makes the call, so that notes name arguments of a tool and not options.
    private var isForAgent: Bool { onPage != nil }
    /// The most pages that are followed. With `--max-items` alone, only the items are limited.
    private var maxPages: Int { options.pages.maxPages ?? (options.pages.maxItems == nil ? Self.defaultPages : .max) }

    /// The list of all items, which is printed page by page.
    private final class PrintedList {
        private var printer: ResultPrinter
        /// The number of pages that have been printed.
        private(set) var pageCount = 0
        /// How many more items may be printed. It becomes negative if a page has more items than that, of which the
        /// last are left out.
        private(set) var remainingItems: Int
        /// Whether the end of the list, such as the `]` of the array, has been printed after an error.
        private var isEnded = false
        /// The exit code of server-sent events that were printed in place of the list; nil if there were none.
        var codeOfEvents: ExitCode?

        /// Starts a list. Prints nothing yet.
        ///
        /// - Parameters:
        ///   - printer: Prints the items.
        ///   - maxItems: The most items that are printed; nil is no limit.
        init(printer: ResultPrinter, maxItems: Int?) {
            self.printer = printer
            remainingItems = maxItems ?? .max
        }

        /// Whether the last page was cut, because it had more items than may be printed.
        var isPageCut: Bool { remainingItems < 0 }

        /// Prints the items of a page, but no more than may be printed.
        ///
        /// - Parameters:
        ///   - items: The list of the page's items.
        ///   - check: A function that throws when the time is over.
        func printPage(_ items: JSONValue, check: @escaping () throws -> Void) throws {
            try printer.add(items.document(first: remainingItems), check: check)
            pageCount += 1
            remainingItems -= items.elements?.count ?? 0
        }

        /// Prints the end of the list.
        ///
        /// - Returns: The exit code. With `--exit-status`, it says whether there were any items.
        func finish() throws -> ExitCode { try printer.finish() }

        /// Prints the end of the list after an error, unless it has been printed, so that the output is complete JSON.
        /// An error of the output is ignored, because another error is on its way.
        func endAfterError() {
            if !isEnded { isEnded = (try? printer.finish()) != nil }
        }
    }

    /// Requests the pages one after the other and prints their items as one list.
    ///
    /// If a page fails after others have been printed, the list is ended all the same, so that it is complete JSON.
    ///
    /// - Throws: The errors of sending and printing. After the first page, the error is an ``AnnotatedError`` that
    ///   says how to go on.
    func run() async throws -> ExitCode {
        var walk = PageWalk(
            paging, from: plan.request, followsOtherOrigins: options.pages.followsOtherOrigins)
        let list = PrintedList(printer: try makePrinter(), maxItems: options.pages.maxItems)
        do {
            while list.remainingItems > 0, list.pageCount < maxPages {
                guard let items = try await requestNextPage(&walk, after: list) else { break }
                try list.printPage(items, check: exchange.decodingLimit.check())
                onPage?(list.pageCount)
                exchange.context.activity?.addPage()
            }
            // The server has sent a stream of events instead of a page, and the stream was printed.
            if let codeOfEvents = list.codeOfEvents { return codeOfEvents }
            let code = try list.finish()
            // The request of another page is pending if a limit ended the walk.
            let hasMorePages = walk.pendingRequest != nil
            if hasMorePages || list.isPageCut { try noteMorePages(after: list, walk: walk) }
            return code
        } catch  where list.pageCount > 0 {
            list.endAfterError()
            throw AnnotatedError(error, hint: hint(after: error, in: list, walk: walk))
        }
    }

    // MARK: Pages

    /// Requests the next page.
    ///
    /// - Parameters:
    ///   - walk: Makes the requests. It advances to the page after this one.
    ///   - list: The list of the pages before this one.
    /// - Returns: The list of the page's items. Nil if there are no more pages, and if the response was a stream of
    ///   events, which has been printed.
    private func requestNextPage(_ walk: inout PageWalk, after list: PrintedList) async throws -> JSONValue? {
        let items = try await walk.next { request in
            try await exchange.run(request) { response in try await readPage(response, after: list) }
        }
        // Every page of a sample is the same, so the first one is also the last.
        if options.purpose == .sample { walk.end() }
        return items
    }

    /// Whether a response is a stream of server-sent events, of which `--max-items` limits the number.
    private func isStreamOfItems(_ head: ResponseHead) -> Bool {
        options.pages.maxItems != nil && head.isSuccess && head.isEventStream
    }

    /// Reads the whole response with a page.
    ///
    /// If the first response is a stream of events, prints it at once, and stores its exit code in the list. The body
    /// of a response that can't be used is shown on stderr, after the end of the list.
    ///
    /// - Returns: The page; nil for a stream of events.
    /// - Throws: ``FailedStatus`` for another status than a success, and the errors of reading.
    private func readPage(_ response: StreamedResponse, after list: PrintedList) async throws -> PageWalk.Page? {
        let isFirst = list.pageCount == 0
        if isFirst, isStreamOfItems(response.head) {
            list.codeOfEvents = try await exchange.makePrinter().print(response)
            return nil
        }
        if !response.head.isSuccess {
            if !isFirst { list.endAfterError() }
            throw try await exchange.failurePrinter.showFailure(response)
        }
        let limited = try response.limited(to: options.transfer.maxBytes ?? Client.defaultMaxBodySize)
        let page = Response(head: response.head, body: try await limited.wholeBody())
        return try exchange.makePrinter().modelReader.readPage(page)
    }

    // MARK: Printers

    /// Makes the printer of all items: in the view that was asked for, or else as one JSON array.
    private func makePrinter() throws -> ResultPrinter {
        if let view = plan.view { return makePrinter(of: view, defaultStyle: nil) }
        var allElements = SelectionOptions()
        // Each page is a list. The path selects its elements, and `array` puts those of all pages into one array.
        allElements.selects = [SourcedText("$[*]", .preset)]
        allElements.array = true
        return makePrinter(of: try ResultView(allElements), defaultStyle: .pretty(indent: .spaces(2)))
    }

    /// Makes the printer of a view.
    ///
    /// - Parameter defaultStyle: The style of JSON without `--compact`; nil is the view's own style.
    private func makePrinter(of view: ResultView, defaultStyle: JSONStyle?) -> ResultPrinter {
        view.printer(
            exchange.environment, options.common, isQuiet: options.output.quiet,
            style: options.output.compact ? .compact : defaultStyle)
    }

    // MARK: Notes

    /// Whether the user limits the pages or items.
    private var hasGivenLimit: Bool { options.pages.maxPages != nil || options.pages.maxItems != nil }

    /// Returns the hint after a page that failed: how many pages were printed, and how to go on.
    ///
    ///     2 pages were printed. To go on: --page 3
    private func hint(after error: any Error, in list: PrintedList, walk: PageWalk) -> Hint {
        let printed = list.pageCount == 1 ? "1 page was printed." : "\(list.pageCount) pages were printed."
        // After a page that is wrong itself, the same request again would only lead to the same pages.
        let continuation = error is PagingError ? "" : wordsToContinue(walk)
        return .fact(continuation.isEmpty ? printed : "\(printed) To go on: \(continuation)")
    }

    /// Notes that there are more pages than were printed:
    ///
    ///     note: stopped after 25 pages; to go on: --page 26, or more with --max-pages N
    ///
    /// A user who gave a limit expects this, so that only a terminal shows the note. It is always shown after too
    /// many pages without items.
    private func noteMorePages(after list: PrintedList, walk: PageWalk) throws {
        let stoppedAtEmptyPages = walk.emptyPageCount == PageWalk.maxEmptyPageCount
        let stoppedAtGivenLimit = !stoppedAtEmptyPages && hasGivenLimit
        guard let notes = exchange.notes else { return }
        if stoppedAtGivenLimit, !notes.isTerminal { return }
        var text = "note: stopped after \(list.pageCount.counted("page"))"
        if stoppedAtEmptyPages { text += ", the last \(walk.emptyPageCount) without items" }
        // No option could continue after an item in the middle of a page.
        let continuation = list.isPageCut ? "" : wordsToContinue(walk)
        if !continuation.isEmpty {
            text += "; to go on: \(continuation)"
            let stoppedAtDefaultLimit = !stoppedAtEmptyPages && !hasGivenLimit
            if stoppedAtDefaultLimit, !isForAgent { text += ", or more with --max-pages N" }
        }
        try notes.write(text.safeToShow + "\n")
    }

    /// Returns the words with which a call continues after the pages that were printed.
    ///
    /// For the command line, they are options: `--page 26`. For an agent, they are arguments of the tool: `page: 26`.
    ///
    /// - Returns: The words; empty if the next page can't be given that way.
    private func wordsToContinue(_ walk: PageWalk) -> String {
        // Only a parameter without a label has a position.
        let labelledParameters = plan.declaration.signature.parameters.filter { $0.position == nil }
        let parameterNames = Set(labelledParameters.map { KebabCase.text($0.name) })
        var words: [String] = []
        for (name, value) in walk.nextQueryItems {
            let kebabName = KebabCase.text(name)
            let isParameter = parameterNames.contains(kebabName)
            let shownValue = exchange.redactor.redact(value)
            if isForAgent {
                // A tool takes only what the endpoint declares.
                if isParameter { words.append("\(kebabName.replacing("-", with: "_")): \(shownValue)") }
            } else if isParameter {
                words.append("--\(kebabName) \(ShellWord.quoted(shownValue))")
            } else {
                words.append("--query \(ShellWord.quoted("\(name)=\(shownValue)"))")
            }
        }
        return words.joined(separator: " ")
    }
}
