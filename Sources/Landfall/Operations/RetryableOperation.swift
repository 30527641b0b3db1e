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

    /// The next try would come too late for a caller: one more comes in time, unless the caller's grace is all that is left. So a
    /// caller costs one such try.
    mutating func comeForward(before deadline: Duration, grace: Duration, now: Duration) {
        guard notBefore > deadline - grace / 2, now < deadline - grace else { return }
        notBefore = max(now + grace / 2, deadline - grace)
    }

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

    /// How long a first answer may take before another way is tried: a quarter of a call's time limit, at most a second.
    static func grace(within limit: Duration) -> Duration { min(.seconds(1), limit / 4) }

    static func delay(afterFailures failures: Int, chance: Double) -> Duration {
        let nominal = failures > 10 ? longest : min(longest, .seconds(1 << max(0, failures - 1)))
        return nominal * Int(800 + 400 * min(max(chance, 0), 1)) / 1000
    }
}

/// Work that one operation at a time does, and that is retried after a failure.
struct RetryableOperation: Sendable {
    var operation: Operations.ID?
    var retry = Retry()

    var isRunning: Bool { operation != nil }

    func isDue(_ now: Duration) -> Bool { operation == nil && retry.notBefore <= now }
}

extension RetryableOperation {
    /// - Parameter idle: the text if nothing is under way and nothing failed.
    func inWords(idle: String) -> String {
        if isRunning { return "under way" }
        return retry.failures == 0 ? idle : "failed \(retry.failures == 1 ? "once" : "\(retry.failures) times") in a row"
    }
}
