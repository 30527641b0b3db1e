// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

extension VirtualServer {
    /// The whole answer; nil while nobody answers.
    /// - Parameter place: the node; nil: whichever the balancer chooses.
    func answer(to request: VirtualRequest, at place: Int? = nil) async -> OneAnswer.Answer? {
        await withCheckedContinuation { waiter in
            let connection = OneAnswer(waiter)
            if let place { accept(request, connection, at: place) } else { accept(request, connection) }
        }
    }
}

/// Collects one answer, without a network between.
final class OneAnswer: VirtualConnection {
    struct Answer: Sendable {
        var status = 0
        var headers: [String: String] = [:]
        var body = Data()
    }

    private struct State {
        var waiter: CheckedContinuation<Answer?, Never>?
        var answer = Answer()
    }

    private let state: Mutex<State>

    init(_ waiter: CheckedContinuation<Answer?, Never>) { state = Mutex(State(waiter: waiter)) }

    func head(_ status: Int, _ headers: [String: String]) {
        state.withLock { ($0.answer.status, $0.answer.headers) = (status, headers) }
    }

    func bytes(_ bytes: Data) { state.withLock { $0.answer.body.append(bytes) } }
    func end() { finish(isWhole: true) }
    func broke() { finish(isWhole: false) }

    private func finish(isWhole: Bool) {
        let (waiter, answer) = state.withLock { state in
            defer { state.waiter = nil }
            return (state.waiter, state.answer)
        }
        waiter?.resume(returning: isWhole ? answer : nil)
    }
}
