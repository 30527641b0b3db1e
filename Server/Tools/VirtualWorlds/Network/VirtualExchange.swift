// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallWire
import Synchronization

/// One request and its answer, as the phone's end of the connection has them. Ends once: complete, broken, or given up.
final class VirtualExchange: Sendable {
    private enum Stage {
        case sent(CheckedContinuation<TransportAnswer, any Error>?)
        case answering(AsyncThrowingStream<Data, any Error>.Continuation)
        case over
    }

    private struct State {
        var stage = Stage.sent(nil)
        var lastByteAt: Duration
        var error: (any Error)?
        var early: TransportAnswer?
    }

    /// Counts the exchanges of one launch.
    let number: Int
    private let clock: PhoneClock
    private let idleLimit: Duration
    private let state: Mutex<State>

    init(_ number: Int, _ clock: PhoneClock, idleLimit: Duration) {
        self.number = number
        self.clock = clock
        self.idleLimit = idleLimit
        state = Mutex(State(lastByteAt: clock.elapsed))
        watchIdleness(from: clock.elapsed)
    }

    var isOver: Bool { state.withLock { if case .over = $0.stage { true } else { false } } }

    /// Waits for the head of the answer.
    func answer() async throws -> TransportAnswer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let early = state.withLock { state -> Result<TransportAnswer, any Error>? in
                    if let error = state.error { return .failure(error) }
                    if let answer = state.early { return .success(answer) }
                    state.stage = .sent(waiter)
                    return nil
                }
                if let early { waiter.resume(with: early) }
            }
        } onCancel: {
            fail(CancellationError())
        }
    }

    func head(_ status: Int, _ headers: [String: String]) {
        let (stream, body) = AsyncThrowingStream<Data, any Error>.makeStream()
        body.onTermination = { [weak self] _ in self?.over() }
        let answer = TransportAnswer(status: status, headers: headers, body: stream)
        let waiter = state.withLock { state -> CheckedContinuation<TransportAnswer, any Error>? in
            guard case .sent(let waiter) = state.stage else { return nil }
            state.lastByteAt = clock.elapsed
            state.stage = .answering(body)
            if waiter == nil { state.early = answer }
            return waiter
        }
        waiter?.resume(returning: answer)
    }

    func bytes(_ bytes: Data) {
        let body = state.withLock { state -> AsyncThrowingStream<Data, any Error>.Continuation? in
            guard case .answering(let body) = state.stage else { return nil }
            state.lastByteAt = clock.elapsed
            return body
        }
        body?.yield(bytes)
    }

    func end() {
        if case .answering(let body) = over() { body.finish() }
    }

    func fail(_ error: any Error) {
        switch over(error) {
        case .sent(let waiter): waiter?.resume(throwing: error)
        case .answering(let body): body.finish(throwing: error)
        case .over: break
        }
    }

    @discardableResult
    private func over(_ error: (any Error)? = nil) -> Stage {
        let before = state.withLock { state in
            defer { state.stage = .over }
            if case .sent = state.stage { state.error = error ?? TransportError(.connectionFailed) }
            return state.stage
        }
        return before
    }

    private func watchIdleness(from time: Duration) {
        clock.at(time + idleLimit) { [weak self] in
            guard let self, !isOver else { return }
            let last = state.withLock { $0.lastByteAt }
            if clock.elapsed >= last + idleLimit { fail(TransportError(.timedOut)) } else { watchIdleness(from: last) }
        }
    }
}
