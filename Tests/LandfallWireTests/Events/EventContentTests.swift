// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("What an app adds to its own events", .timeLimit(.minutes(1)))
struct EventContentTests {
    private static func event(_ change: (inout Event) -> Void) -> Event {
        var event = Event(id: "0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10", type: Event.Kind("trial_started"), ageMilliseconds: 250)
        change(&event)
        return event
    }

    private static func problem(_ change: (inout Event) -> Void) -> EventProblem? {
        do throws(EventProblem) {
            try event(change).checkContent()
            return nil
        } catch { return error }
    }

    @Test("An own event is pinned by its golden file")
    func golden() throws {
        let event = Self.event {
            $0.value = EventValue(9.99)
            $0.currency = "EUR"
            $0.properties = ["plan": "year", "seats": 3, "gift": false]
        }

        try expectGolden(EventBatch(events: [event]), "own-event-batch")
    }

    @Test(
        "A value is a plain number in JSON and exact thousandths elsewhere",
        arguments: [
            (9.99, 9_990, "9.99"), (0, 0, "0"), (-1.5, -1_500, "-1.5"), (0.1 + 0.2, 300, "0.3"), (1e-4, 0, "0"),
            (1.0005, 1_000, "1"), (49_000, 49_000_000, "49000"), (999_999_999_999.999, 999_999_999_999_999, "999999999999.999"),
        ] as [(Double, Int64, String)])
    func values(number: Double, milliunits: Int64, json: String) throws {
        let value = EventValue(number)

        #expect(value.milliunits == milliunits && value.isStorable)
        #expect(String(decoding: try WireCoding.encode([value]), as: UTF8.self) == "[\(json)]")
        #expect(try WireCoding.decode([EventValue].self, from: Data("[\(json)]".utf8)) == [value])
    }

    @Test("A value of more than twelve digits, or none, cannot be stored", arguments: [1e12, -1e12, 1e300, .infinity, .nan])
    func tooLarge(number: Double) {
        #expect(Self.problem { $0.value = EventValue(number) } == .value)
    }

    @Test("A currency is three capitals beside a value", arguments: [("EUR", true), ("eur", false), ("EU", false), ("E\u{DC}", false), ("", false)])
    func currency(code: String, isRight: Bool) {
        let problem = Self.problem {
            $0.value = EventValue(1)
            $0.currency = code
        }

        #expect(problem == (isRight ? nil : .currency(code)))
        #expect(Self.problem { $0.currency = "EUR" } == .currencyWithoutValue)
    }

    @Test("Properties have limits in bytes, both ends included")
    func properties() {
        func properties(_ count: Int) -> [String: AttributeValue] {
            Dictionary(uniqueKeysWithValues: (0..<count).map { ("p\($0)", .number(1)) })
        }
        let name = String(repeating: "n", count: 64), text = String(repeating: "ü", count: 128)

        #expect(Self.problem { $0.properties = properties(16) } == nil)
        #expect(Self.problem { $0.properties = properties(17) } == .tooManyProperties(17))
        #expect(Self.problem { $0.properties = [name: .string(text)] } == nil)
        #expect(Self.problem { $0.properties = [name + "n": 1] } == .propertyName(name + "n"))
        #expect(Self.problem { $0.properties = ["": 1] } == .propertyName(""))
        #expect(Self.problem { $0.properties = ["\u{212A}ind": 1] } == .propertyName("\u{212A}ind"))
        #expect(Self.problem { $0.properties = ["p": .string(text + "x")] } == .propertyValue(of: "p"))
        #expect(Self.problem { $0.properties = ["p": .string("a\0")] } == .propertyValue(of: "p"))
        #expect(Self.problem { $0.properties = ["p": .number(.nan)] } == .propertyValue(of: "p"))
    }

    @Test("Every problem says what to do", arguments: [
        EventProblem.type("A"), .reservedType("paywall_shown"), .value, .currency("e"), .currencyWithoutValue, .tooManyProperties(17),
        .propertyName("a b"), .propertyValue(of: "p"),
    ])
    func sentences(problem: EventProblem) {
        #expect(problem.description.hasSuffix(".") && problem.description.count > 30)
    }
}
