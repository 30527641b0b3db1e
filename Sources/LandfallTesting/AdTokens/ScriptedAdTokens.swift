// SPDX-License-Identifier: Apache-2.0
public import Landfall

/// Hands out ad tokens by script: the answers in order, then the last one again and again.
public final class ScriptedAdTokens: AdTokenSource, Sendable {
    /// The result of one call.
    public enum Answer: Hashable, Sendable {
        /// A token, at once.
        case token(String)
        /// An error, at once. `unsupported` is final for the client; it tries again after any other.
        case failure(AdTokenError)
        /// Waits until the test calls ``ScriptedAdTokens/release(_:)``, or the caller is cancelled.
        case held
        /// Like `held`, but ignores cancellation, as foreign code may.
        case hung
    }

    private struct State: Sendable {
        var answers: [Answer]
        var askCount = 0
        var released: Answer?
    }

    private let state: Watched<State>

    /// - Parameter answers: at least one.
    public init(_ answers: Answer...) {
        precondition(!answers.isEmpty, "Script at least one answer.")
        state = Watched(State(answers: answers))
    }

    /// How many calls were made.
    public var askCount: Int { state.withLock { $0.askCount } }

    /// Ends every held or hung call with this answer, including later ones.
    /// - Parameter answer: a token or a failure.
    public func release(_ answer: Answer) { state.withLock { $0.released = answer } }

    /// Returns once this number of calls was made, or the calling task is cancelled.
    public func waitForAsks(_ count: Int = 1) async { await state.wait { $0.askCount >= count } }

    /// The next answer of the script. The call is counted before it waits.
    /// - Throws: the scripted error; `CancellationError` if a held call is cancelled.
    public func token() async throws -> String {
        let answer = state.withLock { state in
            state.askCount += 1
            return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
        }
        switch answer {
        case .token, .failure: return try answer.get()
        case .held:
            await state.wait { $0.released != nil }
            try Task.checkCancellation()
        case .hung:
            // A separate task, which cancellation does not reach.
            await Task { [state] in await state.wait { $0.released != nil } }.value
        }
        return try (state.withLock { $0.released } ?? answer).get()
    }
}

extension ScriptedAdTokens.Answer {
    fileprivate func get() throws -> String {
        switch self {
        case .token(let token): return token
        case .failure(let error): throw error
        case .held, .hung: throw AdTokenError.failed("The script released a call without an answer")
        }
    }
}
