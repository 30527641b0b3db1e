// SPDX-License-Identifier: Apache-2.0

/// A call that needs to know which installation this is.
struct InstallWaiter: Sendable {
    /// How long it waits for the installation to be read before it gives up.
    static let patience: Duration = .seconds(15)

    let id: Int
    let deadline: Duration
    let waiter: CheckedContinuation<Install, any Error>
}

extension Launch {
    /// Waits until the installation is known.
    func knownInstall() async throws -> Install {
        let id = note { $0.nextID() }
        let deadline = time.now() + InstallWaiter.patience
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
    mutating func admitWaiters(_ now: Duration, _ effects: inout [Effect]) {
        for waiter in installWaiters.values.sorted(by: { $0.id < $1.id }) {
            if let install {
                effects.append(.admit(waiter, .success(install)))
            } else if let unavailable, isStarted {
                let error = LandfallError(.storageUnavailable, detail: unavailable.description)
                effects.append(.admit(waiter, .failure(error)))
            } else if waiter.deadline <= now {
                let error =
                    isStarted
                    ? LandfallError(.storage, detail: "The installation could not be read.") : LandfallError(.notStarted)
                effects.append(.admit(waiter, .failure(error)))
            }
        }
    }
}
