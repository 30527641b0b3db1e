// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import ServiceLifecycle

/// Deletes clicks when their time is over, and what pages handed over with them: what nobody took once it leads nowhere any
/// more, what an install took together with clicks of that age. Facts of attribution stay with their install.
///
/// A lot at a time, with pauses: the writer is never held for longer than one lot takes. Several nodes may run it at once.
struct ClickForgetting: Service, Discreet {
    /// Rows that one statement deletes at most.
    static let mostRows: Int64 = 500
    /// Between two lots, as long as there is more: 5,000 rows a second of each table.
    static let pause: Duration = .milliseconds(100)
    /// Between two looks where everything is gone that is to go, and after a store that was not to be written to.
    static let interval: Duration = .seconds(3600)

    let database: any Database
    let app: AppID
    let retention: ClickRetention
    let time: ServerTime

    func run() async {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let isMore = (try? await forgetSome(nowMs: time.nowMs())) ?? false
                try await time.sleep(isMore ? Self.pause : Self.interval)
            }
        }
    }

    /// One lot of each table, each a unit of its own.
    /// - Returns: true where more may be waiting.
    func forgetSome(nowMs: Int64) async throws -> Bool {
        let firstMs = nowMs - retention.clickMs
        var isMore = false
        for (text, limit) in [
            // Ids begin with their time, so the key is the index.
            (Self.clicksText, SQLValue.text(UUIDv7.earliest(atMs: firstMs))), (Self.untakenText, .integer(nowMs)),
            (Self.takenText, .integer(firstMs)),
        ] {
            let statement = Statement(text, [.text(app.rawValue), limit, .integer(Self.mostRows)])
            let count = try await database.write { try $0.run(statement) }
            isMore = isMore || count >= Self.mostRows
        }
        return isMore
    }

    static let clicksText = """
        DELETE FROM click WHERE app_id = $1 AND click_id IN (
          SELECT click_id FROM click WHERE app_id = $1 AND click_id < $2 LIMIT $3
        )
        """
    /// Whoever shows such a token hears that nothing waits, before as after.
    static let untakenText = """
        DELETE FROM deferred_link WHERE app_id = $1 AND token_hash IN (
          SELECT token_hash FROM deferred_link WHERE app_id = $1 AND taken_by_install IS NULL AND expires_at_ms <= $2 LIMIT $3
        )
        """
    static let takenText = """
        DELETE FROM deferred_link WHERE app_id = $1 AND token_hash IN (
          SELECT token_hash FROM deferred_link WHERE app_id = $1 AND taken_by_install IS NOT NULL AND created_at_ms < $2
          LIMIT $3
        )
        """
}

extension Services {
    /// To be run once, for as long as the node serves.
    var clickForgetting: ClickForgetting {
        ClickForgetting(database: database, app: snapshot.app.id, retention: snapshot.clickRetention, time: time)
    }
}
