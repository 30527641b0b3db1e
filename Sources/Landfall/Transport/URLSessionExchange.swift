// SPDX-License-Identifier: Apache-2.0
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// One request of ``URLSessionTransport``, from its start to the end of its body.
final class URLSessionExchange: Sendable {
    typealias Body = AsyncThrowingStream<Data, any Error>

    private enum Phase {
        case idle
        case waiting(CheckedContinuation<TransportAnswer, any Error>)
        case streaming(Body.Continuation, received: Int)
        case over
    }

    /// What a part of a body counts at least, because it also needs memory of its own.
    private static let smallestPart = 64

    private struct State {
        var phase = Phase.idle
        /// nil until the session has made it.
        var task: URLSessionDataTask?
        var lastByteAt = ContinuousClock.now
        var idleLimit = Duration.zero
        /// Ends the exchange when nothing arrives; cancelled when the exchange is over.
        var idleWatch: Task<Void, any Error>?
    }

    private let limits: Limits
    private let stop: @Sendable (URLSessionTask) -> Void
    private let onEnd: @Sendable (URLSessionTask) -> Void
    private let state: Locked<State>

    struct Limits: Sendable {
        /// The exchange ends after so long without a byte.
        var idle: Duration
        /// The same once the head has come with the body's length: then the body is ready, and silence means that the connection
        /// is dead.
        var rest: Duration
        /// In bytes: the exchange ends with a larger body.
        var body: Int
    }

    /// - Parameter stop: cancels the task; blocks nobody.
    init(
        _ limits: Limits, stop: @escaping @Sendable (URLSessionTask) -> Void, onEnd: @escaping @Sendable (URLSessionTask) -> Void
    ) {
        self.stop = stop
        state = Locked(State(idleLimit: limits.idle))
        self.limits = limits
        self.onEnd = onEnd
    }

    /// From here on the limits hold.
    /// - Returns: true if the exchange now needs its task.
    func start(answering head: CheckedContinuation<TransportAnswer, any Error>) -> Bool {
        let isCancelled = state.withLock { state in
            guard case .idle = state.phase else { return true }
            state.phase = .waiting(head)
            state.lastByteAt = .now
            state.idleWatch = watch()
            return false
        }
        if isCancelled { head.resume(throwing: CancellationError()) }
        return !isCancelled
    }

    func begin(_ task: URLSessionDataTask) {
        let isOver = state.withLock { state in
            if case .over = state.phase { return true }
            state.task = task
            return false
        }
        if isOver { leave(task, isTaskOver: false) } else { task.resume() }
    }

    private func leave(_ task: URLSessionTask, isTaskOver: Bool) {
        if !isTaskOver { stop(task) }
        onEnd(task)
    }

    private func watch() -> Task<Void, any Error> {
        Task { [weak self] in
            while let end = self?.state.withLock({ $0.lastByteAt + $0.idleLimit }) {
                try await Task.sleep(until: end, tolerance: .zero, clock: .continuous)
                self?.endIfIdle()
            }
        }
    }

    /// Ends the exchange for its caller at once, whatever the session does about it and when.
    func cancel() { end(CancellationError()) }

    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else {
            return end(TransportError(.connectionFailed, detail: "The answer is not HTTP."))
        }
        let (stream, body) = Body.makeStream()
        body.onTermination = { [weak self] _ in self?.cancel() }
        let isLengthKnown = response.expectedContentLength >= 0
        let waiting: (head: CheckedContinuation<TransportAnswer, any Error>, endedWatch: Task<Void, any Error>?)?
        waiting = state.withLock { state in
            guard case .waiting(let head) = state.phase else { return nil }
            state.phase = .streaming(body, received: 0)
            state.lastByteAt = .now
            guard isLengthKnown else { return (head, nil) }
            let watchBefore = state.idleWatch
            state.idleLimit = min(limits.idle, limits.rest)
            state.idleWatch = watch()
            return (head, watchBefore)
        }
        waiting?.endedWatch?.cancel()
        waiting?.head.resume(returning: TransportAnswer(status: response.statusCode, headers: response.lowerCasedHeaders, body: stream))
    }

    func receive(_ data: Data) {
        let accepted: (body: Body.Continuation, isTooLarge: Bool)? = state.withLock { state in
            guard case .streaming(let body, var received) = state.phase else { return nil }
            received += max(data.count, Self.smallestPart)
            state.phase = .streaming(body, received: received)
            state.lastByteAt = .now
            return (body, received > limits.body)
        }
        guard let accepted else { return }
        // Outside of the lock: yielding wakes the reader, and a reader that is being cancelled at this moment holds its own
        // lock while it waits for ours. The session's queue is serial, so chunks stay in order.
        guard accepted.isTooLarge else {
            accepted.body.yield(data)
            return
        }
        end(TransportError(.connectionFailed, detail: "The answer is larger than \(limits.body) bytes."))
    }

    /// The head is the whole answer.
    func leaveBody() { end(nil) }

    /// The task has ended by itself.
    func complete(_ error: (any Error)?) { end(error.map(Self.transportError), isTaskOver: true) }

    private func endIfIdle() {
        let (isIdle, limit) = state.withLock { ($0.lastByteAt + $0.idleLimit <= .now, $0.idleLimit) }
        if isIdle { end(TransportError(.timedOut, detail: "Nothing arrived for \(limit).")) }
    }

    private func end(_ error: (any Error)?, isTaskOver: Bool = false) {
        let (last, idleWatch, task) = state.withLock { state in
            defer { state = State(phase: .over) }
            return (state.phase, state.idleWatch, state.task)
        }
        idleWatch?.cancel()
        // Outside of the lock: finishing the body calls its termination handler, which comes back here and finds `over`.
        switch last {
        case .over: return
        case .idle: break
        case .waiting(let head):
            head.resume(throwing: error ?? TransportError(.connectionFailed, detail: "The connection ended without an answer."))
        case .streaming(let body, _): body.finish(throwing: error)
        }
        if let task { leave(task, isTaskOver: isTaskOver) }
    }

    static func transportError(_ error: any Error) -> any Error {
        guard let error = error as? URLError else { return TransportError(.connectionFailed, detail: error.inWords) }
        let detail = error.inWords
        switch error.code {
        case .cancelled: return CancellationError()
        // Only where the system itself says that there is no path: a host that cannot be reached is another matter.
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff: return TransportError(.offline, detail: detail)
        case .timedOut: return TransportError(.timedOut, detail: detail)
        case .cannotFindHost, .dnsLookupFailed:
            return TransportError(.connectionFailed, detail: "The server's name cannot be resolved.", isHostUnknown: true)
        case .cannotConnectToHost:
            return TransportError(.connectionFailed, detail: "Nothing accepts connections at the server's address.")
        default: return TransportError(.connectionFailed, detail: detail)
        }
    }
}

extension HTTPURLResponse {
    fileprivate var lowerCasedHeaders: [String: String] {
        var headers: [String: String] = [:]
        for (name, value) in allHeaderFields { headers["\(name)".lowercased()] = "\(value)" }
        return headers
    }
}
