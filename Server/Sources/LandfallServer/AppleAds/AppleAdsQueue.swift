// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// A waiting exchange that this node may work on until its lease ends.
struct LeasedExchange: Hashable, Sendable {
    let app: AppID
    let installID: InstallID
    let tokenHash: TokenHash
    let token: String
    /// Tries before this one.
    let attempts: Int64
    let notFoundCount: Int64
    let receivedAtMs: Int64
}

/// The durable queue of ad tokens. A lease that its holder does not end in time ends by itself; the row is due again.
struct AppleAdsQueue: Sendable {
    private let database: any Database
    private let cache: InstallCache?
    private let storeEpoch: Int64

    init(_ database: any Database, _ mark: StoreMark, cache: InstallCache? = nil) {
        self.database = database
        self.cache = cache
        self.storeEpoch = mark.epoch
    }

    var isShared: Bool { database.isShared }

    /// Takes at most `limit` of what is due: fresh tokens first, then retries, each the longest due first.
    func lease(_ limit: Int, nowMs: Int64, leaseMs: Int64) async throws -> [LeasedExchange] {
        try await database.write { connection in
            let fresh = try Self.lease(limit, isRetry: false, nowMs: nowMs, leaseMs: leaseMs, connection)
            guard fresh.count < limit else { return fresh }
            return try fresh + Self.lease(limit - fresh.count, isRetry: true, nowMs: nowMs, leaseMs: leaseMs, connection)
        }
    }

    /// When the next row may be taken, by this node or another; nil where nothing waits.
    func nextDueMs() async throws -> Int64? {
        try await database.read { connection in
            try [false, true].compactMap { isRetry in
                try connection.row(
                    "SELECT MIN(lease_until_ms) AS next_ms FROM apple_ads_exchange WHERE state = 'waiting' AND is_retry = $1",
                    [.flag(isRetry)]
                )?.optionalInteger("next_ms")
            }.min()
        }
    }

    /// Ends every lease. Right only where no other node works on this store: then leases are left from before a restart.
    func endLeases() async throws {
        _ = try await database.write { connection in
            try connection.run(
                "UPDATE apple_ads_exchange SET lease_until_ms = due_at_ms WHERE state = 'waiting' AND lease_until_ms > due_at_ms"
            )
        }
    }

    /// Stores what a try led to. A try whose lease ended, and whose row somebody else has moved on, changes nothing.
    func record(_ outcome: ExchangeOutcome, _ step: ExchangeStep, of exchange: LeasedExchange, nowMs: Int64) async throws {
        let unit = InstallUnit(exchange.app, exchange.installID, nil, storeEpoch: storeEpoch, nowMs: nowMs)
        let fact = AttributionFact(outcome, of: exchange, nowMs: nowMs), moving = exchange.moving(to: step, outcome, nowMs: nowMs)
        do {
            try await database.write(.interactive, locking: InstallQuestions().locks(of: unit)) { connection in
                guard var record = try InstallRecord.known(unit, from: connection) else { return }
                if let fact, !record.install.facts.contains(where: { $0.id == fact.id }) { record.install.facts.append(fact) }
                if let newest = record.install.exchange, newest.tokenHash == exchange.tokenHash {
                    record.install.exchange = newest.moved(to: step)
                }
                try record.write(first: [moving], to: connection)
            }
        } catch is UnitIsLate {
            return
        }
        cache?.changed(exchange.installID, profile: nil)
    }

    private static func lease(
        _ limit: Int, isRetry: Bool, nowMs: Int64, leaseMs: Int64, _ connection: any WriteConnection
    ) throws -> [LeasedExchange] {
        try connection.rows(
            """
            UPDATE apple_ads_exchange SET lease_until_ms = $1
            WHERE lease_until_ms <= $2 AND state = 'waiting' AND (app_id, install_id, token_hash) IN (
              SELECT app_id, install_id, token_hash FROM apple_ads_exchange
              WHERE state = 'waiting' AND is_retry = $3 AND lease_until_ms <= $2
              ORDER BY lease_until_ms LIMIT $4
            )
            RETURNING app_id, install_id, token_hash, token, attempts, not_found_count, received_at_ms
            """,
            [.integer(nowMs + leaseMs), .integer(nowMs), .flag(isRetry), .integer(Int64(limit))]
        ).map(LeasedExchange.init)
    }
}

extension LeasedExchange {
    fileprivate init(_ row: Row) throws {
        app = AppID(try row.text("app_id"))
        installID = InstallID(try row.text("install_id"))
        tokenHash = TokenHash(rawValue: try row.text("token_hash"))
        token = try row.text("token")
        attempts = try row.integer("attempts")
        notFoundCount = try row.integer("not_found_count")
        receivedAtMs = try row.integer("received_at_ms")
    }
}

extension AttributionFact {
    /// Nil where Apple has not answered the question.
    fileprivate init?(_ outcome: ExchangeOutcome, of exchange: LeasedExchange, nowMs: Int64) {
        let answer: AppleAdsAnswer?
        switch outcome {
        case .attributed(let fields): answer = fields
        case .organic: answer = nil
        case .invalidToken, .notFound, .silence: return nil
        }
        self.init(
            id: "apple:\(exchange.tokenHash.rawValue)", source: .appleAds, status: answer == nil ? .organic : .nonOrganic,
            saidAtMs: nowMs, recordedAtMs: nowMs
        )
        verified = true
        test = answer?.isDeveloperMode ?? false
        appleAds = answer
    }
}

extension LeasedExchange {
    /// Changes nothing where the row is no longer as it was leased.
    fileprivate func moving(to step: ExchangeStep, _ outcome: ExchangeOutcome, nowMs: Int64) -> Statement {
        let row: (state: String, reason: String?, dueAtMs: Int64, isFinal: Bool) =
            switch step {
            case .again(let dueAtMs), .finish(.waiting(let dueAtMs)): ("waiting", nil, dueAtMs, false)
            case .finish(.attributed): ("attributed", nil, nowMs, true)
            case .finish(.organic): ("organic", nil, nowMs, true)
            case .finish(.unavailable(let reason)): ("unavailable", reason.rawValue, nowMs, true)
            }
        return Statement(
            """
            UPDATE apple_ads_exchange SET state = $5, reason = $6, token = $7, attempts = attempts + 1,
              not_found_count = not_found_count + $8, is_retry = 1, due_at_ms = $9, lease_until_ms = $9, finished_at_ms = $10
            WHERE app_id = $1 AND install_id = $2 AND token_hash = $3 AND attempts = $4 AND state = 'waiting'
            """,
            [
                .text(app.rawValue), .text(installID.rawValue), .text(tokenHash.rawValue), .integer(attempts),
                .text(row.state), .text(row.reason), .text(row.isFinal ? nil : token), .flag(outcome == .notFound),
                .integer(row.dueAtMs), .integer(row.isFinal ? nowMs : nil),
            ])
    }
}

extension AppleAdsExchange {
    fileprivate func moved(to step: ExchangeStep) -> AppleAdsExchange {
        let state: State =
            switch step {
            case .finish(let state): state
            case .again(let dueAtMs): .waiting(dueAtMs: dueAtMs)
            }
        return AppleAdsExchange(tokenHash: tokenHash, state: state, receivedAtMs: receivedAtMs)
    }
}
