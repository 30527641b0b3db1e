// SPDX-License-Identifier: Apache-2.0

/// A call that needs to know which installation this is.
struct InstallWaiter: Sendable {
    let id: Int
    /// How long it waits for the installation to be read.
    let deadline: Duration
    let waiter: CheckedContinuation<Install, any Error>
}

/// The calls that wait until the installation is known.
struct InstallWaiters: Sendable {
    private(set) var calls: [Int: InstallWaiter] = [:]

    mutating func add(_ call: InstallWaiter) { calls[call.id] = call }

    mutating func remove(_ id: Int) -> InstallWaiter? { calls.removeValue(forKey: id) }

    mutating func takeAll() -> [InstallWaiter] {
        defer { calls = [:] }
        return Array(calls.values)
    }

    /// When the next caller stops waiting.
    var deadline: Duration? { calls.values.lazy.map(\.deadline).min() }

    /// The calls for which the installation is known, or will not be known in time.
    /// - Parameters:
    ///   - unavailable: why it will not be known in this launch.
    ///   - lateness: the error of a call whose time is over.
    mutating func takeAdmitted(
        _ install: Install?, _ unavailable: StorageUnavailable?, _ lateness: LandfallError, now: Duration
    ) -> [(CheckedContinuation<Install, any Error>, Result<Install, LandfallError>)] {
        calls.values.sorted { $0.id < $1.id }.compactMap { call in
            let result: Result<Install, LandfallError>
            if let install {
                result = .success(install)
            } else if let unavailable {
                result = .failure(LandfallError(.storageUnavailable, detail: unavailable.description))
            } else if call.deadline <= now {
                result = .failure(lateness)
            } else {
                return nil
            }
            calls[call.id] = nil
            return (call.waiter, result)
        }
    }
}
