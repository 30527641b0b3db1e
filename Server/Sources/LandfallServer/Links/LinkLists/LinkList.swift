// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallWire

/// Pages of links: first those of the configuration, then those of the store, each in the order of their addresses.
package struct LinkList: Sendable {
    package static let pageLength = 50
    /// Of a table for other programs.
    package static let longestPage = 1_000
    /// A filter that matches little ends a page here, and the next page goes on: no page reads more rows.
    package static let mostRead = 10_000
    private static let unit = 1_000

    let store: LinkStore
    let snapshot: Snapshot
    let nowMs: Int64
    /// See the constant.
    package var mostRead = LinkList.mostRead

    package init(store: LinkStore, snapshot: Snapshot, nowMs: Int64) {
        (self.store, self.snapshot, self.nowMs) = (store, snapshot, nowMs)
    }

    package struct Page: Sendable {
        package struct Entry: Sendable {
            package let link: StoredLink
            package let isInFile: Bool

            package init(link: StoredLink, isInFile: Bool) {
                (self.link, self.isInFile) = (link, isInFile)
            }
        }

        package var entries: [Entry] = []
        /// Where the next page begins; nil on the last one.
        package var next: String?
        /// The page ended before it was full.
        package var isCut = false
    }

    /// - Parameter start: the `next` of the page before; whatever else it is, the list begins at its beginning.
    package func page(_ filter: LinkFilter, from start: String?, most: Int) async throws -> Page {
        let test = LinkTest(filter, nowMs: nowMs)
        var page = Page()
        var place = start.flatMap { LinkPlace(url: $0) }
        let isFileTold = filter.hasFile || filter.state == .file
        let configured = isFileTold ? snapshot.configuration.links.sorted { ($0.host, $0.path.text) < ($1.host, $1.path.text) } : []
        if place == nil {
            let first = start.flatMap { Int($0) } ?? 0
            for (index, link) in configured.enumerated().dropFirst(max(0, first)) where test.matches(link, isInFile: true) {
                guard page.entries.count < most else {
                    page.next = "\(index)"
                    return page
                }
                page.entries.append(.init(link: link, isInFile: true))
            }
        }
        guard filter.state != .file else { return page }
        // The end of the file is where the store begins.
        var end = "\(configured.count)", read = 0
        while true {
            let limit = filter.isEmpty ? min(Self.unit, most - page.entries.count + 1) : Self.unit
            let links = try await store.links(snapshot.app.id, after: place, limit: limit)
            for link in links {
                // A link of the file hides one of the store at the same place.
                if test.matches(link, isInFile: false), snapshot.link(host: link.host, path: link.path) == nil {
                    guard page.entries.count < most else {
                        page.next = end
                        return page
                    }
                    page.entries.append(.init(link: link, isInFile: false))
                }
                place = link.place
                end = link.address
            }
            read += links.count
            guard links.count == limit else { return page }
            guard read < mostRead else {
                page.next = end
                page.isCut = page.entries.count < most
                return page
            }
        }
    }

    /// What links have already, for suggestions: at most 100 of each, in order.
    package struct Names: Hashable, Sendable {
        package var campaigns: [String] = []
        package var tags: [String] = []
        package var folders: [String] = []

        package init() {}
    }

    /// Names of the file, and of the first links of the store.
    package func names() async throws -> Names {
        let links = snapshot.configuration.links + (try await store.links(snapshot.app.id, after: nil, limit: Self.unit))
        func first(_ texts: [String]) -> [String] { Set(texts.map(ExactText.init)).map(\.text).sorted().prefix(100).map { $0 } }
        var names = Names()
        (names.campaigns, names.tags) = (first(links.compactMap(\.labels.campaign)), first(links.flatMap(\.tags)))
        names.folders = first(links.compactMap(\.folder))
        return names
    }
}

/// What a filter asks of a link. Texts compare by bytes; a search takes A to Z and a to z as the same.
private struct LinkTest {
    private let filter: LinkFilter
    private let search: LinkSearch
    private let nowMs: Int64

    init(_ filter: LinkFilter, nowMs: Int64) {
        self.filter = filter
        self.nowMs = nowMs
        search = LinkSearch(filter.query)
    }

    func matches(_ link: StoredLink, isInFile: Bool) -> Bool {
        switch filter.state {
        case .file where !isInFile: return false
        case .live?, .scheduled?, .expired?: if link.state(nowMs: nowMs) != filter.state { return false }
        default: break
        }
        if !filter.host.isEmpty, !filter.host.hasSameBytes(as: link.host) { return false }
        if !filter.campaign.isEmpty, link.labels.campaign?.hasSameBytes(as: filter.campaign) != true { return false }
        if !filter.tag.isEmpty, !link.tags.contains(where: { $0.hasSameBytes(as: filter.tag) }) { return false }
        if !filter.folder.isEmpty, link.folder?.hasSameBytes(as: filter.folder) != true { return false }
        return search.occurs(in: link.address) || search.occurs(in: link.destination)
    }
}
