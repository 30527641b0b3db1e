// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
import LandfallWire

extension JobKind {
    package static let alerts = JobKind(rawValue: "alerts")
}

/// Looks each minute whether something is wrong, and tells people once: one job, on one node at a time.
package struct AlertWork: Sendable {
    /// Between two looks.
    static let pauseMs: Int64 = 60_000
    /// A look at the domains, the reports, and a message that nobody answers.
    static let leaseMs: Int64 = 240_000
    /// After this time of a look no further message is sent.
    static let sendingMs: Int64 = 60_000
    /// What is sent to one destination in one look.
    static let lot = 200
    /// The waits after the first, the second … try that failed. After the last one it is tried once more, and then given up.
    static let waitsMs: [Int64] = [60_000, 5 * 60_000, 15 * 60_000, 3_600_000, 3 * 3_600_000, 6 * 3_600_000, 12 * 3_600_000]

    let store: AlertStore
    private let meter: AlertMeter
    private let sending: AlertSending
    private let configuration: LiveConfiguration
    private let telemetry: AlertTelemetry
    private let time: ServerTime

    /// - Parameters:
    ///   - mail: nil: this process sends no mail.
    ///   - address: decides where a host may lead.
    package init(
        _ database: any Database, app: AppID, meter: AlertMeter, http: any OutboundHTTP, mail: (any MailSending)?, at address: WebhookAddress,
        configuration: LiveConfiguration, telemetry: AlertTelemetry, time: ServerTime
    ) {
        store = AlertStore(database, app: app)
        sending = AlertSending(http: http, mail: mail, address: address, time: time)
        (self.meter, self.configuration, self.telemetry, self.time) = (meter, configuration, telemetry, time)
    }

    package var work: JobWork {
        JobWork(
            kind: .alerts, leaseMs: Self.leaseMs, standing: [JobName(app: store.app, kind: .alerts, key: "alerts")], attempt: attempt)
    }

    @Sendable func attempt(_ job: Job) async throws -> JobStep {
        try await look()
        try await deliver()
        return .again(atMs: time.nowMs() + Self.pauseMs)
    }

    /// What was measured, and what follows from it, on disk.
    func look() async throws {
        let snapshot = configuration.snapshot, settings = snapshot.configuration.alerts
        let readings = try await meter.measure(snapshot).readings(settings)
        let nowMs = time.nowMs(), before = AlertStates(try await store.states())
        var after = before
        let news = after.follow(readings, settings, nowMs: nowMs)
        try await store.move(from: before, to: after, telling: news, to: settings.destinations.map(\.name), nowMs: nowMs)
        for news in news { telemetry.tells(news) }
    }

    /// Each destination has a task of its own, so a silent one delays no other.
    func deliver() async throws {
        let due = try await store.due(nowMs: time.nowMs(), most: Self.lot), endMs = time.nowMs() + Self.sendingMs
        guard !due.isEmpty else { return }
        let snapshot = configuration.snapshot, destinations = snapshot.configuration.alerts.destinations
        // A node that cannot serve the newest version does not know whom that names.
        let isNewest = configuration.newest == snapshot.revision
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (name, messages) in Dictionary(grouping: due, by: \.destination) {
                guard let destination = destinations.first(where: { $0.name.hasSameBytes(as: name) }) else {
                    guard isNewest else { continue }
                    group.addTask { for message in messages { try await store.settle(message, dueAtMs: nil) } }
                    continue
                }
                group.addTask {
                    for message in messages where time.nowMs() < endMs {
                        guard try await bring(message, to: destination) else { break }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// - Returns: false if the destination did not take it.
    private func bring(_ due: AlertStore.Due, to destination: AlertDestination) async throws -> Bool {
        let waitMs = Self.waitsMs.indices.contains(Int(due.attempts)) ? Self.waitsMs[Int(due.attempts)] : nil
        guard let news = due.news else {
            // A node of the release that wrote it may send it.
            try await store.settle(due, dueAtMs: waitMs.map { time.nowMs() + $0 })
            return true
        }
        let outcome = await sending.send(AlertMessage(news, id: due.message, of: store.app), to: destination)
        // A server that stops sends it again: a call that was cut off is no failure of the destination.
        try Task.checkCancellation()
        switch outcome {
        case .delivered:
            telemetry.count("delivered")
            try await store.settle(due, dueAtMs: nil)
            return true
        case .failed(let cause):
            telemetry.failed(destination.name, cause, isLast: waitMs == nil)
            try await store.settle(due, dueAtMs: waitMs.map { time.nowMs() + $0 })
            return false
        }
    }
}
