// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallServer
import LandfallStore

/// Whether endpoints take what they are told.
extension StoreDoctor {
    /// Empty without endpoints.
    func webhooks(of configuration: Configuration) async -> [DoctorFinding] {
        let store = WebhookStore(database, app: configuration.app.id)
        guard !configuration.webhooks.isEmpty, let states = try? await store.endpoints(), let counts = try? await store.counts() else { return [] }
        let byKey = Dictionary(states.map { ($0.key, $0) }) { first, _ in first }
        let bad = configuration.webhooks.compactMap { endpoint in byKey[endpoint.key].flatMap { finding(of: endpoint, $0) } }
        let dropped: [DoctorFinding] =
            counts.dropped == 0
            ? []
            : [
                .bad(
                    "webhooks", "\(counts.dropped) message(s) for webhooks had to make room for newer ones.",
                    fix: "Correct the endpoint that takes nothing, or remove it from 'webhooks'. The count stays.")
            ]
        let findings = bad + dropped
        return findings.isEmpty ? [.good("webhooks", "Webhooks take their messages; \(counts.waiting) wait.")] : findings
    }

    /// Nil if nothing is wrong.
    private func finding(of endpoint: WebhookEndpoint, _ state: WebhookEndpointState) -> DoctorFinding? {
        if let offAtMs = state.offAtMs {
            return .bad(
                "webhooks", "The webhook at \(endpoint.host) answered 410 on \(Self.time(offAtMs)) and is off.",
                fix: "Correct the receiver, then switch it on in the console, under Webhooks. Another address in the file is another endpoint.")
        }
        guard let sinceMs = state.failingSinceMs else { return nil }
        let lost = state.givenUp == 0 ? "" : " \(state.givenUp) message(s) were given up."
        return .bad(
            "webhooks", "The webhook at \(endpoint.host) takes nothing since \(Self.time(sinceMs)): \(state.lastFailure ?? "no answer").\(lost)",
            fix: "Look at the receiver: it answers 200 to 299 within 10 seconds.")
    }

    private static func time(_ ms: Int64) -> String { Date(timeIntervalSince1970: TimeInterval(ms) / 1_000).formatted(.iso8601) }
}
