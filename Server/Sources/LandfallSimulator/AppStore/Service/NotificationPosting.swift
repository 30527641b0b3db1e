// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import Logging
import Synchronization

/// Posts what is due, and tells the store how it went.
final class NotificationPosting: Sendable {
    /// So many posts are under way at once.
    private static let concurrency = 16
    /// How long an answer may take, as at Apple.
    private static let patience = Duration.seconds(30)

    private let store: SimulatedAppStore
    private let url: URL
    private let clock: @Sendable () -> Int64
    private let logger: Logger
    private let transport = URLSessionTransport()
    private let underWay = Mutex(0)

    init(store: SimulatedAppStore, url: URL, clock: @escaping @Sendable () -> Int64, logger: Logger) {
        self.store = store
        self.url = url
        self.clock = clock
        self.logger = logger
    }

    /// Looks every hundredth of a second what is due, until cancellation.
    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let free = Self.concurrency - underWay.withLock { $0 }
                let posts = free > 0 ? try await store.due(at: clock(), limit: free) : []
                underWay.withLock { $0 += posts.count }
                for post in posts {
                    group.addTask { [self] in
                        let status = await send(post.body)
                        await store.answered(post, status: status, at: clock())
                        underWay.withLock { $0 -= 1 }
                    }
                }
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    /// nil without an answer.
    private func send(_ body: Data) async -> Int? {
        let request = TransportRequest(
            method: "POST", url: url, headers: ["Content-Type": "application/json"], body: body, idleLimit: Self.patience)
        do {
            let answer = try await transport.send(request), status = answer.status
            for try await _ in answer.body {}
            if !NotificationPost.isSuccess(status) {
                logger.warning("A notification was not accepted.", metadata: ["status": "\(status)", "url": "\(url)"])
            }
            return status
        } catch {
            if !Task.isCancelled {
                logger.warning("A notification was not answered. Is a server listening there?", metadata: ["url": "\(url)"])
            }
            return nil
        }
    }
}
