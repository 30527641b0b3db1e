// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallPurchases
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Notifications of the App Store go on to a second receiver", .timeLimit(.minutes(1)))
struct ForwardingTests {
    /// Apple's request in any form that JSON has.
    private static func bodies(_ signed: SignedStore) throws -> [String] {
        let text = try signed.subscribed()
        let rest = text.dropFirst()
        return [
            text.asNotification, "{ \"later\": [1, \"ü\"],\n  \"signedPayload\" : \"\(text)\" }\r\n",
            // Nobody writes so, and it is the same text.
            "{\"signedPayload\":\"\\u00\(String(text.utf8.first ?? 0, radix: 16))\(rest)\"}",
        ]
    }

    @Test("The body arrives byte for byte, after the answer, and the store keeps it no longer", arguments: 0...2)
    func bytes(form: Int) async throws {
        try await SecondReceiver.run([.status(202)]) { server, receiver, signed in
            let body = try Self.bodies(signed)[form]
            let answer = try await server.send(.post, NotificationRoutes.path, body, phone: nil, key: nil)
            #expect(answer.status == .ok && receiver.received.isEmpty)

            try await server.workOnNotifications()
            #expect(try await server.rows("SELECT payload FROM app_store_notification").map(\.values) != [[.null]])
            let steps = try await server.forward()

            #expect(steps == [.moved(isDone: true)])
            #expect(receiver.received == [body])
            #expect(try await server.rows("SELECT payload, forwarding FROM app_store_notification").map(\.values) == [[.null, .text("done")]])
            #expect(try await server.counts(["job", "purchase_fact"]) == [0, 3])
            #expect(server.services.metrics.text().contains(#"landfall_app_store_forwardings_total{outcome="delivered"} 1"#))
        }
    }

    @Test("Forwarded before its facts are stored, the body stays until they are")
    func early() async throws {
        try await SecondReceiver.run([.status(200)]) { server, receiver, signed in
            _ = try await server.notify(signed.subscribed())

            try await server.forward()
            #expect(try await server.rows("SELECT payload FROM app_store_notification").map(\.values) != [[.null]])
            try await server.workOnNotifications()

            #expect(receiver.received.count == 1)
            #expect(try await server.rows("SELECT payload FROM app_store_notification").map(\.values) == [[.null]])
            #expect(try await server.counts(["purchase_fact"]) == [3])
        }
    }

    @Test("A receiver that fails gets it again, after twice the time each, and at last it is given up")
    func doubling() async throws {
        try await SecondReceiver.run([.status(500)]) { server, receiver, signed in
            _ = try await server.notify(signed.subscribed())
            try await server.workOnNotifications()
            var pauses: [Int64] = []
            while try await server.forwardings == ["waiting"] {
                let steps = try await server.forward()
                guard case .retry(let atMs)? = steps.first else { break }
                pauses.append(atMs - server.clock.nowMs)
                server.clock.advance(by: .milliseconds(atMs - server.clock.nowMs))
            }

            // 1 s, then as long as it has waited: 1, 2, 4 … and every six hours in the end, for three days.
            #expect(pauses.prefix(6) == [1_000, 1_000, 2_000, 4_000, 8_000, 16_000])
            #expect(pauses.last == 21_600_000)
            #expect(pauses.reduce(0, +) >= 3 * 86_400_000 && pauses.reduce(0, +) < 3 * 86_400_000 + 6 * 3_600_000)
            #expect(receiver.received.count == pauses.count + 1)
            #expect(try await server.forwardings == ["givenUp"])
            #expect(try await server.counts(["job"]) == [0])
            let counts = try await ForwardingStore(server.services.database).counts(in: server.app)
            #expect(counts.waiting == 0 && counts.givenUp == 1)
        }
    }

    @Test("A redirect is not followed, and is no success")
    func redirect() async throws {
        try await SecondReceiver.run([.redirect, .status(200)]) { server, receiver, signed in
            _ = try await server.notify(signed.subscribed())

            let steps = try await server.forward()

            guard case .retry? = steps.first else {
                    Issue.record("\(steps)")
                    return
                }
            #expect(receiver.received.count == 1 && receiver.followedCount == 0)
        }
    }

