// SPDX-License-Identifier: Apache-2.0
#if canImport(AdServices)
internal import AdServices
internal import Foundation
public import Landfall

/// Asks AdServices for the install's ad token.
///
/// Apple's call blocks and sometimes hangs, so it runs on a separate thread. A call that exceeds the limit is abandoned. At
/// most one call is under way; callers share it, and if its answer comes too late, the next caller gets it at once.
public final class AdServicesTokenSource: AdTokenSource {
    private struct State {
        var isAsking = false
        var lastID = 0
        var waiting: [Int: CheckedContinuation<String, any Error>] = [:]
        /// The token that arrived when no caller waited any more.
        var late: (token: String, at: Duration)?

        mutating func takeLateToken(now: Duration) -> String? {
            defer { late = nil }
            return late.flatMap { now - $0.at <= keepsLateToken ? $0.token : nil }
        }
    }

    /// Apple accepts a token for 24 hours; one that is older than this is not worth sending.
    private static let keepsLateToken = Duration.seconds(3600)

    private let limit: Duration
    private let time: LandfallTime
    private let state = Locked(State())

    /// Each caller waits for at most `limit`: 0…1 day, default 60 s. The client itself waits for 10 s; what comes later is still sent.
    public init(limit: Duration = .seconds(60), time: LandfallTime = .live) {
        self.limit = min(max(limit, .zero), .seconds(86_400))
        self.time = time
    }

    public func token() async throws -> String {
        let deadline = time.now() + limit
        return try await withThrowingTaskGroup(of: String.self) { group in
            group.addTask { try await self.answer() }
            group.addTask { [time, limit] in
                try await time.sleep(deadline)
                throw AdTokenError.failed("AdServices did not answer within \(limit)")
            }
            do {
                for try await token in group {
                    group.cancelAll()
                    return token
                }
            } catch {
                group.cancelAll()
                // An answer may have come at the same instant: then it is used.
                while let result = await group.nextResult() { if case .success(let token) = result { return token } }
                throw error
            }
            throw CancellationError()
        }
    }

    private func answer() async throws -> String {
        let now = time.now()
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { caller in
                let (answer, mustAsk): (Result<String, any Error>?, Bool) = state.withLock { state in
                    if Task.isCancelled { return (.failure(CancellationError()), false) }
                    if let late = state.takeLateToken(now: now) { return (.success(late), false) }
                    state.waiting[id] = caller
                    defer { state.isAsking = true }
                    return (nil, !state.isAsking)
                }
                if let answer { caller.resume(with: answer) }
                if mustAsk { ask() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())
        }
    }

    private func ask() {
        let thread = Thread { [state, time] in
            Thread.current.name = "landfall.token"
            let result = Result { try AAAttribution.attributionToken() }.mapError(Self.adTokenError)
            let now = time.now()
            let waiting = state.withLock { state in
                defer { state.waiting = [:] }
                state.isAsking = false
                if state.waiting.isEmpty, case .success(let token) = result { state.late = (token, now) }
                return state.waiting
            }
            for caller in waiting.values { caller.resume(with: result) }
        }
        thread.qualityOfService = .userInitiated
        thread.start()
    }

    private static func adTokenError(_ error: any Error) -> any Error {
        guard let error = error as? AAAttributionError else { return AdTokenError.failed(error.inWords) }
        return switch error.code {
        case .platformNotSupported: AdTokenError.unsupported
        case .networkError: AdTokenError.network
        default: AdTokenError.failed("AdServices answered with error \(error.errorCode)")
        }
    }
}
#endif
