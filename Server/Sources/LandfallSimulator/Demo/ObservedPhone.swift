// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import Synchronization

/// The real transport of one launch, observed: counts requests, and blocks all of them without a network.
struct ObservedTransport: Transport {
    private let transport = URLSessionTransport()
    private let isOnline: Bool
    private let requests: RequestCount

    init(isOnline: Bool, counting requests: RequestCount) {
        self.isOnline = isOnline
        self.requests = requests
    }

    func send(_ request: TransportRequest) async throws -> TransportAnswer {
        guard isOnline else { throw TransportError(.offline) }
        let number = requests.increment()
        requests.note("\(number) \(request.method) \(request.url.path)\(request.url.query.map { "?" + $0 } ?? "")")
        do {
            var answer = try await transport.send(request)
            requests.note("\(number) is answered with \(answer.status)")
            answer.body = noted(answer.body, of: number)
            return answer
        } catch {
            requests.note("\(number) fails: \(error)")
            throw error
        }
    }

    /// The body; the arrival of each piece is noted.
    private func noted(_ body: AsyncThrowingStream<Data, any Error>, of number: Int) -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { noted in
            let reading = Task {
                do {
                    for try await piece in body {
                        requests.note("\(number) says \(piece.count) bytes")
                        noted.yield(piece)
                    }
                    noted.finish()
                } catch {
                    requests.note("\(number) breaks off: \(error)")
                    noted.finish(throwing: error)
                }
            }
            noted.onTermination = { _ in reading.cancel() }
        }
    }
}

/// How many requests a phone sent in one launch, and their results.
final class RequestCount: Sendable {
    private let count = Atomic(0)
    private let begun = ContinuousClock.now
    private let lines = Mutex<[String]>([])

    /// - Returns: the request's number, from 1.
    @discardableResult func increment() -> Int { count.add(1, ordering: .relaxed).newValue }
    var value: Int { count.load(ordering: .relaxed) }

    func note(_ what: String) {
        let after = begun.duration(to: .now).inSeconds.rounded(to: 3)
        lines.withLock { $0.append("\(after) s: \(what)") }
    }

    /// Each line with its time since the launch.
    var story: [String] { lines.withLock(\.self) }
}

/// AdServices of one launch: hands out a simulated token after a delay, and records the time.
struct ObservedAdTokens: AdTokenSource {
    let value: String
    let delay: Duration
    let onToken: @Sendable () -> Void

    func token() async throws -> String {
        try await Task.sleep(for: delay)
        onToken()
        return value
    }
}
