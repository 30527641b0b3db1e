// SPDX-License-Identifier: Apache-2.0
public import LandfallDatabase
import LandfallWire

/// The links of a store, for people at the command line: they hold the store, so nobody asks them for a key. A server may be
/// running on the same store.
public struct LinkCatalog: Sendable {
    public enum Format: String, CaseIterable, Sendable {
        /// Columns by name: `to`, and optionally `url`, `campaign`, …
        case csv
        /// The export of Firebase Dynamic Links.
        case firebase
    }

    /// What a new link is to be. Texts are checked when it is made.
    public struct Order: Hashable, Sendable {
        public var to: String
        public var domain: String?
        public var suffix: String?
        public var campaign: String?
        public var adGroup: String?
        public var creative: String?
        public var label: String?
        public var channel: String?
        public var pasteboard = false

        public init(to: String) { self.to = to }
    }

    /// What became of one link.
    public struct Outcome: Hashable, Sendable, Encodable {
        /// Of the file, counted from 1; nil for a link of its own.
        public var row: Int?
        /// `made`, `unchanged` or `refused`.
        public let status: String
        /// Absent where it was refused.
        public let url: String?
        /// Why it was refused, and what to do.
        public let problem: String?
    }

    private static let batch = 1_000
    private let making: LinkMaking
    private let time: ServerTime

    /// Brings the schema up to date and reads the configuration: the file, else what the store holds. Publishes nothing.
    /// - Throws: what keeps the configuration from being read, in words for the operator.
    public init(database: any Database, configurationFile: String?) async throws {
        try await self.init(database: database, configurationFile: configurationFile, time: .live)
    }

    init(database: any Database, configurationFile: String?, time: ServerTime) async throws {
        try await database.migrate(Schema.migrations)
        // Links need none of the secrets that the file names: whatever stands there lets it be read.
        let anySecret: @Sendable (String) -> String? = { _ in "sk_" + String(repeating: "x", count: 64) }
        let configuration: Configuration
        if let configurationFile {
            let text = try Configuration.text(ofFile: configurationFile)
            configuration = try Configuration(yaml: text, file: configurationFile, environment: anySecret)
        } else {
            guard let stored = try await ConfigurationStore(database).newest() else {
                throw ConfigurationStartError.nothingToServe
            }
            let name = "configuration version \(stored.number)"
            configuration = try Configuration(yaml: stored.text, file: name, environment: anySecret)
        }
        making = LinkMaking(links: Links(snapshot: Snapshot(configuration, revision: 0), store: SQLLinkStore(database)))
        self.time = time
    }

    /// - Throws: what the store throws. A refusal is an outcome.
    public func make(_ order: Order) async throws -> Outcome {
        var wish = LinkWish(to: order.to)
        (wish.domain, wish.suffix, wish.campaign) = (order.domain, order.suffix, order.campaign)
        (wish.adGroup, wish.creative, wish.label, wish.channel) = (order.adGroup, order.creative, order.label, order.channel)
        wish.pasteboard = order.pasteboard
        return Outcome(try await making.make([wish], nowMs: time.nowMs())[0])
    }

    /// Takes over every row that it can; doing it again changes nothing.
    /// - Parameters:
    ///   - domain: where the links live from now on; nil keeps the host of each.
    ///   - progress: called after every batch with how many rows are done, and of how many.
    /// - Throws: where the file as a whole cannot be read; what the store throws.
    public func take(
        over text: String, format: Format, domain: String? = nil,
        progress: @Sendable (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) async throws -> [Outcome] {
        let rows = try LinkImport.rows(text, format)
        var outcomes: [Outcome] = []
        for start in stride(from: 0, to: rows.count, by: Self.batch) {
            let part = rows[start..<min(start + Self.batch, rows.count)]
            let wishes = part.compactMap { row -> LinkWish? in
                guard var wish = try? row.wish.get() else { return nil }
                wish.domain = domain ?? wish.domain
                return wish
            }
            var made = try await making.make(wishes, nowMs: time.nowMs())[...]
            for row in part {
                var outcome =
                    switch row.wish {
                    case .success: Outcome(made.removeFirst())
                    case .failure(let refusal): Outcome(.refused(refusal))
                    }
                outcome.row = row.number
                outcomes.append(outcome)
            }
            progress(start + part.count, rows.count)
        }
        return outcomes
    }
}

extension LinkCatalog.Outcome {
    init(_ outcome: LinkMaking.Outcome) {
        switch outcome {
        case .made(let link): self.init(status: "made", url: link.address, problem: nil)
        case .unchanged(let link): self.init(status: "unchanged", url: link.address, problem: nil)
        case .refused(let refusal): self.init(status: "refused", url: nil, problem: refusal.description)
        }
    }
}
