// SPDX-License-Identifier: Apache-2.0
import Foundation
import HummingbirdTesting
import LandfallPurchases
import LandfallTesting
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("A test notification", .timeLimit(.minutes(1)))
struct TestNotificationTests {
    /// Asks for one; Apple posts while the server waits.
    private func sent(
        _ apple: SimulatedStore, _ server: TestServer, receive: @escaping @Sendable (String) async throws -> Int?
    ) async throws -> TestNotification {
        let time = ServerTime(
            nowMs: { apple.clock.nowMs },
            sleep: { pause in
                // A time limit never ends.
                while pause > .seconds(10) { try await Task.sleep(for: .seconds(3_600)) }
                apple.clock.advance(by: pause)
                try await apple.post(receive)
            })
        let services = server.services
        let api = AppStoreAPI(apple.hosts, by: apple.http, time: time, metrics: services.metrics)
        return try await TestNotificationRoutes(api, services.database, trust: services.trust, time: time)
            .send(of: services.snapshot)
    }

    @Test("is followed from Apple into the store")
    func arrived() async throws {
        try await SimulatedStore.run { apple in
            try await apple.server { server, _ in
                let test = try await sent(apple, server) { try await server.post($0) }

                #expect(test.isGood && test.environment == "Production" && test.tookMilliseconds < 5_000)
                #expect(try await server.rows("SELECT type FROM app_store_notification").map(\.values) == [[.text("TEST")]])
                let health = try await AppStoreHealth(server.services.database, of: server.app, nowMs: apple.clock.nowMs)
                #expect(health.test == test)
            }
        }
    }

    @Test(
        "that does not arrive says where to look",
        arguments: [(nil, "NO_RESPONSE", "Let 17.0.0.0/8 reach the address"), (404, "UNSUCCESSFUL_HTTP_RESPONSE_CODE", "log of your proxy"), (200, "SUCCESS", "Another server has the address")]
            as [(Int?, String, String)])
    func lost(status: Int?, result: String, sentence: String) async throws {
        try await SimulatedStore.run { apple in
            try await apple.server { server, _ in
                let test = try await sent(apple, server) { _ in status }

                #expect(test.result == result && !test.arrived && !test.isGood)
                #expect(test.sentence.contains(sentence), "\(test.sentence)")
            }
        }
    }

    @Test("needs a server, and a key")
    func refused() async throws {
        try await SimulatedStore.run { apple in
            try await apple.server { server, _ in
                let services = server.services
                let unserved = TestNotificationRoutes(nil, services.database, trust: services.trust, time: services.time)
                await #expect(throws: AppStoreQuestionRefusal.noServer) { try await unserved.send(of: services.snapshot) }

                let api = AppStoreAPI(apple.hosts, by: apple.http, time: services.time, metrics: services.metrics)
                let keyless = TestNotificationRoutes(api, services.database, trust: services.trust, time: services.time)
                await #expect(throws: AppStoreQuestionRefusal.noKey) {
                    try await keyless.send(of: Snapshot(.sample(), revision: 8))
                }
                #expect(apple.http.calls.isEmpty)
            }
        }
    }
}
