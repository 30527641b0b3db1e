// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Hummingbird
import LandfallRules
import LandfallWire

/// `GET /v1/links`: the stored links in the order of their addresses, one page at a time.
package struct LinkListRoutes: Sendable {
    private static let pageLength = 100

    /// The parameters of the query. `after` is an older name of `cursor`.
    private enum Parameter: String, CaseIterable { case q, domain, campaign, tag, folder, state, cursor, after, limit }

    let links: Links
    let time: ServerTime

    package init(links: Links, time: ServerTime) {
        (self.links, self.time) = (links, time)
    }

    package struct Page: Codable {
        package let links: [LinkDocument]
        /// The value of `cursor` for the next page; absent on the last page. A page may have fewer links than its limit, even none.
        package let next: String?
    }

    @Sendable package func list(_ request: Request, context: AppContext) async throws -> Answer<Page> {
        let values = try Self.parameters(of: request.uri.query ?? "")
        let limit = try values[.limit].map { text in
            guard let limit = Int(text), (1...LinkList.longestPage).contains(limit) else {
                throw RequestError.invalid("limit", "a number from 1 to \(LinkList.longestPage).")
            }
            return limit
        }
        let filter = try Self.filter(values), nowMs = time.nowMs()
        let start = try values[.cursor].map { try Self.start($0, .cursor, filter) } ?? values[.after].map { try Self.start($0, .after, filter) }
        let list = LinkList(store: links.store, snapshot: context.snapshot, nowMs: nowMs)
        let page = try await list.page(filter, from: start, most: limit ?? Self.pageLength)
        return Answer(Page(links: try page.entries.map { try LinkDocument($0, nowMs: nowMs) }, next: page.next))
    }

    /// A wrong name would list links that nobody asked for, so it is refused. `+` is a space, as forms write it.
    private static func parameters(of query: String) throws -> [Parameter: String] {
        var values: [Parameter: String] = [:]
        for pair in query.split(separator: "&") {
            let end = pair.firstIndex(of: "=") ?? pair.endIndex
            let name = String(pair[..<end])
            guard let parameter = Parameter(rawValue: name) else {
                let advice = Suggestion.sentence(for: name, among: Parameter.allCases.map(\.rawValue))
                throw RequestError(.invalidValue, "'\(name.shortened)' is not a parameter of this call." + advice)
            }
            let written = pair[end...].dropFirst().replacing("+", with: " ")
            guard let value = written.removingPercentEncoding else {
                throw RequestError.invalid(name, "percent-encoded UTF-8.")
            }
            guard values.updateValue(value, forKey: parameter) == nil else { throw RequestError.invalid(name, "at most one value.") }
        }
        return values
    }

    private static func filter(_ values: [Parameter: String]) throws -> LinkFilter {
        func text(_ parameter: Parameter) throws -> String {
            let text = values[parameter] ?? ""
            guard text.utf8.count <= LinkFilter.longest else {
                throw RequestError.invalid(parameter.rawValue, "at most \(LinkFilter.longest) bytes.")
            }
            return text
        }
        var filter = LinkFilter()
        (filter.query, filter.host, filter.campaign) = (try text(.q), try text(.domain).lowercased(), try text(.campaign))
        (filter.tag, filter.folder, filter.hasFile) = (try text(.tag), try text(.folder), false)
        filter.state = try values[.state].map { text in
            guard let state = LinkFilter.State(rawValue: text) else {
                throw RequestError.invalid("state", LinkFilter.State.allCases.map(\.rawValue).joined(separator: ", ") + ".")
            }
            return state
        }
        return filter
    }

    private static func start(_ text: String, _ name: Parameter, _ filter: LinkFilter) throws -> String {
        guard filter.state == .file ? Int(text) != nil : LinkPlace(url: text) != nil else {
            throw RequestError.invalid(name.rawValue, "'next' of the page before, with the same filter.")
        }
        return text
    }
}
