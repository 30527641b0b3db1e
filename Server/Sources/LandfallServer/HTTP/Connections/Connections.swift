// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Synchronization

/// The open connections of this node's listener, and their limit.
///
/// A few seats are reserved for connections above the limit: such a client gets one answer, either that of a probe or an error
/// that tells it to retry. A node that is merely full must not be restarted.
package final class Connections: Sendable {
    /// The place of one connection, until it closes.
    struct Seat: Hashable, Sendable {
        /// Above the limit of connections.
        let isSpare: Bool
        fileprivate let network: ClientNetwork?
    }

    struct Refused: Error { let limit: Limit }

    /// Seats above the limit, for one short answer each.
    static let spare = 32
    /// One address may have a sixteenth of all connections: thousands of people share the address of a phone network or an
    /// office.
    static let share = 16

    private struct State {
        var count = 0
        var byNetwork: [ClientNetwork: Int] = [:]
    }

    package let most: Int
    let mostOfAddress: Int
    private let proxies: TrustedProxies
    private let state = Mutex(State())

    package init(most: Int = 50_000, proxies: TrustedProxies = .none) {
        self.most = most
        self.mostOfAddress = max(most / Self.share, 16)
        self.proxies = proxies
    }

    package var count: Int { state.withLock { $0.count } }

    /// - Parameter peer: the other end. An address that may stand for many clients (a proxy, this machine, a private network)
    ///   has no limit of its own.
    func seat(for peer: ClientAddress?) throws(Refused) -> Seat {
        let network = peer.flatMap { proxies.contains($0) || $0.isNobodys ? nil : ClientNetwork(of: $0) }
        let (seat, limit) = state.withLock { state -> (Seat?, Limit?) in
            if state.count >= most + Self.spare { return (nil, .connections) }
            if let network {
                let open = state.byNetwork[network, default: 0]
                if open >= mostOfAddress { return (nil, .connectionsByAddress) }
                state.byNetwork[network] = open + 1
            }
            state.count += 1
            return (Seat(isSpare: state.count > most, network: network), nil)
        }
        guard let seat else { throw Refused(limit: limit ?? .connections) }
        return seat
    }

    /// Call it once for each seat.
    func leave(_ seat: Seat) {
        state.withLock { state in
            state.count -= 1
            guard let network = seat.network, let open = state.byNetwork[network] else { return }
            state.byNetwork[network] = open > 1 ? open - 1 : nil
        }
    }
}

extension RequestError {
    static let full = RequestError(
        .busy, "This node has as many connections as it may. Try again in a moment.", retryAfter: 1, limit: .connections)
}
