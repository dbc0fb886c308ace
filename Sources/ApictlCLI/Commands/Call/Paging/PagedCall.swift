import EndpointKit
import JSONText

/// Follows the pages of a call and prints their items as one list.
struct PagedCall {
    /// The most pages that are followed unless the command line says otherwise.
    static let defaultPages = 25

    let plan: CallPlan
    let paging: Paging
    let environment: ProcessEnvironment
    let redactor: Redactor
    /// The time limit for decoding.
    let limit: DecodingLimit
    /// Reports a response with a failure status, and throws.
    let fail: (StreamedResponse) async throws -> ExitCode
    /// Called with the headers of each response.
    let onHead: (ResponseHead) -> Void

    private var options: CallOptions { plan.options }
    private var maxPages: Int { options.maxPages ?? (options.maxItems == nil ? Self.defaultPages : .max) }

    /// Throws ``PageFailure`` if a page after the first one fails, otherwise what a call throws.
    func run(_ client: Client) async throws -> ExitCode {
        var walk = PageWalk(paging, from: plan.request)
        var printer: any ResultPrinter =
            plan.view?.printer(environment, color: options.color, isQuiet: options.quiet)
            ?? ItemPrinter(options, environment)
        var request = plan.request
        var itemsLeft = options.maxItems ?? .max
        var printed = 0
        do {
            while true {
                let response = try await response(to: request, client)
                let (items, next) = try await page(response, request, &walk)
                let wanted = min(items.count, itemsLeft)
                try printer.add(items.document(first: wanted), check: limit.check())
                printed += 1
                itemsLeft -= wanted
                let hasMore = next != nil || wanted < items.count
                guard let next, itemsLeft > 0, printed < maxPages else {
                    let code = try printer.finish()
                    if hasMore { try note(printed, walk, isWithinPage: wanted < items.count) }
                    return code
                }
                request = next
            }
        } catch {
            guard printed > 0 else { throw error }
            // What came before stays, as a complete document.
            _ = try? printer.finish()
            // The same request again would only lead to the same pages.
            throw PageFailure(cause: error, pages: printed, advice: error is PagingError ? "" : advice(walk))
        }
    }

    private func response(to request: Request, _ client: Client) async throws -> Response {
        try await client.exchange(request) { streamed in
            onHead(streamed.head)
            guard streamed.head.isSuccess else {
                _ = try await fail(streamed)
                throw StatusFailure(head: streamed.head, words: nil, hints: [])
            }
            let limited = try streamed.limited(to: options.maxBytes ?? ResponseLimit.decoded, isHead: false)
            return Response(head: streamed.head, body: try await limited.wholeBody())
        }
    }

    /// The items of a page as they are to be printed, and the request of the next one.
    private func page(
        _ response: Response, _ request: Request, _ walk: inout PageWalk
    ) async throws -> (items: PageItems, next: Request?) {
        let printer = ResponsePrinter(plan: plan, environment: environment, redactor: redactor, limit: limit)
        let text = options.raw ? nil : try printer.text(of: response)
        let page = try JSONValue(JSONDocument(response.body, check: limit.check()))
        let shown = try text.map { try JSONValue(JSONDocument($0)) } ?? page
        let items = PageItems(list: try walk.items(of: shown))
        let next = try walk.request(after: request, head: response.head, body: response.body, page: page)
        // Every page of a sample is the same.
        return (items, options.sample ? nil : next)
    }

    /// Says that there is more, unless it was the user who set the limit and nobody is watching.
    private func note(_ pages: Int, _ walk: PageWalk, isWithinPage: Bool) throws {
        let isChosen = options.maxPages != nil || options.maxItems != nil
        guard !options.quiet, !isChosen || environment.stderr.isTerminal else { return }
        let count = pages == 1 ? "1 page" : "\(pages) pages"
        let advice =
            isWithinPage ? "" : "; to go on: \(advice(walk))" + (isChosen ? "" : ", or more with --max-pages N")
        try environment.stderr.write("note: stopped after \(count)\(advice)".safeToShow + "\n")
    }

    /// The options that continue after the pages that were printed.
    private func advice(_ walk: PageWalk) -> String {
        let parameters = plan.declaration.signature.parameters.filter { $0.position == nil }.map {
            KebabCase.text($0.name)
        }
        return walk.next.map { name, value in
            let flag = KebabCase.text(name)
            return parameters.contains(flag)
                ? "--\(flag) \(ShellText.quoted(value))" : "--query \(ShellText.quoted("\(name)=\(value)"))"
        }.joined(separator: " ")
    }
}

/// The items of one page.
private struct PageItems {
    let list: JSONValue

    var count: Int { list.elements?.count ?? 0 }

    /// The list with no more than so many items. Throws nothing that a part of a document can cause.
    func document(first count: Int) throws -> JSONDocument {
        guard count < self.count, let elements = list.elements else { return try JSONDocument(Array(list.written)) }
        var text: [UInt8] = [UInt8(ascii: "[")]
        for (index, element) in elements.prefix(count).enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text += element.written
        }
        return try JSONDocument(text + [UInt8(ascii: "]")])
    }
}

/// A page that failed after others had been printed.
struct PageFailure: Error {
    let cause: any Error
    /// How many pages were printed.
    let pages: Int
    /// The options that continue after them; empty if there are none.
    let advice: String

    var hint: String {
        (pages == 1 ? "1 page was printed." : "\(pages) pages were printed.")
            + (advice.isEmpty ? "" : " To go on: \(advice)")
    }
}
