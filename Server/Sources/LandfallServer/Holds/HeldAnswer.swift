// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallWire
import NIOCore

/// What a held call would answer at one look.
struct HeldAnswer<Value: JSONWritable>: Sendable {
    let value: Value
    let question: SharedLook.Question
    /// Worth answering: nothing is waited for any more.
    let isDone: Bool
}

/// One call whose answer may be held, from its first look to its last. Between two looks it keeps nothing of the install.
struct HeldCall<Value: JSONWritable> {
    typealias Look = @Sendable (Install, _ nowMs: Int64, Snapshot) throws -> HeldAnswer<Value>

    let services: Services
    let caller: Caller
    let credential: Credential
    /// Of the request, for its first look; later looks see what is served then.
    let snapshot: Snapshot
    let endsAtMs: Int64
    let look: Look

    /// Where the node, the caller's address or the install holds as many as it may, the first look is the answer.
    func answer(_ hold: Hold?) async throws -> Answer<Value> {
        if let answer = try await first(hold) { return answer }
        // What was published before the hold was taken woke nobody.
        if services.snapshot !== snapshot, let answer = try await answer(after: SharedLook()) { return answer }
        while let hold {
            let leftMs = max(0, endsAtMs - services.time.nowMs())
            switch await hold.wait(for: .milliseconds(leftMs), time: services.time) {
            case .changed(let shared):
                try Task.checkCancellation()
                if let answer = try await answer(after: shared) { return answer }
            case .time:
                try Task.checkCancellation()
                if services.time.nowMs() >= endsAtMs { return try await last() }
            case .replaced, .stopping: return try await last()
            }
        }
        return try await last()
    }

    /// Proves the caller. Nil where the answer is worth holding and may be held.
    private func first(_ hold: Hold?) async throws -> Answer<Value>? {
        let seen = try await services.look(as: caller, credential)
        let answer = try look(seen.install, seen.nowMs, snapshot)
        if !answer.isDone, let hold, services.time.nowMs() < endsAtMs, services.holds.admit(hold) { return nil }
        return Answer(answer.value)
    }

    private func answer(after shared: SharedLook) async throws -> Answer<Value>? {
        let seen = try await services.look(shared, as: caller, credential)
        let answer = try look(seen.install, seen.nowMs, services.snapshot)
        guard answer.isDone else { return nil }
        return Answer(bytes: try shared.bytes(of: answer.question) { answer.value.jsonBytes() })
    }

    private func last() async throws -> Answer<Value> {
        let seen = try await services.look(as: caller, credential)
        return Answer(try look(seen.install, seen.nowMs, services.snapshot).value)
    }
}

extension Services {
    /// Answers with what `look` sees, again at every change, until it says that this is worth answering or the wait is over.
    /// - Parameter placements: what the answer is about; a new version of the configuration that changes them is a change.
    func held<Value: JSONWritable>(
        _ request: Request, _ context: AppContext, until endsAtMs: Int64, about placements: [PlacementID] = [],
        _ look: @escaping HeldCall<Value>.Look
    ) async throws -> Answer<Value> {
        let caller = try context.requireCaller()
        let credential = try caller.requireCredential()
        let address = boundedAddress(of: request, context)
        // Taken before the row is read, so that no change in between is missed.
        let isWait = endsAtMs > time.nowMs()
        let hold =
            isWait ? holds.take(.plain, app: caller.app, install: credential.installID, at: address, about: placements) : nil
        defer { if let hold { holds.release(hold) } }
        let call = HeldCall(
            services: self, caller: caller, credential: credential, snapshot: context.snapshot, endsAtMs: endsAtMs, look: look)
        return try await call.answer(hold)
    }

    /// The install as it is now, for a caller who proves with it who it is.
    func look(as caller: Caller, _ credential: Credential) async throws -> SharedLook.Seen {
        let nowMs = time.nowMs()
        return SharedLook.Seen(install: try await installs.install(caller.app, credential, nowMs: nowMs), nowMs: nowMs)
    }

    /// The install as it is after a change, for a caller who has proved who it is: read once for all that the change woke.
    func look(_ shared: SharedLook, as caller: Caller, _ credential: Credential) async throws -> SharedLook.Seen {
        let seen = try await shared.seen { [installs, time, app = caller.app, id = credential.installID] in
            let nowMs = time.nowMs()
            return try await installs.install(app, id).map { SharedLook.Seen(install: $0, nowMs: nowMs) }
        }
        // A store that was wiped meanwhile learns of the install as from any other call.
        if let seen { return seen }
        return try await look(as: caller, credential)
    }
}

/// `?after=<version>&wait=<ms>`: hold the answer until something newer than `after` is there.
struct Waiting: Hashable {
    /// The longest hold of any call.
    static let longest: Int64 = 30_000

    var after: Int64?
    /// 0…30,000; more counts as 30,000.
    var waitMs: Int64 = 0

    init(of request: Request) throws {
        let query = request.uri.queryParameters
        if let text = query["after"] {
            guard let value = Int64(text) else { throw RequestError.invalid("after", "a profile version is a whole number.") }
            after = value
        }
        if let text = query["wait"] {
            guard let value = Int64(text), value >= 0 else {
                throw RequestError.invalid("wait", "milliseconds, a whole number from 0 to 30000.")
            }
            waitMs = min(value, Self.longest)
        }
    }
}
