// SPDX-License-Identifier: Apache-2.0
import Landfall
import Synchronization

/// The real transport of one launch, watched: counts what leaves the phone, and lets nothing leave without a network.
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
        requests.increment()
        return try await transport.send(request)
    }
}

/// How many requests left a phone in one launch.
final class RequestCount: Sendable {
    private let count = Atomic(0)
    func increment() { count.add(1, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
}

/// AdServices of one launch: hands out a simulated token after a while, and notes when.
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
