import EndpointKit
import JSONText

/// Follows the pages of a call and prints their items as one list.
struct PagedCall {
    /// The most pages that are followed unless the command line says otherwise.
    static let defaultPages = 25

    let exchange: Exchange
    let paging: Paging

    private var options: CallOptions { exchange.plan.options }
    private var environment: ProcessEnvironment { exchange.context.environment }
    private var maxPages: Int { options.maxPages ?? (options.maxItems == nil ? Self.defaultPages : .max) }

    /// Throws what an exchange throws; a page that fails after others leaves those as a complete document.
    func run() async throws -> ExitCode {
        var walk = PageWalk(paging, from: exchange.plan.request)
        var printer: any ResultPrinter =
            exchange.plan.view?.printer(environment, color: options.common.color, isQuiet: options.quiet)
            ?? ItemPrinter(options, environment)
        var next: Request? = exchange.plan.request
        var itemsLeft = options.maxItems ?? .max
        var printed = 0
        do {
            while let request = next {
                let (items, following) = try await exchange.run(request) { try await page($0, request, &walk) }
                let wanted = min(items.elements?.count ?? 0, itemsLeft)
                try printer.add(items.document(first: wanted), check: exchange.limit.check())
                printed += 1
                itemsLeft -= wanted
                next = itemsLeft > 0 && printed < maxPages ? following : nil
                let isWithinPage = wanted < items.elements?.count ?? 0
                guard next == nil, following != nil || isWithinPage else { continue }
                let code = try printer.finish()
                try note(printed, walk, isWithinPage: isWithinPage)
                return code
            }
            return try printer.finish()
        } catch {
            guard printed > 0 else { throw error }
            // What came before stays, as a complete document.
            _ = try? printer.finish()
            guard var failure = error as? Failure else { throw error }
            let pages = printed == 1 ? "1 page was printed." : "\(printed) pages were printed."
            // The same request again would only lead to the same pages.
            let advice = failure.isAboutPaging ? "" : advice(walk)
            failure.hints.insert(pages + (advice.isEmpty ? "" : " To go on: \(advice)"), at: 0)
            throw failure
        }
    }

    /// The items of a page as they are to be printed, and the request of the next one.
    private func page(
        _ streamed: StreamedResponse, _ request: Request, _ walk: inout PageWalk
    ) async throws -> (items: JSONValue, next: Request?) {
        let printer = ResponsePrinter(exchange: exchange)
        guard streamed.head.isSuccess else {
            let code = try await printer.fail(streamed)
            throw Failure(streamed.head.statusText, code)
        }
        let body = try await streamed.limited(to: options.maxBytes ?? ResponseLimit.decoded).wholeBody()
        let response = Response(head: streamed.head, body: body)
        let text = options.raw ? nil : try printer.text(of: response)
        let page = try JSONValue(JSONDocument(body, check: exchange.limit.check()))
        let shown = try text.map { try JSONValue(JSONDocument($0)) } ?? page
        let items = try walk.items(of: shown)
        let next = try walk.request(after: request, head: response.head, body: body, page: page)
        // Every page of a sample is the same.
        return (items, options.sample ? nil : next)
    }

    /// Says that there is more, except that a limit that was asked for is only noted on a terminal.
    private func note(_ pages: Int, _ walk: PageWalk, isWithinPage: Bool) throws {
        let isChosen = options.maxPages != nil || options.maxItems != nil
        guard let notes = exchange.notes, !isChosen || notes.isTerminal else { return }
        let count = pages == 1 ? "1 page" : "\(pages) pages"
        let advice =
            isWithinPage ? "" : "; to go on: \(advice(walk))" + (isChosen ? "" : ", or more with --max-pages N")
        try notes.write("note: stopped after \(count)\(advice)".safeToShow + "\n")
    }

    /// The options that continue after the pages that were printed.
    private func advice(_ walk: PageWalk) -> String {
        let parameters = exchange.plan.declaration.signature.parameters.filter { $0.position == nil }.map {
            KebabCase.text($0.name)
        }
        return walk.next.map { name, value in
            let flag = KebabCase.text(name)
            return parameters.contains(flag)
                ? "--\(flag) \(ShellText.quoted(value))" : "--query \(ShellText.quoted("\(name)=\(value)"))"
        }.joined(separator: " ")
    }
}

extension JSONValue {
    /// A list with no more than so many items of this one. Throws nothing that a part of a document can cause.
    fileprivate func document(first count: Int) throws -> JSONDocument {
        let all = elements.map { Array($0) } ?? []
        return try JSONDocument(count < all.count ? Array(JSONValue(Array(all.prefix(count))).written) : Array(written))
    }
}

/// Prints the items of all pages as one JSON array, or with `--compact` one item a line.
private struct ItemPrinter: ResultPrinter {
    private var output: FormattedOutput
    private let isCompact: Bool
    private var isEmpty = true

    init(_ options: CallOptions, _ environment: ProcessEnvironment) {
        let stdout: any ByteOutput = options.quiet ? BufferOutput() : environment.stdout
        output = BodyPrinter(options, environment, stdout).stream
        isCompact = options.compact
    }

    mutating func add(_ document: JSONDocument, check: (() throws -> Void)?) throws {
        var text: [UInt8] = []
        for item in JSONValue(document).elements.map({ Array($0) }) ?? [] {
            if isCompact {
                text += item.written + [UInt8(ascii: "\n")]
            } else {
                text += [UInt8(ascii: isEmpty ? "[" : ",")] + item.written
            }
            isEmpty = false
        }
        try output.write(text)
    }

    mutating func finish() throws -> ExitCode {
        if !isCompact { try output.write(Array((isEmpty ? "[]" : "]").utf8)) }
        // No items are no document.
        if !isCompact || !isEmpty { try output.finish() }
        return .success
    }
}
