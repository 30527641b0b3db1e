// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("Metrics", .timeLimit(.minutes(1)))
struct MetricTests {
    private static let events = "events: { trial_started: {} }\n"

    @Test("are read in the order of the file; the default window is 14 days")
    func read() throws {
        let configuration = try Sample.configuration(
            Self.events
                + "metrics: { trial: { event: trial_started, windowDays: 7 }, paid: { purchase: any }, revenue: { revenue: purchases } }\n")

        #expect(
            configuration.metrics == [
                Metric(name: "trial", measure: .event(Event.Kind("trial_started")), windowDays: 7),
                Metric(name: "paid", measure: .purchase(.any), windowDays: 14),
                Metric(name: "revenue", measure: .revenue(.purchases), windowDays: 14),
            ])
    }

    @Test(
        "that count something unknown are refused, with line, column and advice",
        arguments: [
            ("{ event: trial_start }", "12:19: There is no event 'trial_start'. Did you mean 'trial_started'?"),
            (
                "{ purchase: all of them }",
                "12:22: 'purchase' cannot be 'all of them'. Write any, or a product id of the App Store; only 'sim.*' may end with '*'."
            ),
            (
                "{ purchase: com.example.* }",
                "12:22: 'purchase' cannot be 'com.example.*'. Write any, or a product id of the App Store; only 'sim.*' may end with '*'."
            ),
            (
                "{}",
                "12:3: The metric 'trial' needs exactly one of 'event', 'purchase' and 'revenue'. Write, for example, { event: trial_started }."
            ),
            (
                "{ purchase: any, event: trial_started }",
                "12:3: The metric 'trial' needs exactly one of 'event', 'purchase' and 'revenue'. Write, for example, { event: trial_started }."
            ),
            (
                "{ event: trial_started, windowDays: 91 }",
                "12:46: 'windowDays' is not a number of days. Write a whole number from 1 to 90."
            ),
        ])
    func refused(metric: String, problem: String) {
        #expect(Sample.problems(adding: Self.events + "metrics:\n  trial: \(metric)\n") == [problem])
    }

    @Test("of a product count that one, byte by byte; with a star all simulated ones that begin so")
    func products() throws {
        let metrics = try Sample.configuration(
            "metrics: { one: { purchase: com.example.yearly }, all: { purchase: any }, simulated: { purchase: sim.year* } }\n"
        ).metrics.map(\.measure)
        let ids = ["com.example.yearly", "com.example.Yearly", "com.example.yearly2", "sim.year=1", "sim.week"]

        #expect(metrics == [.purchase(.product(.exactly("com.example.yearly"))), .purchase(.any), .purchase(.product(.prefix("sim.year")))])
        let counted = metrics.map { measure in
            guard case .purchase(let purchases) = measure else { return [String]() }
            return ids.filter(purchases.covers)
        }
        #expect(counted == [["com.example.yearly"], ids, ["sim.year=1"]])
    }

    @Test("of a product that the file does not name, and of money without a currency, are warned of")
    func warned() throws {
        let products = "products: { com.example.yearly: { access: [] } }\n"
        func warnings(_ text: String) -> [String] { Sample.warnings(adding: text).map(\.message) }

        #expect(warnings(products + "metrics: { a: { purchase: com.example.yearly }, b: { purchase: any } }\n").isEmpty)
        #expect(warnings(products + "metrics: { a: { purchase: com.example.yearli } }\n") == [
            "'com.example.yearli' is not under 'products'. Correct it, or name it there. Did you mean 'com.example.yearly'?"
        ])
        #expect(warnings("metrics: { money: { revenue: purchases } }\n") == [
            "The metric 'money' needs a currency to count in: add 'currency' to 'purchases'. Until then nothing is known of it."
        ])
        #expect(warnings("purchases: { currency: USD }\nmetrics: { money: { revenue: purchases } }\n").isEmpty)
    }

    @Test("of undeclared events say where to declare them")
    func undeclared() {
        #expect(
            Sample.problems(adding: "metrics: { trial: { event: trial } }\n")
                == ["10:28: There is no event 'trial'. Declare it under 'events'."])
    }

    @Test("are at most 32")
    func most() {
        let metrics = (0..<33).map { "m\($0): { purchase: any }" }.joined(separator: ", ")

        #expect(Sample.problems(adding: "metrics: { \(metrics) }\n").count == 1)
    }
}
