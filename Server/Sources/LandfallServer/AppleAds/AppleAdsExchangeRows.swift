// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

extension AppleAdsExchange {
    /// Of `apple_ads_exchange`.
    enum FinishedColumn: Int, TableColumn { case token_hash, state, reason, received_at_ms }
    /// Of `job`.
    enum OpenColumn: Int, TableColumn { case job_key, due_at_ms, created_at_ms }

    /// The newest exchange of an install, finished or open. Nil if the install never sent a token.
    /// - Parameters:
    ///   - finished: of the newest finished exchange; NULL if there is none.
    ///   - open: of the newest open one; NULL if there is none.
    static func newest(
        _ row: Row, finished: ColumnIndexes<FinishedColumn>, open: ColumnIndexes<OpenColumn>
    ) throws -> AppleAdsExchange? {
        var newest: AppleAdsExchange?
        if let hash = row.optionalText(finished[.token_hash]) {
            let state: State =
                switch try row.text(finished[.state]) {
                case "attributed": .attributed
                case "organic": .organic
                default: .unavailable(row.optionalText(finished[.reason]).map { UnavailableReason($0) } ?? .noToken)
                }
            newest = AppleAdsExchange(
                tokenHash: TokenHash(rawValue: hash), state: state, receivedAtMs: try row.integer(finished[.received_at_ms]))
        }
        guard let hash = row.optionalText(open[.job_key]) else { return newest }
        return AppleAdsExchange(
            tokenHash: TokenHash(rawValue: hash), state: .waiting(dueAtMs: try row.integer(open[.due_at_ms])),
            receivedAtMs: try row.integer(open[.created_at_ms])
        ).newer(than: newest)
    }

    /// Stores a finished exchange. An open one is a job, and has no row.
    func insertion(of unit: InstallUnit, finishedAtMs: Int64) -> Statement {
        let (state, reason): (String, UnavailableReason?) =
            switch self.state {
            case .waiting: preconditionFailure("An open exchange is a job.")
            case .attributed: ("attributed", nil)
            case .organic: ("organic", nil)
            case .unavailable(let reason): ("unavailable", reason)
            }
        return Statement(
            """
            INSERT INTO apple_ads_exchange (app_id, install_id, token_hash, state, reason, received_at_ms, finished_at_ms)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT DO NOTHING
            """,
            [
                .text(unit.app.rawValue), .text(unit.id.rawValue), .text(tokenHash.rawValue), .text(state),
                .text(reason?.rawValue), .integer(receivedAtMs), .integer(finishedAtMs),
            ])
    }
}

extension QueuedToken {
    /// One statement, also for a token that belongs to another install.
    func insertion(of unit: InstallUnit) -> Statement {
        guard case .waiting(let dueAtMs) = exchange.state else {
            return exchange.insertion(of: unit, finishedAtMs: exchange.receivedAtMs)
        }
        return exchange.jobName(in: unit.app).insertion(
            install: unit.id, payload: LeasedExchange.payload(text), dueAtMs: dueAtMs, lease: lease)
    }

    /// The job as it is stored; nil if it is stored as due, or if the token is another install's.
    func takenJob(of unit: InstallUnit) -> Job? {
        guard case .waiting(let dueAtMs) = exchange.state, let lease else { return nil }
        return Job(
            name: exchange.jobName(in: unit.app), install: unit.id, payload: LeasedExchange.payload(text), attempts: 1,
            createdAtMs: dueAtMs, leaseUntilMs: lease.untilMs)
    }
}
