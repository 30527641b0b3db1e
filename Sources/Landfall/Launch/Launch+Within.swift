// SPDX-License-Identifier: Apache-2.0

extension Launch {
    /// Does a call's work until a time, at which the work is cancelled and the caller gets an error.
    /// - Throws: what the work throws, `CancellationError`, or the error of a call that is too late.
    func until<Value: Sendable>(
        _ deadline: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { [sleep = time.sleep] race in
            defer { race.cancelAll() }
            race.addTask { try await work() }
            race.addTask {
                try await sleep(deadline)
                return nil
            }
            guard let first = try await race.next(), let value = first else { throw read(\.lateness) }
            return value
        }
    }

    /// Waits until the installation is known.
    func knownInstall(until deadline: Duration) async throws -> Install {
        let id = note { $0.nextID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let refusal: (any Error)? = change { state, _ in
                    if Task.isCancelled { return CancellationError() }
                    if state.isOver { return LandfallError(.shutDown) }
                    state.installWaiters.add(InstallWaiter(id: id, deadline: deadline, waiter: waiter))
                    return nil
                }
                if let refusal { waiter.resume(throwing: refusal) }
            }
        } onCancel: {
            let waiter = note { $0.installWaiters.remove(id) }
            waiter?.waiter.resume(throwing: CancellationError())
        }
    }
}

extension LaunchState {
    /// Resumes the calls that have waited for the installation.
    mutating func admitWaiters(_ now: Duration) {
        let unavailable = isStarted ? files.unavailable : nil, lateness = lateness
        for (waiter, result) in installWaiters.takeAdmitted(install, unavailable, lateness, now: now) {
            afterwards.append { waiter.resume(with: result.mapError { $0 }) }
        }
    }

    /// What a call gets whose time is over.
    var lateness: LandfallError {
        if !isStarted { return LandfallError(.notStarted) }
        if install == nil { return LandfallError(.storage, detail: "The installation could not be read in time.") }
        return LandfallError(.network(TransportError(.timedOut, detail: "The call's time limit is over.")))
    }
}
