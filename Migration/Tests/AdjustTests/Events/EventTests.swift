// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Landfall
import LandfallTesting
import Testing

@Suite("trackEvent", .timeLimit(.minutes(1)))
struct EventTests {
    private let app = StartedApp(StartedApp.info)
    private var connection: Connection { app.connection }

    private func event(_ token: String = "abc123", _ change: (ADJEvent) -> Void = { _ in }) -> ADJEvent {
        let event = ADJEvent(eventToken: token)!
        change(event)
        return event
    }

    @Test("is an own event: token, revenue, currency, parameters and ids arrive at the server")
    func arrives() async {
        connection.begin(StartedApp.config())

        connection.track(
            event {
                $0.setRevenue(9.99, currency: "eur")
                $0.addCallbackParameter("plan", value: "year")
                $0.addPartnerParameter("sku", value: "y1")
                $0.setTransactionId("t1")
                $0.setDeduplicationId("d1")
                $0.setProductId("year")
            })

        #expect(
            await app.events(1) == [
                RecordedEvent(
                    "abc123", value: 9.99, currency: "EUR",
                    properties: [
                        "plan": .string("year"), "partner.sku": .string("y1"), "transaction_id": .string("t1"),
                        "deduplication_id": .string("d1"), "product_id": .string("year"),
                    ])
            ])
        await connection.client?.shutdown()
    }

    @Test("before the start is kept, up to a hundred")
    func before() async {
        for number in 0..<120 { connection.track(event("n\(number)")) }

        connection.begin(StartedApp.config())

        #expect(await app.events(100).map(\.type) == (0..<100).map { "n\($0)" })
        await connection.client?.shutdown()
    }

    @Test("with an id that was seen lately is not recorded again")
    func deduplicated() async {
        connection.begin(StartedApp.config { $0.eventDeduplicationIdsMaxSize = 2 })

        for id in ["a", "a", "b", "c", "b", "a"] { connection.track(event("abc123") { $0.setDeduplicationId(id) }) }
        connection.track(event("last") { $0.setTransactionId("a") })
        connection.track(event("end"))

        let ids = await app.events(5).map { $0.properties["deduplication_id"] }
        #expect(ids == [.string("a"), .string("b"), .string("c"), .string("a"), nil])
        #expect(app.server.events.last?.type == "end")
        await connection.client?.shutdown()
    }

    @Test("Global parameters go with each event; the event's own come first, and removed ones do not go")
    func global() async {
        connection.begin(StartedApp.config())
        connection.events.callbackParameters = ["user": "ada", "plan": "month"]
        connection.events.partnerParameters["user"] = "7"

        connection.track(event { $0.addCallbackParameter("plan", value: "year") })
        connection.events.callbackParameters["user"] = nil
        connection.events.partnerParameters = [:]
        connection.track(event())

        #expect(
            await app.events(2).map(\.properties) == [
                ["user": .string("ada"), "plan": .string("year"), "partner.user": .string("7")], ["plan": .string("month")],
            ])
        await connection.client?.shutdown()
    }

    @Test("Nil, and what has no effect, is said")
    func said() {
        connection.track(nil)
        connection.track(event { $0.setReceipt(Data([1])) })
        connection.track(event { $0.setReceipt(Data([1]), transactionId: "1") })
        connection.track(event { $0.setCallbackId("c") })

        #expect(event { $0.setReceipt(Data([1])) }.receipt == Data([1]))
        #expect(event { $0.setReceipt(Data()) }.emptyReceipt)
        #expect(!event().emptyReceipt && event().receipt == nil)
        #expect(ADJEvent(eventToken: "") == nil)
        #expect(
            app.lines.texts().map { $0.split(separator: " ")[0] } == ["ADJEvent", "ADJEvent.setReceipt", "ADJEvent.setCallbackId"])
    }
}

@Suite("An own event is within Landfall's limits", .timeLimit(.minutes(1)))
struct OwnEventTests {
    @Test(
        "Characters that a name may not have become _",
        arguments: [("plan", "plan"), ("user id", "user_id"), ("a/b:c", "a_b_c"), ("価格", "__"), ("x.y-z_1", "x.y-z_1")])
    func names(_ name: String, _ expected: String) {
        var event = OwnEvent("abc")
        event.add(name, "1")

        #expect(Array(event.properties.keys) == [expected])
    }

    @Test("Texts are cut to their bytes at a character, further properties are left out, and both are told")
    func limits() {
        var event = OwnEvent("abc")

        event.add("long", String(repeating: "ä", count: 200))
        event.add(Dictionary(uniqueKeysWithValues: (10..<40).map { ("p\($0)", "1") }))

        #expect(event.properties["long"] == .string(String(repeating: "ä", count: 128)))
        #expect(event.properties.count == OwnEvent.mostProperties)
        #expect(event.properties["p24"] != nil)
        #expect(event.properties["p25"] == nil)
        #expect(event.shortened == ["long"] + (25..<40).map { "p\($0)" })
    }

    @Test("Empty texts and names are not sent, and money needs a number", arguments: [Double.nan, .infinity])
    func empty(_ amount: Double) {
        var event = OwnEvent("ABC", amount: amount, currency: "EUR")
        event.add("a", "")
        event.add("", "b")
        event.add("c", nil)

        #expect(event.properties.isEmpty)
        #expect((event.type, event.value, event.currency) == ("abc", nil, nil))
    }

    @Test("Money is the number that was written", arguments: [(0.1, "0.1"), (9.99, "9.99"), (1e-7, "0.0000001"), (1200, "1200")])
    func money(_ amount: Double, _ written: String) {
        #expect(OwnEvent("abc", amount: amount, currency: "USD").value == Decimal(string: written))
    }
}
