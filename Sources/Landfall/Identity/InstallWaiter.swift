// SPDX-License-Identifier: Apache-2.0

/// A call that needs to know which installation this is.
struct InstallWaiter: Sendable {
    let id: Int
    /// How long it waits for the installation to be read.
    let deadline: Duration
    let waiter: CheckedContinuation<Install, any Error>
}

extension Launch {
    /// Waits until the installation is known.
    func knownInstall(until deadline: Duration) async throws -> Install {
        let id = note { $0.nextID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let refusal: (any Error)? = change { state, _ in
                    if Task.isCancelled { return CancellationError() }
                    if state.isOver { return LandfallError(.shutDown) }
                    state.installWaiters[id] = InstallWaiter(id: id, deadline: deadline, waiter: waiter)
                    return nil
                }
                if let refusal { waiter.resume(throwing: refusal) }
            }
        } onCancel: {
            let waiter = note { state in state.installWaiters.removeValue(forKey: id) }
            waiter?.waiter.resume(throwing: CancellationError())
        }
    }
}

extension LaunchState {
    /// Resumes the calls for which the installation is known, or will not be known in time.
    mutating func admitWaiters(_ now: Duration) {
        for waiter in installWaiters.values.sorted(by: { $0.id < $1.id }) {
            guard let result = admission(of: waiter, now) else { continue }
            installWaiters[waiter.id] = nil
            afterwards.append { waiter.waiter.resume(with: result.mapError { $0 }) }
        }
    }

    private func admission(of waiter: InstallWaiter, _ now: Duration) -> Result<Install, LandfallError>? {
        if let install { return .success(install) }
        if isStarted, let unavailable {
            return .failure(LandfallError(.storageUnavailable, detail: unavailable.description))
        }
        return waiter.deadline <= now ? .failure(lateness) : nil
    }
}
