// SPDX-License-Identifier: Apache-2.0
/// When failed work is tried again: after 1, 2, 4 … 512, 900, 900 … seconds, each ± 20 %.
struct Retry: Hashable, Sendable {
    /// How often in a row it failed.
    private(set) var failures = 0
    /// Not before this time.
    private(set) var notBefore: Duration = .zero

    static let longest: Duration = .seconds(900)

    /// - Parameter chance: 0…1; half of it means exactly the nominal time.
    /// - Parameter quick: how many of the failures so far do not count.
    mutating func failed(now: Duration, chance: Double, atMost limit: Duration = Self.longest, leavingOut quick: Int = 0) {
        notBefore = now + min(limit, Self.delay(afterFailures: failures + 1 - quick, chance: chance))
        failures += 1
    }

    /// There is a new reason to try: the next try is now, and the pause after it is as long as before.
    mutating func dueNow() { notBefore = .zero }

    /// It worked, or the circumstances changed: the next try is due at once.
    mutating func reset() { self = Retry() }

    /// The first failure of a request that a person waits for may be only the connection's: the next try, on another
    /// connection, follows after a quarter of a second, ± 20 %. Later failures follow the usual schedule.
    mutating func failed(isAwaited: Bool, now: Duration, chance: Double, atMost limit: Duration = Self.longest) {
        guard isAwaited else { return failed(now: now, chance: chance, atMost: limit) }
        guard failures == 0 else { return failed(now: now, chance: chance, atMost: limit, leavingOut: 1) }
        notBefore = now + Self.delay(afterFailures: 1, chance: chance) / 4
        failures = 1
    }

    static func delay(afterFailures failures: Int, chance: Double) -> Duration {
        let nominal = failures > 10 ? longest : min(longest, .seconds(1 << max(0, failures - 1)))
        return nominal * Int(800 + 400 * min(max(chance, 0), 1)) / 1000
    }
}

/// Work that one operation at a time does, and that is retried after a failure.
struct Errand: Sendable {
    var operation: Operations.ID?
    var retry = Retry()

    var isRunning: Bool { operation != nil }

    func isDue(_ now: Duration) -> Bool { operation == nil && retry.notBefore <= now }
}
