import EndpointKit
import Foundation

/// Ways to read long responses.
enum Lists {
    static func itemsOfAllPages(_ client: Client) async throws -> [String] {
        var texts: [String] = []
        for try await entry: JournalPage.Entry in client.items(of: Garden.journal(page: 1)) { texts.append(entry.text) }
        return texts
    }

    static func firstTenItems(_ client: Client) async throws -> [JournalPage.Entry] {
        var entries: [JournalPage.Entry] = []
        for try await entry in client.items(of: Garden.journal(page: 1), as: JournalPage.Entry.self).prefix(10) {
            entries.append(entry)
        }
        return entries
    }

    static func onePageAfterTheOther(_ client: Client) async throws -> Int {
        var count = 0
        for try await page in client.pages(of: Garden.journal(page: 1), as: JournalPage.self) {
            count += page.entries.count
        }
        return count
    }

    static func bodyWhileItComes(_ client: Client) async throws -> Int {
        var size = 0
        let response = try await client.stream(Garden.photo(path: "2026/rose.jpg"))
        for try await chunk in response.body { size += chunk.count }
        return size
    }
}
