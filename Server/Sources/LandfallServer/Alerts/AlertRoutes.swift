// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallRules
import LandfallStore
import LandfallWire

/// An alert that fires, for programs.
package struct FiringAlert: Hashable, Sendable, Codable {
    package let rule: String
    /// The host that it is about; nil where the rule is about the whole server.
    package let host: String?
    package let sinceMilliseconds: Int64
    package let value: Int64?
    package let limit: Int64?
    package let unit: String?
    package let message: String
    package let action: String

    package init(_ state: AlertState) {
        (rule, host, sinceMilliseconds) = (state.key.rule.rawValue, state.key.subject.isEmpty ? nil : state.key.subject, state.sinceMs)
        (value, limit, unit) = (state.value, state.limit, state.key.rule.limit?.unit.rawValue)
        message = AlertText.sentence(state.key, value: state.value, limit: state.limit, detail: state.detail)
        action = AlertText.action(state.key.rule)
    }
}

/// How a test went at one destination.
package struct AlertTest: Hashable, Sendable, Codable {
    package let destination: String
    package let delivered: Bool
    /// What the receiver said, or why it was not reached.
    package let answer: String
}

/// `/v1/alerts` and `/v1/alerts/tests`, for commands only.
package struct AlertRoutes: Sendable {
    package static let path = "/v1/alerts"
    package static let testPath = "/v1/alerts/tests"

    struct Asked: Codable {
        /// The name of a destination; nil: all of them.
        var to: String?
    }

    private let store: AlertStore
    /// Nil if no server runs.
    private let sending: AlertSending?
    private let time: ServerTime

    /// - Parameter http: nil if no server runs.
    package init(_ store: AlertStore, http: (any OutboundHTTP)?, mail: (any MailSending)?, at address: WebhookAddress, time: ServerTime) {
        sending = http.map { AlertSending(http: $0, mail: mail, address: address, time: time) }
        (self.store, self.time) = (store, time)
    }

    /// `GET`: those that fire.
    @Sendable package func list(_ request: Request, context: AppContext) async throws -> Answer<[FiringAlert]> {
        Answer(try await store.firing().map(FiringAlert.init))
    }

    /// `POST`: sends a test, and answers what each receiver said.
    @Sendable package func test(_ request: Request, context: AppContext) async throws -> Answer<[AlertTest]> {
        let asked = try await request.decoded(as: Asked.self, upTo: 4_096, absent: "{}")
        guard let sending else {
            throw RequestError(.invalidValue, "No server runs here, and only a server sends alerts. Start it with 'landfall serve', then ask again.")
        }
        let all = context.snapshot.configuration.alerts.destinations
        let chosen = asked.to.map { name in all.filter { $0.name.hasSameBytes(as: name) } } ?? all
        guard !chosen.isEmpty else {
            throw RequestError.invalid(
                "to", all.isEmpty ? "a destination, and the configuration has none: write 'alerts.destinations'." : "one of \(all.map(\.name).joined(separator: ", ")).")
        }
        let message = AlertMessage(testAtMs: time.nowMs(), of: store.app)
        let outcomes = await withTaskGroup(of: (Int, AlertSending.Outcome).self) { group in
            for (index, destination) in chosen.enumerated() { group.addTask { (index, await sending.send(message, to: destination)) } }
            return await group.reduce(into: [Int: AlertSending.Outcome]()) { $0[$1.0] = $1.1 }
        }
        return Answer(
            chosen.enumerated().map { index, destination in
                switch outcomes[index] {
                case .delivered(let answer)?: AlertTest(destination: destination.name, delivered: true, answer: answer)
                case .failed(let cause)?: AlertTest(destination: destination.name, delivered: false, answer: cause)
                case nil: AlertTest(destination: destination.name, delivered: false, answer: "not tried")
                }
            })
    }
}
