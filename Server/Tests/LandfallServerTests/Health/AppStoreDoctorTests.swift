// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallTesting
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("What doctor says of the App Store", .timeLimit(.minutes(1)))
struct AppStoreDoctorTests {
    private func findings(_ server: TestServer, hasKey: Bool = true) async -> [DoctorFinding] {
        var configuration = Configuration.sample()
        configuration.purchases.api = hasKey ? .sample() : nil
        return await StoreDoctor(server.services.database, knowsSecrets: true).appStore(of: configuration)
    }

    private static let nowMs = ServerTime.live.nowMs()

    private static let states: [(ReconcileState, Bool, String)] = [
        (ReconcileState(), true, "was not asked yet"),
        (ReconcileState(succeededAtMs: nowMs - 60_000), true, "Everything that the App Store could not tell"),
        (ReconcileState(succeededAtMs: nowMs - 2 * 86_400_000), false, "more than a day ago"),
        (ReconcileState(succeededAtMs: nowMs, problem: "\(AppStoreAPIError.unauthorized)"), false, "Compare issuerId, keyId and the .p8 file"),
    ]

    @Test("The line 'appStore' is about the last questions", arguments: 0..<4)
    func questions(number: Int) async throws {
        let (state, isOK, part) = Self.states[number]
        try await TestServer.run { server in
            try await AppStoreProgress(server.services.database, of: server.app).write(state, .reconcile)

            let findings = await findings(server)

            #expect(findings.map(\.check) == ["appStore"])
            #expect(findings.allSatisfy { $0.ok == isOK && $0.message.contains(part) }, "\(findings)")
        }
    }

    @Test("Without a key and a receiver there is nothing to say")
    func nothing() async throws {
        try await TestServer.run { server in #expect(await findings(server, hasKey: false).isEmpty) }
    }

    @Test("The line 'forwarding' says what waits and what was given up")
    func forwarding() async throws {
        try await SecondReceiver.run([.status(500)]) { server, _, signed in
            _ = try await server.notify(signed.subscribed())
            let waiting = await findings(server, hasKey: false)
            try await server.services.database.write { connection in
                _ = try connection.run("DELETE FROM job")
                _ = try connection.run("UPDATE app_store_notification SET forwarding = 'givenUp'")
            }
            let lost = await findings(server, hasKey: false)

            // The test's clock is long ago.
            #expect(waiting.map(\.check) == ["forwarding"] && waiting.allSatisfy { $0.message.contains("1 notification(s) wait") })
            #expect(lost.map(\.ok) == [false] && lost.allSatisfy { $0.message.contains("1 of the last 180 days were given up") })
        }
    }
}
