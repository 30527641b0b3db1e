// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import Landfall

/// A small server in memory: handlers by method and path, answers whose bodies the test writes, a record of every request.
///
/// ```swift
/// let server = ScriptedTransport()
/// let body = ScriptedBody()
/// server.on("POST", WirePath.firstOpen) { _ in ScriptedAnswer(body: body) }
/// ```
/// A path without a handler answers 404 `not_found`. Callable from any thread.
public final class ScriptedTransport: Transport, Sendable {
    /// Answers one request. It may suspend (on a ``ManualClock``, for example) and may throw, like a broken network.
    public typealias Handler = @Sendable (TransportRequest) async throws -> ScriptedAnswer

    private struct State: Sendable {
        var handlers: [String: Handler] = [:]
        var fallback: Handler?
        var requests: [TransportRequest] = []
        var openExchanges = 0
        var ignoresCancellation = false
        var isOffline = false
    }

    private let state = Watched(State())

    /// A server without handlers.
    public init() {}

    /// Answers this method and path (without query) from now on; replaces an earlier handler.
    public func on(_ method: String, _ path: String, _ handler: @escaping Handler) {
        state.withLock { $0.handlers["\(method) \(path)"] = handler }
    }

    /// Answers every method and path without a handler, in place of 404.
    public func onAnythingElse(_ handler: @escaping Handler) { state.withLock { $0.fallback = handler } }

    /// Every request so far, in order of arrival.
    public var requests: [TransportRequest] { state.withLock { $0.requests } }

    /// The requests so far with this method and path.
    public func requests(_ method: String, _ path: String) -> [TransportRequest] {
        requests.filter { $0.method == method && $0.url.path == path }
    }

    /// How many exchanges are under way: from the request until the body has ended or was abandoned.
    public var openExchanges: Int { state.withLock { $0.openExchanges } }

    /// If true, `send` ignores the cancellation of its task and continues until its handler returns, like badly behaved code.
    /// Default false.
    public var ignoresCancellation: Bool {
        get { state.withLock { $0.ignoresCancellation } }
        set { state.withLock { $0.ignoresCancellation = newValue } }
    }

    /// If true, every request fails as on a phone without a network path; it is still recorded. Default false.
    public var isOffline: Bool {
        get { state.withLock { $0.isOffline } }
        set { state.withLock { $0.isOffline = newValue } }
    }

    /// Returns once this number of requests with this method and path has arrived, or the calling task is cancelled.
    public func waitForRequests(_ method: String, _ path: String, count: Int = 1) async {
        await state.wait { state in
            state.requests.count { $0.method == method && $0.url.path == path } >= count
        }
    }

    /// Returns once no exchange is under way, or the calling task is cancelled.
    public func waitUntilIdle() async { await state.wait { $0.openExchanges == 0 } }

    /// Records the request and returns its handler's answer.
    /// - Throws: what the handler throws; an offline `TransportError` while ``isOffline``; `CancellationError`.
    public func send(_ request: TransportRequest) async throws -> TransportAnswer {
        let (handler, ignoresCancellation, isOffline) = state.withLock { state in
            state.requests.append(request)
            state.openExchanges += 1
            return (
                state.handlers["\(request.method) \(request.url.path)"] ?? state.fallback, state.ignoresCancellation,
                state.isOffline
            )
        }
        do {
            if isOffline { throw TransportError(.offline) }
            let answer: ScriptedAnswer
            if let handler, ignoresCancellation {
                // A separate task, which cancellation does not reach.
                answer = try await Task { try await handler(request) }.value
            } else {
                answer = try await handler?(request) ?? .problem(404, .notFound)
                try Task.checkCancellation()
            }
            return TransportAnswer(status: answer.status, headers: answer.headers, body: stream(answer.body))
        } catch {
            close()
            throw error
        }
    }

    private func stream(_ body: ScriptedAnswer.Body) -> AsyncThrowingStream<Data, any Error> {
        switch body {
        case .written(let body): return body.stream { self.close() }
        case .whole(let data):
            return AsyncThrowingStream { reader in
                if !data.isEmpty { reader.yield(data) }
                reader.finish()
                close()
            }
        }
    }

    private func close() { state.withLock { $0.openExchanges -= 1 } }
}
