// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallWire
package import Metrics
import Synchronization

/// Asks a resolver within limits: how often for one network, how many at a time, how long, and with which data. Its answers count
/// for a short time, in which the resolver is not asked again.
package final class BoundedLinkResolver: LinkResolver {
    /// The phone waits 2.5 s for the whole answer.
    package static let timeLimit = Duration.milliseconds(1_500)
    /// The most open questions.
    static let most = 16
    /// The most open questions for one network, so that one caller cannot use all of them.
    static let mostOfAddress = 4
    /// Questions for one network in ten minutes.
    static let mostAsked = 100
    /// How long an answer counts, also the answer that there is no such link. A failure does not count.
    static let lifeMs: Int64 = 60_000
    /// Longer links and targets are asked about each time.
    static let longestRemembered = 512
    static let mostRemembered = 1_024

    enum Outcome: String, CaseIterable { case resolved, unknown, failed, busy }

    private struct Answer {
        let target: String?
        let times: Range<Int64>
    }

    /// Not a semaphore: a question counts for all and for its network in one step.
    private struct State {
        var running = 0
        /// At most ``most`` networks.
        var runningByNetwork: [ClientNetwork: Int] = [:]
        var answers = RecentValues<String, Answer>(most: BoundedLinkResolver.mostRemembered)
    }

    private let ask: @Sendable (_ link: String) async throws -> LinkResolverReply
    private let onLimit: @Sendable (Limit) -> Void
    private let telemetry: KnownMetrics<Outcome, Counter>
    private let byAddress: AddressLimit
    private let state = Mutex(State())

    /// - Parameters:
    ///   - onLimit: is told of every question that a network's limit keeps back.
    ///   - ask: sends the question within ``timeLimit``, and follows no redirect.
    package init(
        factory: any MetricsFactory, share: NodeShare = .whole, onLimit: @escaping @Sendable (Limit) -> Void,
        asking ask: @escaping @Sendable (_ link: String) async throws -> LinkResolverReply
    ) {
        self.ask = ask
        self.onLimit = onLimit
        byAddress = AddressLimit(
            .oldLinksByAddress, most: Self.mostAsked, of: "links of old domains that are on no list", share: share)
        telemetry = KnownMetrics { outcome in
            Counter(label: "landfall_old_links_asked_total", dimensions: [("outcome", outcome.rawValue)], factory: factory)
        }
    }

    /// How many answers are known, for tests.
    var remembered: Int { state.withLock { $0.answers.count } }

    package func target(of link: LinkAddress, from address: ClientAddress?, nowMs: Int64) async -> String? {
        // What is behind `#` never leaves a browser either.
        let link = String(link.text.withoutFragment)
        if let known = known(link, nowMs: nowMs) { return known.target }
        guard byAddress.admits(address, nowMs: nowMs) else {
            onLimit(byAddress.limit)
            return nil
        }
        let network = address.map(ClientNetwork.init(of:))
        guard begin(for: network) else { return ended(.busy) }
        defer { end(for: network) }
        do {
            let reply = try await ask(link)
            guard reply.isUnderstood else { return ended(.failed) }
            remember(link, reply.target, nowMs: nowMs)
            return ended(reply.target == nil ? .unknown : .resolved, reply.target)
        } catch {
            return ended(.failed)
        }
    }

    private func begin(for network: ClientNetwork?) -> Bool {
        state.withLock { state in
            guard state.running < Self.most else { return false }
            if let network {
                let running = state.runningByNetwork[network, default: 0]
                guard running < Self.mostOfAddress else { return false }
                state.runningByNetwork[network] = running + 1
            }
            state.running += 1
            return true
        }
    }

    private func end(for network: ClientNetwork?) {
        state.withLock { state in
            state.running -= 1
            guard let network, let running = state.runningByNetwork[network] else { return }
            state.runningByNetwork[network] = running > 1 ? running - 1 : nil
        }
    }

    private func known(_ link: String, nowMs: Int64) -> Answer? {
        guard link.utf8.count <= Self.longestRemembered else { return nil }
        return state.withLock { state in
            guard let answer = state.answers[link], answer.times.contains(nowMs) else { return nil }
            return answer
        }
    }

    private func remember(_ link: String, _ target: String?, nowMs: Int64) {
        guard link.utf8.count <= Self.longestRemembered, (target?.utf8.count ?? 0) <= Self.longestRemembered else { return }
        state.withLock { $0.answers[link] = Answer(target: target, times: nowMs..<nowMs + Self.lifeMs) }
    }

    private func ended(_ outcome: Outcome, _ target: String? = nil) -> String? {
        telemetry[outcome].increment()
        return target
    }
}
