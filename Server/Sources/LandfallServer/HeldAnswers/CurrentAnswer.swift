// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallWire
import NIOCore

/// What a held call would answer after one look.
struct CurrentAnswer<Value: JSONWritable>: Sendable {
    let value: Value
    let question: SharedRead.Question
    /// True if nothing is waited for any more: the answer can be sent.
    let isDone: Bool
    /// When it may be done by itself, if that is before the end of the wait.
    var nextLookMs: Int64?
    /// Assigns the install to an experiment: it has to be stored before the answer is sent.
    var enrolling: Enrollment?
}

/// One call whose answer may be held, from its first look to its last. It keeps nothing of the install between two looks.
struct HeldCall<Value: JSONWritable> {
    typealias Look = @Sendable (Install, _ nowMs: Int64, Snapshot) throws -> CurrentAnswer<Value>

    let held: HeldCalls
    let caller: Caller
    let credential: Credential
    /// As the call names it.
    let device: String?
    /// The configuration of the request, for its first look; later looks use the version that is served then.
    let snapshot: Snapshot
    let endsAtMs: Int64
    let look: Look

    /// If the node, the caller's address or the install already holds its maximum, the first look is the answer.
    func answer(_ hold: HeldAnswer?) async throws -> Answer<Value> {
        // The wait is as long as the caller asked, also if the machine's calendar is set meanwhile. Looks are of the calendar.
        let steady = SteadyTime(held.time)
        var nextLookMs: Int64?
        if let answer = try await first(hold, &nextLookMs) { return answer }
        // A version published before the hold was taken did not wake this call.
        if held.configuration.snapshot !== snapshot, let answer = try await answer(after: SharedRead(), &nextLookMs) { return answer }
        while let hold {
            let lookInMs = nextLookMs.map { $0 - held.time.nowMs() } ?? .max, leftMs = max(0, min(endsAtMs - steady.nowMs(), lookInMs))
            switch await hold.wait(for: .milliseconds(leftMs), time: held.time) {
            case .changed(let shared):
                try Task.checkCancellation()
                if let answer = try await answer(after: shared, &nextLookMs) { return answer }
            case .time:
                try Task.checkCancellation()
                let nowMs = held.time.nowMs()
                if steady.nowMs() >= endsAtMs { return try await last() }
                if let lookMs = nextLookMs, nowMs >= lookMs, let answer = try await answer(after: SharedRead(), &nextLookMs) { return answer }
            case .replaced, .stopping: return try await last()
            }
        }
        return try await last()
    }

    /// Authenticates the caller. Nil if the answer is worth holding and may be held.
    private func first(_ hold: HeldAnswer?, _ nextLookMs: inout Int64?) async throws -> Answer<Value>? {
        let seen = try await held.look(as: caller, credential, device: device)
        let answer = try look(seen.install, seen.nowMs, snapshot)
        nextLookMs = answer.nextLookMs
        if !answer.isDone, let hold, held.time.nowMs() < endsAtMs, held.holds.admit(hold) { return nil }
        return Answer(try await value(of: answer))
    }

    /// The value, after its assignment is stored. If storing fails, the answer is sent all the same: the draw gives the same.
    private func value(of answer: CurrentAnswer<Value>) async throws -> Value {
        guard let enrolling = answer.enrolling else { return answer.value }
        let nowMs = held.time.nowMs()
        guard let stored = try await held.enrolled(by: enrolling, as: caller, credential, nowMs: nowMs) else { return answer.value }
        return try look(stored, nowMs, enrolling.snapshot).value
    }

    private func answer(after shared: SharedRead, _ nextLookMs: inout Int64?) async throws -> Answer<Value>? {
        let seen = try await held.look(shared, as: caller, credential, device: device)
        let answer = try look(seen.install, seen.nowMs, held.configuration.snapshot)
        nextLookMs = answer.nextLookMs
        guard answer.isDone else { return nil }
        guard answer.enrolling == nil else { return Answer(try await value(of: answer)) }
        return Answer(bytes: try shared.bytes(of: answer.question) { answer.value.jsonBytes() })
    }

    private func last() async throws -> Answer<Value> {
        let seen = try await held.look(as: caller, credential, device: device)
        return Answer(try await value(of: look(seen.install, seen.nowMs, held.configuration.snapshot)))
    }
}