    @Test("A receiver that does not answer delays neither Apple's answer nor a notification after it")
    func hanging() async throws {
        try await SecondReceiver.run([.nothing, .status(200)]) { server, receiver, signed in
            _ = try await server.notify(signed.subscribed())
            try await withThrowingTaskGroup(of: [JobStep].self) { group -> Void in
                group.addTask { try await server.forward() }
                while receiver.received.isEmpty { await Task.yield() }

                let answer = try await server.notify(signed.subscribed("00000000-0000-4000-8000-000000000002"))
                try await server.workOnNotifications()
                let second = try await server.forward()
                #expect(answer.status == .ok && second == [.moved(isDone: true)])
                #expect(try await server.forwardings == ["waiting", "done"])
                #expect(try await server.counts(["purchase_chain"]) == [1])

                // Its time is over when the server's clock says so.
                while server.clock.sleeperCount == 0 { await Task.yield() }
                server.clock.advance(by: .seconds(15))
                let first = try await group.next()
                guard case .retry? = first?.first else {
                    Issue.record("\(String(describing: first))")
                    return
                }
            }
        }
    }

    @Test("A process that ends after the receiver has it forwards it again: at least once")
    func killed() async throws {
        try await SecondReceiver.run([.status(200)]) { server, receiver, signed in
            _ = try await server.notify(signed.subscribed())
            // What a node does before it dies: it has the job, and the receiver has the body.
            let database = server.services.database, nowMs = server.clock.nowMs
            let jobs = try await JobQueue(database: database).lease(.appStoreForwarding, 1, nowMs: nowMs, leaseMs: 60_000)
            let job = try #require(jobs.first)
            let body = try #require(ForwardedBody(payload: job.payload)), name = try #require(NotificationName(key: job.name.key))
            let waiting = try await ForwardingStore(database).waiting(name, in: server.app)
            let text = try #require(waiting), named = try #require(server.services.snapshot.configuration.purchases.notify)
            var call = OutboundCall(.post, named.url)
            call.body = body.bytes(around: text)
            _ = try await server.services.outbound?.send(call)
            server.clock.advance(by: .seconds(61))

            let steps = try await server.forward()

            #expect(steps == [.moved(isDone: true)])
            #expect(receiver.received.count == 2 && Set(receiver.received).count == 1)
            let rest = try await server.forward()
            #expect(rest.isEmpty)
        }
    }

    @Test("Without a receiver nothing is kept for one, and what waits is dropped when the configuration names none any more")
    func none() async throws {
        try await SecondReceiver.run([.status(200)]) { server, receiver, signed in
            _ = try await server.notify(signed.subscribed())
            var configuration = server.services.snapshot.configuration
            configuration.purchases.notify = nil
            _ = server.services.configuration.serve(Snapshot(configuration, revision: 8))
            _ = try await server.notify(signed.subscribed("00000000-0000-4000-8000-000000000002"))
            try await server.workOnNotifications()

            try await server.forward()

            #expect(receiver.received.isEmpty)
            #expect(try await server.forwardings == [nil, nil])
            #expect(try await server.rows("SELECT payload FROM app_store_notification").map(\.values) == [[.null], [.null]])
            #expect(try await server.counts(["job"]) == [0])
        }
    }

    @Test("Apple's repetition is not forwarded a second time")
    func repetition() async throws {
        try await SecondReceiver.run([.status(200)]) { server, receiver, signed in
            for _ in 0..<2 {
                _ = try await server.notify(signed.subscribed())
                try await server.forward()
            }

            #expect(receiver.received.count == 1)
        }
    }

    @Test("A name that leads into this machine's own network is not connected to, unless the configuration says its address")
    func privateName() async throws {
        try await SecondReceiver.run([.status(200)], notify: { NotificationReceiver(url: "https://localhost:\($0)/hook") }) { server, receiver, signed in
            _ = try await server.notify(signed.subscribed())

            let steps = try await server.forward()

            guard case .retry? = steps.first else {
                    Issue.record("\(steps)")
                    return
                }
            #expect(receiver.received.isEmpty)
        }
    }
}
