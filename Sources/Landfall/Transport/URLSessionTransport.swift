// SPDX-License-Identifier: Apache-2.0
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The live transport: one `URLSession` without cookies, cache or redirects, whose answers arrive as they are received.
///
/// The session is made before the first request, so that `init` costs nothing. Callable from any task.
///
/// On Linux the head and every chunk come as soon as they are on the socket, however small. Apple's `URLSession` holds the
/// first 512 bytes of content types that it sniffs, which is why the server pads the first line and sends `nosniff`.
public final class URLSessionTransport: Transport {
    private let session = Locked<SessionTasks?>(nil)
    private let exchanges = ExchangeDelegate()
    private let restLimit: Duration
    private let largestBody: Int

    public init() { (restLimit, largestBody) = (Self.restLimit, Self.largestBody) }

    init(restLimit: Duration = URLSessionTransport.restLimit, largestBody: Int = URLSessionTransport.largestBody) {
        self.restLimit = restLimit
        self.largestBody = largestBody
    }

    /// How long an answer whose head is there, with the length of its body, may be silent. A lost packet is sent again earlier.
    static let restLimit: Duration = .seconds(2)
    /// In bytes. No answer of a Landfall server is nearly as large. It bounds what a stranger can make the app hold in memory.
    static let largestBody = 16 << 20

    deinit { session.withLock(\.self)?.stopAll() }

    public func send(_ request: TransportRequest) async throws -> TransportAnswer {
        let tasks = liveSession()
        let exchange = URLSessionExchange(
            .init(idle: request.idleLimit.withinADay, rest: restLimit, body: largestBody), stop: { tasks.stop($0) }, onEnd: exchanges.remove)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { head in
                guard exchange.start(answering: head) else { return }
                // Without `self` the session could be over by then: it ends the process if it is asked for a task.
                tasks.make(URLRequest(request)) { [self] task in
                    exchanges.add(exchange, task)
                    exchange.begin(task)
                }
            }
        } onCancel: {
            exchange.cancel()
        }
    }

    /// Makes the session now, off the caller's thread: in a process that has made none it takes some milliseconds.
    func prepare() { _ = liveSession() }

    private func liveSession() -> SessionTasks {
        session.withLock { session in
            if let session { return session }
            let made = SessionTasks(URLSession(configuration: .landfall, delegate: exchanges, delegateQueue: nil))
            session = made
            return made
        }
    }
}

extension URLSessionConfiguration {
    fileprivate static var landfall: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // The path may come while somebody waits, with the answer to the system's question for example. The exchange has a
        // limit of its own. Linux has no such setting: there the client tries again.
        #if !canImport(FoundationNetworking)
        configuration.waitsForConnectivity = true
        #endif
        // A held stream occupies a connection; the default of six could keep plain calls waiting behind streams.
        configuration.httpMaximumConnectionsPerHost = 16
        return configuration
    }
}

extension URLRequest {
    fileprivate init(_ request: TransportRequest) {
        // The exchange keeps the idle limit itself: on Linux the session counts whole seconds and never ends at 0.3 of one.
        self.init(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 90_000)
        httpMethod = request.method
        httpBody = request.body
        httpShouldHandleCookies = false
        for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
    }
}

/// Hands what the session reports to the exchange that it is about.
private final class ExchangeDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Locked<[Int: URLSessionExchange]>([:])

    func add(_ exchange: URLSessionExchange, _ task: URLSessionTask) { exchanges.withLock { $0[task.taskIdentifier] = exchange } }

    @Sendable func remove(_ task: URLSessionTask) { exchanges.withLock { $0[task.taskIdentifier] = nil } }

    private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The redirect itself is the answer, without its body; the client sees that it comes from somebody else.
        exchange(of: task)?.receive(response)
        exchange(of: task)?.leaveBody()
        #if !canImport(FoundationNetworking)
        completionHandler(nil)
        #endif
        // On Linux the handler must not be called: it ends the process if the task was cancelled a moment before.
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchange(of: task)?.complete(error)
    }
}
