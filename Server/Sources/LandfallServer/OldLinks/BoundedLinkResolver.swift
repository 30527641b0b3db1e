// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Metrics
import Synchronization

/// Asks a resolver with bounds: how long, how many at a time, and what it is told.
final class BoundedLinkResolver: LinkResolver {
    /// The phone waits 2.5 s for the whole answer.
    static let timeLimit = Duration.milliseconds(1_500)
    static let most = 16

    enum Outcome: String, CaseIterable { case resolved, unknown, failed, busy }

    private let ask: @Sendable (_ link: String) async throws -> LinkResolverReply
    private let telemetry: KnownMetrics<Outcome, Counter>
    private let running = Mutex(0)

    /// - Parameter ask: sends the question within ``timeLimit``, and follows no redirect.
    init(factory: any MetricsFactory, asking ask: @escaping @Sendable (_ link: String) async throws -> LinkResolverReply) {
        self.ask = ask
        telemetry = KnownMetrics { outcome in
            Counter(label: "landfall_old_links_asked_total", dimensions: [("outcome", outcome.rawValue)], factory: factory)
        }
    }

    func target(of link: LinkAddress) async -> String? {
        let isFree = running.withLock { running in
            guard running < Self.most else { return false }
            running += 1
            return true
        }
        guard isFree else { return ended(.busy) }
        defer { running.withLock { $0 -= 1 } }
        do {
            // What is behind `#` never leaves a browser either.
            let reply = try await ask(String(link.text.prefix { $0 != "#" }))
            guard let target = reply.target else { return ended(reply.isUnderstood ? .unknown : .failed) }
            return ended(.resolved, target)
        } catch {
            return ended(.failed)
        }
    }

    private func ended(_ outcome: Outcome, _ target: String? = nil) -> String? {
        telemetry[outcome].increment()
        return target
    }
}
