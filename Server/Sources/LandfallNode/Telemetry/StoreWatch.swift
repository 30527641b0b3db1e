// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallServer
package import LandfallStore
import LandfallWire
package import Logging
import ServiceLifecycle
import Synchronization

/// Looks at the store once a second: writes into the log what changed, and keeps the numbers that the metrics need a read for.
package final class StoreWatch: Service, Redacted {
    static let interval = Duration.seconds(1)
    /// How many looks are between two readings of the numbers.
    static let looksPerReading = 10

    /// Numbers that need a read of the store.
    struct Numbers: Hashable, Sendable {
        /// Ad tokens that wait for Apple's answer.
        var appleQueue: Int64 = 0
        /// When the last backup began; nil if the store knows of none.
        var lastBackupMs: Int64?
        /// Alerts that fire, by rule.
        var firing: [String: Int64] = [:]
    }

    private let database: any Database
    private let time: ServerTime
    private let logger: Logger
    private let state = Mutex((condition: StoreCondition(), numbers: Numbers(), isReading: false))

    package init(_ database: any Database, time: ServerTime, logger: Logger) {
        (self.database, self.time, self.logger) = (database, time, logger)
    }

    var isGood: Bool { state.withLock { $0.condition.isGood } }
    var numbers: Numbers { state.withLock { $0.numbers } }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown { [self] in
            var looks = 0
            while !Task.isCancelled {
                look()
                if looks % Self.looksPerReading == 0 { read() }
                looks += 1
                try await time.sleep(Self.interval)
            }
        }
    }

    func look() {
        let counts = (database as? any WriteCounting)?.writeCounts ?? WriteCounts()
        let damage = (database as? any StoreExamining)?.metDamage
        let nowMs = time.nowMs()
        for news in state.withLock({ $0.condition.look(counts, damage: damage, nowMs: nowMs) }) { log(news) }
    }

    /// Does not wait for the read: a disk that hangs must not stop the looks. One read at a time.
    private func read() {
        let isFirst = state.withLock { state in
            defer { state.isReading = true }
            return !state.isReading
        }
        guard isFirst else { return }
        Task { [self] in
            let numbers = try? await Self.numbers(in: database)
            state.withLock { state in
                state.isReading = false
                if let numbers { state.numbers = numbers }
            }
        }
    }

    static func numbers(in database: any Database) async throws -> Numbers {
        try await database.read { connection in
            let waiting = try connection.row(
                "SELECT COUNT(*) AS waiting FROM job WHERE kind = $1", [.text(JobKind.appleAds.rawValue)])
            let firing = try connection.rows("SELECT rule, COUNT(*) AS firing FROM alert_state WHERE fired_at_ms IS NOT NULL GROUP BY rule")
            return Numbers(
                appleQueue: try waiting?.integer("waiting") ?? 0, lastBackupMs: try BackupMade.last(connection)?.atMs,
                firing: Dictionary(try firing.map { (try $0.text("rule"), try $0.integer("firing")) }) { $0 + $1 })
        }
    }

    private func log(_ news: StoreCondition.News) {
        switch news {
        case .damaged(let text):
            logger.critical(
                "The store is damaged. Traffic would damage it further: stop the server and restore a backup.",
                metadata: ["error.text": "\(text)"])
        case .failing(let text):
            logger.error("The store cannot write; each write is told to try again.", metadata: ["error.text": "\(text)"])
        case .silent(let seconds):
            logger.error(
                "Writes wait, and the store writes none of them: its disk may hang.", metadata: ["store.silentSeconds": "\(seconds)"])
        case .works(let failures, let seconds):
            logger.notice(
                "The store writes again.", metadata: ["store.failures": "\(failures)", "store.troubleSeconds": "\(seconds)"])
        }
    }
}
