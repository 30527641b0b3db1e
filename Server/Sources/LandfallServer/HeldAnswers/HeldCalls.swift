// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallStore
import LandfallWire

/// Answers that are held until there is more to say.
package struct HeldCalls: Sendable {
    package let installs: any InstallStore
    package let holds: HeldAnswers
    package let configuration: LiveConfiguration
    package let addresses: CallerAddresses
    package let time: ServerTime
    /// Limits what an answer waits for the store.
    package let storing: FirstOpenWriter

    package init(
        installs: any InstallStore, holds: HeldAnswers, configuration: LiveConfiguration, addresses: CallerAddresses, time: ServerTime,
        storing: FirstOpenWriter
    ) {
        self.installs = installs
        self.holds = holds
        self.configuration = configuration
        self.addresses = addresses
        self.time = time
        self.storing = storing
    }

    /// Calls `look` now and after every change, until it returns an answer worth sending or the wait is over.
    /// - Parameter placements: the placements in the answer; a new configuration that changes one of them counts as a change.
    func answer<Value: JSONWritable>(
        _ request: Request, _ context: AppContext, until endsAtMs: Int64, about placements: [PlacementID] = [],
        _ look: @escaping HeldCall<Value>.Look
    ) async throws -> Answer<Value> {
        let caller = try context.requireCaller()
        let credential = try caller.requireCredential()
        let address = addresses.bounded(of: request, context)
        // The hold is taken before the row is read, so that no change in between is missed.
        let isWait = endsAtMs > time.nowMs()
        let hold =
            isWait ? holds.take(.plain, app: caller.app, install: credential.installID, at: address, about: placements) : nil
        defer { if let hold { holds.release(hold) } }
        let call = HeldCall(
            held: self, caller: caller, credential: credential, device: request.headers[.landfallDevice].flatMap { $0.isEmpty ? nil : $0 }, snapshot: context.snapshot,
            endsAtMs: endsAtMs, look: look)
        return try await call.answer(hold)
    }

    /// The install as it is now. Authenticates the caller.
    /// - Parameter device: the device that the call names.
    func look(as caller: Caller, _ credential: Credential, device: String?) async throws -> SharedRead.Seen {
        let nowMs = time.nowMs()
        // With the last visit: a version that is served after the read may compare it.
        let install = try await installs.install(caller.app, credential, device: device, nowMs: nowMs)
        return SharedRead.Seen(install: install, nowMs: nowMs)
    }

    /// The install with the assignments that its answer gives, on disk.
    /// - Parameter unstored: is called with the reason why nothing is returned; nil if the store has not answered yet.
    /// - Returns: nil if the store is too slow or takes nothing. The phone's events bring the assignments later.
    func enrolled(
        by enrolling: Enrollment, as caller: Caller, _ credential: Credential, nowMs: Int64,
        unstored: (DatabaseError?) -> Void = { _ in }
    ) async throws -> Install? {
        do {
            let stored = try await storing.outcome(
                of: { [installs] in try await installs.enrol(caller.app, credential, enrolling, nowMs: nowMs) },
                time: time, afterwards: {})
            if let stored { return stored }
            unstored(nil)
        } catch let error as DatabaseError {
            unstored(error)
        }
        return nil
    }

    /// The install after a change, for a caller who is already authenticated. It is read once for all holds that the change
    /// woke.
    func look(_ shared: SharedRead, as caller: Caller, _ credential: Credential, device: String?) async throws -> SharedRead.Seen {
        let seen = try await shared.seen { [installs, time, app = caller.app, id = credential.installID] in
            let nowMs = time.nowMs()
            let install = try await installs.install(app, id)
            return install.map { SharedRead.Seen(install: $0, nowMs: nowMs) }
        }
        // If the store was wiped meanwhile, this call creates the install, as any other call would.
        if let seen { return seen }
        return try await look(as: caller, credential, device: device)
    }
}
