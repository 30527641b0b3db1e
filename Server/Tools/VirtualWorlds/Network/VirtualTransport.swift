// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallWire
import Synchronization

/// The network of one launch, between the SDK and the server: delays, loses, doubles, reorders, buffers and answers for others.
final class VirtualTransport: Transport, Sendable {
    private struct State {
        var isDead = false
        var sent: [(at: Duration, label: String)] = []
        var open: [String: Int] = [:]
        var credentials: [String: String] = [:]
        var watcher: (@Sendable (TransportRequest) -> Void)?
    }

    private static let naming = WireHeader.profile.lowercased()

    private let name: String
    private let clock: PhoneClock
    private let server: VirtualServer
    private let trace: VirtualTrace
    private let dice: Dice
    private let condition: @Sendable () -> LinkCondition
    let heard: HeardAnswers
    private let state = Mutex(State())

    init(
        _ name: String, _ clock: PhoneClock, _ server: VirtualServer, _ trace: VirtualTrace, _ dice: Dice,
        condition: @escaping @Sendable () -> LinkCondition
    ) {
        self.name = name
        self.clock = clock
        self.server = server
        self.trace = trace
        self.dice = dice
        self.condition = condition
        heard = HeardAnswers()
    }

    /// The app was killed: what is on its way to the server arrives, nothing comes back and nothing leaves.
    func kill() { state.withLock { $0.isDead = true } }

    /// Requests that left, and when.
    var sent: [(at: Duration, label: String)] { state.withLock { $0.sent } }

    /// Sees every request that leaves.
    func watch(_ watcher: @escaping @Sendable (TransportRequest) -> Void) { state.withLock { $0.watcher = watcher } }

    /// The header fields of the last request that named the installation.
    var credentials: [String: String] { state.withLock { $0.credentials } }

    func send(_ request: TransportRequest) async throws -> TransportAnswer {
        let target = (request.url.path) + (request.url.query.map { "?" + $0 } ?? "")
        let label = "\(request.method) \(target)"
        let number = state.withLock { state -> Int? in
            guard !state.isDead else { return nil }
            state.sent.append((clock.elapsed, label))
            if request.headers.keys.contains(where: { $0.lowercased() == Self.naming }) { state.credentials = request.headers }
            return state.sent.count
        }
        guard let number else { throw TransportError(.connectionFailed) }
        state.withLock(\.watcher)?(request)
        let plain = VirtualRequest(method: request.method, target: target, headers: request.headers, body: request.body)
        opened(label)
        defer { headIsIn(label) }
        trace.say("\(name): \(label) \(request.body.map { Self.summary($0, request.url.path) } ?? "")")
        let exchange = VirtualExchange(number, clock, idleLimit: request.idleLimit)
        heard.expect(Self.clicks(in: request), of: exchange)
        carry(plain, exchange, label, isWrapper: request.url.host == WrapperHost.name)
        return try await exchange.answer()
    }

    /// Two equal requests must not wait at the same time.
    private func opened(_ label: String) {
        let count = state.withLock { state in
            state.open[label, default: 0] += 1
            return state.open[label, default: 0]
        }
        if count > 1, label.hasPrefix("GET /v1/placements") { trace.broke("D5", "\(name) asks twice at once: \(label)") }
    }

    private func headIsIn(_ label: String) { state.withLock { $0.open[label, default: 1] -= 1 } }

    /// - Parameter isWrapper: the request is not for the server, but for a host that wraps links.
    private func carry(_ request: VirtualRequest, _ exchange: VirtualExchange, _ label: String, isWrapper: Bool) {
        let condition = condition()
        let trip: @Sendable () -> Duration = { [dice] in dice.time(condition.trip) }
        switch condition.kind {
        case .silent: return
        case .offline:
            clock.at(clock.elapsed + .milliseconds(1)) { exchange.fail(TransportError(.offline)) }
        case .captive:
            // A wrapper is asked over https only, which a portal cannot answer.
            if isWrapper {
                clock.at(clock.elapsed + trip()) { exchange.fail(TransportError(.connectionFailed)) }
                return
            }
            clock.at(clock.elapsed + trip()) {
                exchange.head(200, ["content-type": "text/html"])
                exchange.bytes(Data("<html>Please log in.</html>".utf8))
                exchange.end()
            }
        case .calm, .rough:
            let fate = RequestFate(in: condition, dice)
            if fate != RequestFate(in: .best, dice) { trace.say("\(name): network: \(fate)") }
            switch fate.loss {
            case .vanishes: return
            case .reset:
                clock.at(clock.elapsed + trip()) { exchange.fail(TransportError(.connectionFailed)) }
                return
            default: break
            }
            let way = AnswerWay(name, clock, exchange, fate, trace, heard, label, trip: trip)
            let arrival = clock.elapsed + trip()
            if isWrapper {
                let isBusy = dice.happens(0.1)
                clock.world.at(arrival) { [trace] in WrapperHost.accept(request, way, isBusy: isBusy, trace) }
                return
            }
            arrive(at: arrival, request, way)
            if let later = fate.duplicate { arrive(at: arrival + later, request, Unheard()) }
        }
    }

    /// On its way a request does not depend on the app that sent it.
    private func arrive(at time: Duration, _ request: VirtualRequest, _ connection: some VirtualConnection) {
        clock.world.at(time) { [server] in server.accept(request, connection) }
    }

    /// The links whose clicks this request brings.
    private static func clicks(in request: TransportRequest) -> [String] {
        guard let body = request.body else { return [] }
        switch request.url.path {
        case WirePath.linkOpen:
            let asked = try? WireCoding.decode(LinkOpenRequest.self, from: body)
            return asked.map { $0.recordsClick ? [$0.url] : [] } ?? []
        case WirePath.firstOpen where body.range(of: Data(#""url""#.utf8)) != nil:
            return (try? WireCoding.decode(FirstOpenRequest.self, from: body).links.map(\.url)) ?? []
        default: return []
        }
    }

    private static func summary(_ body: Data, _ path: String) -> String {
        // Neither signatures nor what is handed over follow from the seed.
        if path == WirePath.purchases { return "purchases" }
        if path == WirePath.deferredLink { return "a claim" }
        guard body.count <= 300 else { return "\(body.count) bytes" }
        return String(decoding: body, as: UTF8.self).replacing(#/lf_token=\w+/#, with: "lf_token")
    }
}

/// The answer to a request that a proxy has doubled is dropped.
private struct Unheard: VirtualConnection {
    func head(_ status: Int, _ headers: [String: String]) {}
    func bytes(_ bytes: Data) {}
    func end() {}
    func broke() {}
}
