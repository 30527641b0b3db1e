// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Synchronization

/// The connections that are open on this node's listener, and how many may be.
///
/// A connection too many is still taken where a few seats are left beside: it is told to come back, and asked whether it is
/// a probe. A node that is merely full is not one to be restarted.
final class Connections: Sendable {
    /// A connection's, until it has left.
    struct Seat: Hashable, Sendable {
        /// Beyond as many as may be.
        let isSpare: Bool
        fileprivate let network: ClientNetwork?
    }

    struct Refused: Error { let bound: Bound }

    /// Beside the others, for one short answer each.
    static let spare = 32
    /// Of all, what one address may have: a phone network or an office has thousands of people behind one.
    static let share = 16

    private struct State {
        var count = 0
        var byNetwork: [ClientNetwork: Int] = [:]
    }

    let most: Int
    let mostOfAddress: Int
    private let proxies: TrustedProxies
    private let state = Mutex(State())

    init(most: Int = 50_000, proxies: TrustedProxies = .none) {
        self.most = most
        self.mostOfAddress = max(most / Self.share, 16)
        self.proxies = proxies
    }

    var count: Int { state.withLock { $0.count } }

    /// - Parameter peer: the other end. One that may speak for many, a proxy, this machine or a private network, has no bound
    ///   of its own.
    func seat(for peer: ClientAddress?) throws(Refused) -> Seat {
        let network = peer.flatMap { proxies.contains($0) || $0.isNobodys ? nil : ClientNetwork(of: $0) }
        let (seat, bound) = state.withLock { state -> (Seat?, Bound?) in
            if state.count >= most + Self.spare { return (nil, .connections) }
            if let network {
                let open = state.byNetwork[network, default: 0]
                if open >= mostOfAddress { return (nil, .connectionsByAddress) }
                state.byNetwork[network] = open + 1
            }
            state.count += 1
            return (Seat(isSpare: state.count > most, network: network), nil)
        }
        guard let seat else { throw Refused(bound: bound ?? .connections) }
        return seat
    }

    /// Once for each seat.
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
        .busy, "This node has as many connections as it may. Try again in a moment.", retryAfter: 1, bound: .connections)
}
