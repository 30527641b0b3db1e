// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import ServiceLifecycle

/// Hears what other nodes change: often while an answer is held here, because a phone waits for it, and each second otherwise.
struct ChangeListener: Service, Redacted {
    /// A change on another node is heard after half of it, on average.
    static let pauseWhileHolding = Duration.milliseconds(25)
    static let pause = Duration.seconds(1)

    private let database: any SharedDatabase
    private let holds: HeldAnswers
    private let time: ServerTime

    init(_ database: any SharedDatabase, _ holds: HeldAnswers, time: ServerTime) {
        (self.database, self.holds, self.time) = (database, holds, time)
    }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var next = Duration.zero
            while !Task.isCancelled {
                // Costs the database nothing while nobody waits.
                if holds.count > 0 || next <= .zero {
                    next = Self.pause
                    // A database that is away is told by the heartbeat. Whatever is missed meanwhile is told by the next call.
                    try? await database.hear()
                }
                try await time.sleep(Self.pauseWhileHolding)
                next -= Self.pauseWhileHolding
            }
        }
    }
}
