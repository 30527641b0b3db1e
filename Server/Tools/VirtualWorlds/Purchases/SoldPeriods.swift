// SPDX-License-Identifier: Apache-2.0

/// What a person has paid for, and what follows from it. Each guarantee has a name:
///
/// - P1: the server counts each period that was paid once, and none that was not.
/// - P2: in the end the person has access while a period runs, and none when the last one is over.
/// - P3: nobody has access who has bought nothing.
struct SoldPeriods: Sendable {
    /// About the end of a period either is right: the clocks of nodes differ.
    static let slackMs: Int64 = 2_000

    private(set) var periods: [SoldPeriod] = []
    /// False once another installation or another person may own what was bought.
    private(set) var isOwnerSure = true

    mutating func paid(_ period: SoldPeriod) { periods.append(period) }

    /// Another installation begins: what is bought there later is its own.
    mutating func installationChanges() { if !periods.isEmpty { isOwnerSure = false } }

    /// Nobody may hear how a change of the person ended, so from here on it is not known whose a purchase is.
    mutating func personChanges() { isOwnerSure = false }

    /// Whether there is access at this instant; nil if both answers are right.
    func isOpen(atMs nowMs: Int64) -> Bool? {
        let ends = periods.flatMap { [$0.fromMs, $0.untilMs] }
        if ends.contains(where: { abs($0 - nowMs) <= Self.slackMs }) { return nil }
        return periods.contains { $0.fromMs <= nowMs && nowMs < $0.untilMs }
    }

    /// - Parameters:
    ///   - hasAccess: what the phone says.
    ///   - isSettled: after minutes of good network.
    func breaches(hasAccess: Bool, atMs nowMs: Int64, isSettled: Bool) -> [Breach] {
        if periods.isEmpty { return hasAccess ? [Breach(guarantee: "P3", text: "access, and nothing was bought")] : [] }
        guard isSettled, isOwnerSure, let isOpen = isOpen(atMs: nowMs), isOpen != hasAccess else { return [] }
        return [Breach(guarantee: "P2", text: isOpen ? "no access, although a period runs" : "access, although every period is over")]
    }

    /// - Parameters:
    ///   - charged: the transactions that the server has counted.
    ///   - mustHave: the phone has told this store of everything.
    func breaches(charged: [String], atMs nowMs: Int64, mustHave: Bool) -> [Breach] {
        let own = Set(periods.map(\.id))
        var counts: [String: Int] = [:]
        for id in charged { counts[id, default: 0] += 1 }
        let doubled = counts.filter { own.contains($0.key) && $0.value > 1 }.keys.sorted().map {
            Breach(guarantee: "P1", text: "\($0) counts \(counts[$0] ?? 0) times")
        }
        // A period that is paid ahead may count when it begins.
        let begun = mustHave ? periods.filter { $0.fromMs <= nowMs }.map(\.id) : []
        let lost = begun.filter { counts[$0] == nil }
        return doubled + lost.map { Breach(guarantee: "P1", text: "\($0) was paid, and does not count") }
    }
}
