// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer
import Synchronization

/// First opens at three servers in turn, in short blocks, so that a machine that becomes slower does so for all of them.
struct WebhookOpens: Sendable {
    enum Role: String, CaseIterable, Sendable {
        case without
        /// Also without an endpoint.
        case control
        case besideDeadEndpoint
    }

    /// Milliseconds of each open.
    typealias Round = [Role: [Double]]

    /// At the begin of a block: what the server before has left to do ends meanwhile.
    private static let uncounted: Duration = .seconds(1)

    let perSecond: Int
    let blockSeconds: Double

    func run(_ rounds: Int) async throws -> [Round] {
        // Nobody listens on the port of the discard service.
        try await WebhookServer.run(telling: nil) { without in
            try await WebhookServer.run(telling: nil) { control in
                try await WebhookServer.run(telling: 9) { beside in
                    try await measure(rounds, at: [.without: without, .control: control, .besideDeadEndpoint: beside])
                }
            }
        }
    }

    private func measure(_ rounds: Int, at ports: [Role: Int]) async throws -> [Round] {
        let http = LiveOutboundHTTP(), numbers = NextNumber()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await http.run() }
            defer { group.cancelAll() }
            // The job of webhooks begins after two seconds, and has to know that its endpoint is dead.
            try await Task.sleep(for: .seconds(3))
            var found: [Round] = []
            for number in 0..<rounds + 2 {
                var round: Round = [:]
                for role in Role.allCases.shuffled() {
                    guard let port = ports[role] else { continue }
                    round[role] = try await block(at: port, by: http, numbers)
                }
                if number >= 2 { found.append(round) }
            }
            return found
        }
    }

    private func block(at port: Int, by http: LiveOutboundHTTP, _ numbers: NextNumber) async throws -> [Double] {
        let begun = ContinuousClock.now, end = Self.uncounted + .seconds(blockSeconds)
        return try await withThrowingTaskGroup(of: Double?.self) { group in
            var at = Duration.zero
            while true {
                // The waits between calls that do not know of each other.
                at += .seconds(-log(Double.random(in: 0..<1).nextUp) / Double(perSecond))
                guard at < end else { break }
                try await Task.sleep(until: begun + at, tolerance: .zero)
                let number = numbers.take(), counts = at >= Self.uncounted
                group.addTask {
                    let took = try await Self.open(number, by: http, at: port)
                    return counts ? took : nil
                }
            }
            return try await group.reduce(into: [Double]()) { if let took = $1 { $0.append(took) } }
        }
    }

    private static func open(_ number: Int, by http: LiveOutboundHTTP, at server: Int) async throws -> Double {
        // A name with an address: such calls have connections enough.
        var call = OutboundCall(.post, "http://localhost:\(server)/v1/first-open")
        call.address = "127.0.0.1"
        let digits = String(number), install = "0198f0c2-7b1a-7c3d-8e4f-" + String(repeating: "0", count: 12 - digits.count) + digits
        call.headers = [
            "Authorization": "Bearer pk_demo", "Content-Type": "application/json",
            "Landfall-Profile": "\(install).\(String(repeating: "A", count: 43))",
        ]
        call.body = Array(#"{"adToken":{"none":"unsupported"},"placements":[{"id":"onboarding"}]}"#.utf8)
        let begun = ContinuousClock.now
        let status = try await http.send(call).status
        guard status == 200 else { throw ValidationError("A first open is answered with \(status).") }
        return (ContinuousClock.now - begun) / .milliseconds(1)
    }
}

/// Each number once.
private final class NextNumber: Sendable {
    private let next = Atomic(0)

    func take() -> Int { next.wrappingAdd(1, ordering: .relaxed).oldValue }
}
