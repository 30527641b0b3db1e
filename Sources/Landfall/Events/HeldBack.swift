// SPDX-License-Identifier: Apache-2.0

/// Items that a flush leaves to an operation of their own, so that no other item waits for them: clicks whose link another server must
/// unwrap first, and events that the server's answer has left out.
struct HeldBack: Sendable {
    /// Not tried yet: due at once.
    private var fresh: Set<String> = []
    /// Tried in vain: they wait for the retry.
    private var failed: Set<String> = []
    private var current: String?
    var retryable = RetryableOperation()

    /// Flushes leave these out.
    var ids: Set<String> { fresh.union(failed).union([current].compactMap { $0 }) }

    /// When the operation is due; nil if there is nothing to do, or it runs.
    var dueAt: Duration? {
        if retryable.isRunning || fresh.isEmpty && failed.isEmpty { return nil }
        return fresh.isEmpty ? retryable.retry.notBefore : .zero
    }

    /// An item that has not been tried yet.
    mutating func hold(_ id: String) { fresh.insert(id) }

    /// Items that a flush has tried in vain.
    mutating func hold(failed ids: Set<String>, now: Duration, chance: Double) {
        failed.formUnion(ids)
        restIfDue(now: now, chance: chance)
    }

    /// The next item to send, the oldest first; items that were never tried come before all others.
    /// - Parameter left: what this run has tried in vain.
    mutating func next(after left: Set<String>, now: Duration) -> String? {
        current = fresh.min() ?? (retryable.retry.notBefore <= now ? failed.subtracting(left).min() : nil)
        if let current {
            fresh.remove(current)
            failed.remove(current)
        }
        return current
    }

    mutating func answered(_ verdict: OutboxVerdict) {
        guard let id = current else { return }
        current = nil
        switch verdict {
        case .taken, .refused, .elsewhere: break
        case .laterAlone: failed.insert(id)
        // No item reaches the server now: the untried ones wait too.
        case .later:
            failed.formUnion(fresh)
            failed.insert(id)
            fresh = []
        }
    }

    /// The run was cancelled: its current item had no try.
    mutating func interrupted() {
        retryable.operation = nil
        current.map { _ = fresh.insert($0) }
        current = nil
    }

    /// - Parameter left: what the run has tried in vain.
    mutating func ended(left: Set<String>, now: Duration, chance: Double) {
        retryable.operation = nil
        if failed.isEmpty {
            retryable.retry.reset()
        } else if !left.isEmpty {
            restIfDue(now: now, chance: chance)
        }
    }

    /// A pause that has begun is neither renewed nor made longer.
    private mutating func restIfDue(now: Duration, chance: Double) {
        if retryable.retry.notBefore <= now { retryable.retry.failed(now: now, chance: chance) }
    }
}
