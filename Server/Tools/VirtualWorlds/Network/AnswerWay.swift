// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallWire
import Synchronization

/// The way back: carries one answer from the server to the phone, in order, each piece with its own delay.
final class AnswerWay: VirtualConnection, Sendable {
    private struct State {
        var lastArrival = Duration.zero
        var pieces = 0
        var kept = Data()
        var head: (Int, [String: String])?
    }

    private let name: String
    private let clock: PhoneClock
    private let exchange: VirtualExchange
    private let fate: RequestFate
    private let trace: VirtualTrace
    private let heard: HeardAnswers
    private let label: String
    private let trip: @Sendable () -> Duration
    private let state = Mutex(State())

    init(
        _ name: String, _ clock: PhoneClock, _ exchange: VirtualExchange, _ fate: RequestFate, _ trace: VirtualTrace,
        _ heard: HeardAnswers, _ label: String, trip: @escaping @Sendable () -> Duration
    ) {
        self.name = name
        self.clock = clock
        self.exchange = exchange
        self.fate = fate
        self.trace = trace
        self.heard = heard
        self.label = label
        self.trip = trip
    }

    func head(_ status: Int, _ headers: [String: String]) {
        if fate.isBuffered {
            state.withLock { $0.head = (status, headers) }
        } else {
            deliver { $0.head(status, headers) }
        }
    }

    func bytes(_ bytes: Data) throws {
        guard !exchange.isOver else { throw TransportError(.connectionFailed) }
        if fate.isBuffered {
            state.withLock { $0.kept.append(bytes) }
        } else {
            send(bytes)
        }
    }

    func end() {
        if fate.isBuffered {
            let (head, kept) = state.withLock { ($0.head, $0.kept) }
            if let head { deliver { $0.head(head.0, head.1) } }
            if !kept.isEmpty { send(kept) }
        }
        deliver { [heard, clock] exchange in
            if !exchange.isOver { heard.ended(exchange, at: clock.elapsed) }
            exchange.end()
        }
    }

    func broke() { deliver { $0.fail(TransportError(.connectionFailed)) } }

    private func send(_ bytes: Data) {
        let size = fate.pieces ?? bytes.count
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Data(rest.prefix(max(1, size)))
            rest = rest.dropFirst(max(1, size))
            deliver { [heard, clock, trace, name, label] exchange in
                guard !exchange.isOver else { return }
                if piece.count > 1 { trace.say("\(name): hears \(AnswerText.short(piece)) of \(label)") }
                heard.add(piece, of: exchange, at: clock.elapsed)
                exchange.bytes(piece)
            }
        }
    }

    /// Hands something to the phone, unless this answer's fate keeps it back.
    private func deliver(_ action: @escaping @Sendable (VirtualExchange) -> Void) {
        let (arrival, count) = state.withLock { state in
            state.lastArrival = max(state.lastArrival, clock.elapsed + trip())
            state.pieces += 1
            return (state.lastArrival, state.pieces)
        }
        switch fate.loss {
        case .answerVanishes: return
        case .silentAfter(let limit) where count > limit: return
        case .resetAfter(let limit) where count > limit:
            if count == limit + 1 { clock.at(arrival) { [exchange] in exchange.fail(TransportError(.connectionFailed)) } }
        default: clock.at(arrival) { [exchange] in action(exchange) }
        }
    }
}

enum AnswerText {
    /// A piece of an answer as a trace shows it: without the padding, and not all of it.
    static func short(_ piece: Data) -> String {
        let text = String(decoding: piece, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: true).joined(
            separator: " ")
        // The request's id is the only thing in an answer that does not follow from the seed.
        return String(text.replacing(#/"requestId":"[^"]*"/#, with: "").replacing("\n", with: "⏎").prefix(240))
    }
}

/// What reached the phone in one launch, read by the simulation itself.
final class HeardAnswers: Sendable {
    fileprivate struct State {
        var rest: [Int: Data] = [:]
        /// Lines that look like an answer and are not decoded yet.
        var lines: [(at: Duration, line: Data)] = []
        var answers: [(at: Duration, answer: PaywallAnswer)] = []
        /// Links whose clicks are on their way, by the exchange that brings them.
        var awaited: [Int: [String]] = [:]
        var clicks: [String: Duration] = [:]
        var isReplaced = false
    }

    private let state = Mutex(State())

    /// Every paywall that reached the phone, in order.
    var answers: [(at: Duration, answer: PaywallAnswer)] {
        state.withLock { state in
            for (time, line) in state.lines {
                guard let answer = try? WireCoding.decode(PaywallAnswer.self, from: line) else { continue }
                state.answers.append((time, answer))
            }
            state.lines = []
            return state.answers
        }
    }

    /// A late request of an earlier launch has ended this launch's stream: from then on the phone has to ask.
    var isStreamReplaced: Bool { state.withLock(\.isReplaced) }

    /// When the phone first heard that the server has a click of this link.
    func click(of link: String) -> Duration? { state.withLock { $0.clicks[link] } }

    func expect(_ links: [String], of exchange: VirtualExchange) {
        guard !links.isEmpty else { return }
        state.withLock { $0.awaited[exchange.number] = links }
    }

    func add(_ piece: Data, of exchange: VirtualExchange, at time: Duration) {
        state.withLock { state in
            let text = state.rest[exchange.number, default: Data()] + piece
            var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            state.rest[exchange.number] = Data(lines.popLast() ?? Data())
            if !lines.isEmpty { state.heardClicks(of: exchange, at: time) }
            for line in lines { state.read(line, at: time) }
        }
    }

    /// A plain answer is one value without a line break: it counts once it is complete.
    func ended(_ exchange: VirtualExchange, at time: Duration) {
        state.withLock { state in
            state.heardClicks(of: exchange, at: time)
            guard let rest = state.rest.removeValue(forKey: exchange.number) else { return }
            state.read(rest, at: time)
        }
    }
}

extension HeardAnswers.State {
    /// How a paywall's line begins, and a field that no other line has. Decoding all other lines too would cost more than the phone's own
    /// reading.
    private static let beginning = Data(#"{"attribution"#.utf8)
    private static let sign = Data(#""profileVersion":"#.utf8)
    private static let replaced = Data(#"{"reason":"replaced""#.utf8)

    fileprivate mutating func heardClicks(of exchange: VirtualExchange, at time: Duration) {
        for link in awaited.removeValue(forKey: exchange.number) ?? [] { clicks[link] = clicks[link] ?? time }
    }

    fileprivate mutating func read(_ line: Data, at time: Duration) {
        guard line.starts(with: Self.beginning), line.range(of: Self.sign) != nil else {
            isReplaced = isReplaced || line.starts(with: Self.replaced)
            return
        }
        lines.append((time, Data(line)))
    }
}
