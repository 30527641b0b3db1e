// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallServer
import LandfallStore

/// Whether the App Store can be asked, and whether its notifications go on to the second receiver.
extension StoreDoctor {
    func appStore(of configuration: Configuration) async -> [DoctorFinding] {
        let nowMs = ServerTime.live.nowMs()
        return [await questions(of: configuration, nowMs: nowMs), await forwarding(of: configuration, nowMs: nowMs)].compactMap(\.self)
    }

    /// Nil without a key.
    private func questions(of configuration: Configuration, nowMs: Int64) async -> DoctorFinding? {
        guard configuration.purchases.api != nil else { return nil }
        guard let health = try? await AppStoreHealth(database, of: configuration.app.id, nowMs: nowMs) else { return nil }
        let test = health.test.map { " The last test: \($0.sentence)" } ?? " 'landfall doctor --test-notification' asks for a test."
        if let problem = health.problem { return .bad("appStore", problem, fix: "Correct 'purchases.api', or wait if it says so.") }
        guard let succeededAtMs = health.succeededAtMs else {
            return .good("appStore", "The App Store was not asked yet: a running server does it within minutes." + test)
        }
        let time = Date(timeIntervalSince1970: TimeInterval(succeededAtMs) / 1_000).formatted(.iso8601)
        guard !health.isLate else {
            return .bad("appStore", "The App Store was asked last on \(time), more than a day ago.", fix: "Start a server on this store; look at its log for 'The App Store'.")
        }
        let unreleased = health.isUnreleased
            ? " Only the sandbox takes the key: production refuses every key (401) before an app's first release, and is asked again each hour." : ""
        return .good("appStore", "Everything that the App Store could not tell was asked for on \(time)." + unreleased + test)
    }

    /// Nil if nothing is forwarded, and nothing was given up.
    private func forwarding(of configuration: Configuration, nowMs: Int64) async -> DoctorFinding? {
        guard let counts = try? await ForwardingStore(database).counts(in: configuration.app.id),
            configuration.purchases.notify != nil || counts.waiting + counts.givenUp > 0
        else { return nil }
        let ageMs = counts.oldestMs.map { nowMs - $0 } ?? 0
        let waiting = counts.waiting == 0 ? "No notification waits for the second receiver" : "\(counts.waiting) notification(s) wait for the second receiver, the oldest for \(ageMs / 60_000) min"
        if counts.givenUp > 0 {
            return .bad(
                "forwarding", "\(waiting); \(counts.givenUp) of the last 180 days were given up after three days.",
                fix: "Look at the receiver of 'purchases.notify'; what it lacks it can ask Apple for (notification history).")
        }
        guard ageMs < ForwardingStore.lateMs else {
            return .bad("forwarding", waiting + ".", fix: "Look at the receiver of 'purchases.notify': it has to answer 200 to 299 within 15 s, without a redirect.")
        }
        return .good("forwarding", waiting + ".")
    }
}
