// SPDX-License-Identifier: Apache-2.0
#if HTTPS
import AsyncHTTPClient
import Synchronization

/// Clients that connect a host to one address, whatever DNS says. Each keeps its connection for the next call: the shared client would
/// give it to a call of the host that may go elsewhere.
final class PinnedClients: Sendable {
    struct Pin: Hashable, Sendable {
        let host: String
        /// In digits.
        let address: String
    }

    private struct Entry {
        let client: HTTPClient
        var calls = 0
        /// The greatest is the one that was used last.
        var turn = 0
    }

    private struct State {
        var entries: [Pin: Entry] = [:]
        var turn = 0
        var isOver = false
    }

    /// Of those without a call. Further ones are only as many as there are calls.
    static let most = 8

    private let state = Mutex(State())
    private let make: @Sendable (Pin) -> HTTPClient

    init(make: @escaping @Sendable (Pin) -> HTTPClient) { self.make = make }

    var count: Int { state.withLock(\.entries.count) }

    func with<Value>(_ pin: Pin, _ body: (HTTPClient) async throws -> Value) async throws -> Value {
        let client = try take(pin)
        do {
            let value = try await body(client)
            await giveBack(pin)
            return value
        } catch {
            await giveBack(pin)
            throw error
        }
    }

    /// Closes all connections; calls fail from then on.
    func shutDown() async {
        let clients = state.withLock { state in
            state.isOver = true
            defer { state.entries = [:] }
            return state.entries.values.map(\.client)
        }
        for client in clients { try? await client.shutdown() }
    }

    private func take(_ pin: Pin) throws -> HTTPClient {
        try state.withLock { state in
            guard !state.isOver else { throw CancellationError() }
            var entry = state.entries[pin] ?? Entry(client: make(pin))
            state.turn += 1
            entry.calls += 1
            entry.turn = state.turn
            state.entries[pin] = entry
            return entry.client
        }
    }

    private func giveBack(_ pin: Pin) async {
        let unused = state.withLock { state -> HTTPClient? in
            state.entries[pin]?.calls -= 1
            guard state.entries.count > Self.most,
                let oldest = state.entries.filter({ $0.value.calls == 0 }).min(by: { $0.value.turn < $1.value.turn })
            else { return nil }
            state.entries[oldest.key] = nil
            return oldest.value.client
        }
        try? await unused?.shutdown()
    }
}
#endif
