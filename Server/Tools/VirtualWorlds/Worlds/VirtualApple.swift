// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSimulator
import LandfallStore
import LandfallWire
import Synchronization

/// Apple's attribution service in virtual time: what a token leads to is written in it, see ``SimulatedToken``.
final class VirtualApple: Sendable {
    /// When an answer that settles a token reached the server, by the token's text.
    private struct State {
        var attempts: [String: Int] = [:]
        var settledAt: [String: Duration] = [:]
        var orders: [String: SimulatedToken] = [:]
        /// The nodes that ask about a token at this moment.
        var asking: [String: [NodeName]] = [:]
    }

    private let clock: VirtualClock
    private let trace: VirtualTrace
    private let state = Mutex(State())

    init(_ clock: VirtualClock, _ trace: VirtualTrace) {
        self.clock = clock
        self.trace = trace
    }

    /// The server has lost its store, and with it everything that it was told.
    func serverWasWiped() { state.withLock { $0.settledAt = [:] } }

    /// When the server knew what this token leads to; nil while it does not.
    func settledAt(_ token: String) -> Duration? { state.withLock { $0.settledAt[token] } }

    /// N1: while one node asks about a token, no other node does, unless the first one is dead.
    /// - Parameter board: nil if there is one node.
    func answer(to token: String, askedBy node: NodeName, _ board: NodeBoard?) async throws -> (status: Int, body: [UInt8]) {
        guard let board else { return try await answer(to: token) }
        let others = state.withLock { state in
            defer { state.asking[token, default: []].append(node) }
            return state.asking[token, default: []].filter { $0 != node }
        }
        defer {
            state.withLock { state in
                if let place = state.asking[token]?.firstIndex(of: node) { state.asking[token]?.remove(at: place) }
            }
        }
        for other in others where board.isRunning(other) {
            trace.broke("N1", "\(node.text) and \(other.text) ask about \(token) at the same time")
        }
        return try await answer(to: token)
    }

    func answer(to token: String) async throws -> (status: Int, body: [UInt8]) {
        guard let order = order(token) else { return (400, []) }
        let attempt = state.withLock { state in
            defer { state.attempts[token, default: 0] += 1 }
            return state.attempts[token, default: 0]
        }
        let ending = order.reply(toAttempt: attempt)
        if case .silence = ending { try await clock.sleep(for: .seconds(300)) }
        try await clock.sleep(for: order.delay)
        try Task.checkCancellation()
        trace.say("apple: answers attempt \(attempt + 1) of \(token)")
        switch ending {
        case .silence: return (500, [])
        case .garbage: return (200, Array(#"{"attribution": true, "campaignId": "#.utf8))
        case .status(let status):
            let isLast = status == 400 || status == 404 && attempt >= order.failures + 2
            if isLast { settled(token) }
            return (status, [])
        case .answer(let answer):
            settled(token)
            return (200, Array(try WireCoding.encode(answer)))
        }
    }

    /// Read once, because it is needed often.
    private func order(_ token: String) -> SimulatedToken? {
        state.withLock { state in
            if let known = state.orders[token] { return known }
            state.orders[token] = SimulatedToken(token)
            return state.orders[token]
        }
    }

    private func settled(_ token: String) {
        state.withLock { if $0.settledAt[token] == nil { $0.settledAt[token] = clock.elapsed } }
    }
}
