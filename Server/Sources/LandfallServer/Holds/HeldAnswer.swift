// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension Services {
    /// Answers with what `look` sees, again at every change, until it says that this is worth answering or the wait is over.
    /// Where the node holds as many as it may, the first look is the answer.
    func held<Value: Sendable>(
        _ caller: Caller, waitMs: Int64, _ look: @Sendable (Install, _ nowMs: Int64) throws -> (Value, isDone: Bool)
    ) async throws -> Value {
        let credential = try caller.requireCredential()
        let endsAtMs = time.nowMs() + waitMs
        let hold = waitMs > 0 ? holds.take(.plain, app: caller.app, install: credential.installID) : nil
        defer { if let hold { holds.release(hold) } }
        while true {
            let nowMs = time.nowMs()
            let (value, isDone) = try look(try await installs.install(caller.app, credential, nowMs: nowMs), nowMs)
            guard !isDone, let hold, time.nowMs() < endsAtMs else { return value }
            switch await hold.wait(for: .milliseconds(endsAtMs - time.nowMs()), time: time) {
            case .changed, .time: try Task.checkCancellation()
            case .replaced, .stopping: return value
            }
        }
    }
}
