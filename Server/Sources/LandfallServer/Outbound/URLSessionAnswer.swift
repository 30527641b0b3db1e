// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSession {
    /// As `data(for:)`, whose caller on Linux may wait for ever if it is cancelled while the answer comes: Foundation stops a request under
    /// the lock of the task that the answer needs, and waits there for the queue that brings the answer.
    func answer(to request: URLRequest) async throws -> (body: Data, response: HTTPURLResponse) {
        let call = CancellableCall()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { answer in
                let task = dataTask(with: request) { body, response, error in
                    guard let body, let response = response as? HTTPURLResponse else {
                        return answer.resume(throwing: error ?? URLError(.badServerResponse))
                    }
                    answer.resume(returning: (body, response))
                }
                call.begin(task)
            }
        } onCancel: {
            call.cancel()
        }
    }
}

/// A request that may be cancelled before, while and after it begins. Neither the lock nor the caller's thread is held while it is stopped.
private final class CancellableCall: Sendable {
    private enum State { case waiting, running(URLSessionTask), cancelled }

    private let state = Mutex(State.waiting)

    func begin(_ task: URLSessionTask) {
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .running(task)
            return false
        }
        task.resume()
        if isCancelled { stop(task) }
    }

    func cancel() {
        let running: URLSessionTask? = state.withLock { state in
            defer { state = .cancelled }
            guard case .running(let task) = state else { return nil }
            return task
        }
        if let running { stop(running) }
    }

    private func stop(_ task: URLSessionTask) { DispatchQueue.global().async { task.cancel() } }
}
