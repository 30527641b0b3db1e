// SPDX-License-Identifier: Apache-2.0
import ServiceLifecycle

/// Writes down once a minute which keys were used since. A node that ends loses the last minute.
///
/// It is not a leased job: each node has its own times in memory, and no other node could write them.
package struct KeyUseWriter: Service {
    static let interval = Duration.seconds(60)

    package let store: KeyUseStore
    package let configuration: LiveConfiguration
    package let time: ServerTime

    package init(store: KeyUseStore, configuration: LiveConfiguration, time: ServerTime) {
        (self.store, self.configuration, self.time) = (store, configuration, time)
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var written: [KeyID: Int64] = [:]
            while !Task.isCancelled {
                try await time.sleep(Self.interval)
                written = await write(after: written)
            }
        }
    }

    /// - Returns: the times that are written now. If the store refuses writes, they are written a minute later.
    func write(after written: [KeyID: Int64]) async -> [KeyID: Int64] {
        let uses = configuration.snapshot.keyMarks.lastUses
        let news = uses.filter { written[$0.key] != $0.value }
        do {
            try await store.write(news)
            return uses
        } catch {
            return written
        }
    }
}
