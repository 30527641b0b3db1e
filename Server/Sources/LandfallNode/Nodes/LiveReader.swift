// SPDX-License-Identifier: Apache-2.0
import LandfallConsole
import LandfallRules
import LandfallServer
import ServiceLifecycle

/// Reads what all nodes have stored while pages of this node's console watch. Without them it costs the database nothing.
struct LiveReader: Service, Redacted {
    let reading: LiveReading
    let feed: LiveFeed
    let time: ServerTime

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // A database that is away is told by the heartbeat.
                if feed.watching > 0 { try? await reading.read() }
                try await time.sleep(LiveReading.interval)
            }
        }
    }
}
