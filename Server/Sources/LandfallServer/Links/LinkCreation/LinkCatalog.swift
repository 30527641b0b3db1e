// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallWire

/// The links of a store, for the command line, through any server that answers `/v1/links`.
package struct LinkCatalog: Sendable {
    package enum Format: String, CaseIterable, Sendable {
        /// Columns by name: `to`, and optionally `url`, `campaign`, …
        case csv
        /// The export of Firebase Dynamic Links.
        case firebase
    }

    /// The result for one link.
    package struct Outcome: Hashable, Sendable, Encodable {
        /// The row of the file, counted from 1; nil for a single link.
        var row: Int?
        /// `made`, `unchanged` or `refused`.
        package let status: String
        /// Absent if it was refused.
        package let url: String?
        /// Why it was refused, and what to do.
        package let problem: String?
        /// The place of the refused field in the file; nil for a single link, and if nothing was refused. Both count from 1.
        package var line: Int?
        package var column: Int?
        /// The refused field of the new link.
        private(set) var field: String?

        private enum CodingKeys: String, CodingKey { case row, status, url, problem, line, column }
    }

    private static let batch = 1_000
    private let call: @Sendable (BackendCall) async throws -> [UInt8]

    /// - Parameter call: sends a backend's request and returns the body of the answer, or throws ``BackendRefusal``.
    package init(calling call: @escaping @Sendable (BackendCall) async throws -> [UInt8]) { self.call = call }

    /// - Throws: what the call throws. A refusal of the link is an outcome.
    package func make(_ newLink: NewLink) async throws -> Outcome { try await make([newLink])[0] }

    /// - Returns: an outcome for each, in order.
    private func make(_ newLinks: [NewLink]) async throws -> [Outcome] {
        guard !newLinks.isEmpty else { return [] }
        let order = try BackendCall("POST", "/v1/links", json: LinkCreationRoutes.NewLinks(links: newLinks))
        // The body is too large: send fewer links at a time.
        if order.body.count > LinkCreationRoutes.bodyLimit, newLinks.count > 1 {
            let half = newLinks.count / 2
            return try await make(Array(newLinks[..<half])) + make(Array(newLinks[half...]))
        }
        let body = try await call(order)
        let outcomes = try WireCoding.decode(LinkCreationRoutes.Made.self, from: Data(body)).links.map(Outcome.init)
        guard outcomes.count == newLinks.count else {
            throw BackendRefusal(status: 200, code: nil, message: "The server did not answer for every link. Check its address.")
        }
        return outcomes
    }

    /// Imports every row that it can; repeating it changes nothing.
    /// - Parameters:
    ///   - domain: the brand domain of the imported links; nil keeps the host of each.
    ///   - progress: called after every batch with the number of rows done, and of all rows.
    /// - Throws: what the call throws.
    package func take(
        _ table: LinkImport, domain: String? = nil,
        progress: @Sendable (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) async throws -> [Outcome] {
        let rows = table.rows
        var outcomes: [Outcome] = []
        for start in stride(from: 0, to: rows.count, by: Self.batch) {
            let part = rows[start..<min(start + Self.batch, rows.count)]
            let newLinks = part.compactMap { row -> NewLink? in
                guard var newLink = try? row.newLink.get() else { return nil }
                newLink.domain = domain ?? newLink.domain
                return newLink
            }
            var made = try await make(newLinks)[...]
            for row in part {
                var outcome =
                    switch row.newLink {
                    case .success: made.removeFirst()
                    case .failure(let refusal):
                        Outcome(status: "refused", url: nil, problem: refusal.description, field: refusal.field)
                    }
                outcome.row = row.number
                if outcome.url == nil {
                    let place = row.place(of: outcome.field)
                    (outcome.line, outcome.column) = (place.line, place.column)
                }
                outcomes.append(outcome)
            }
            progress(start + part.count, rows.count)
        }
        return outcomes
    }
}

extension LinkCatalog.Outcome {
    init(_ link: LinkCreationRoutes.Made.Link) {
        self.init(status: link.status, url: link.url, problem: link.error?.message, field: link.error?.field)
    }
}
