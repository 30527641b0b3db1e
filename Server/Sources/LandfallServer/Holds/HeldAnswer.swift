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

    let held: HeldAnswers
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
        if held.configuration.snapshot !== snapshot, let answer = try await answer(after: SharedLook()) { return answer }
        while let hold {
            let leftMs = max(0, endsAtMs - held.time.nowMs())
            switch await hold.wait(for: .milliseconds(leftMs), time: held.time) {
            case .changed(let shared):
                try Task.checkCancellation()
                if let answer = try await answer(after: shared) { return answer }
            case .time:
                try Task.checkCancellation()
                if held.time.nowMs() >= endsAtMs { return try await last() }
            case .replaced, .stopping: return try await last()
            }
        }
        return try await last()
    }

    /// Proves the caller. Nil where the answer is worth holding and may be held.
    private func first(_ hold: Hold?) async throws -> Answer<Value>? {
        let seen = try await held.look(as: caller, credential)
        let answer = try look(seen.install, seen.nowMs, snapshot)
        if !answer.isDone, let hold, held.time.nowMs() < endsAtMs, held.holds.admit(hold) { return nil }
        return Answer(answer.value)
    }

    private func answer(after shared: SharedLook) async throws -> Answer<Value>? {
        let seen = try await held.look(shared, as: caller, credential)
        let answer = try look(seen.install, seen.nowMs, held.configuration.snapshot)
        guard answer.isDone else { return nil }
        return Answer(bytes: try shared.bytes(of: answer.question) { answer.value.jsonBytes() })
    }

    private func last() async throws -> Answer<Value> {
        let seen = try await held.look(as: caller, credential)
        return Answer(try look(seen.install, seen.nowMs, held.configuration.snapshot).value)
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
