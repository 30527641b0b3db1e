// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("Experiments in the file", .timeLimit(.minutes(1)))
struct ExperimentReadingTests {
    /// Line 1 is the first line of what is added.
    private static func problems(_ addition: String) -> [String] {
        Sample.problems(adding: addition).map { problem in
            let parts = problem.split(separator: ":", maxSplits: 1)
            return "\((Int(parts[0]) ?? 0) - 9):\(parts[1])"
        }
    }

    @Test("are read with all their fields")
    func everything() throws {
        let configuration = try Sample.configuration(
            """
            events: { trial_started: {} }
            metrics: { trial: { event: trial_started }, paid: { purchase: any } }
            layers: { main: { salt: autumn } }
            holdouts: { 2026-h1: { share: 5% } }
            experiments:
              spring-price:
                state: live
                epoch: 4
                layer: { name: main, from: 0%, to: 12.5% }
                holdout: 2026-h1
                variations:
                  A: { weight: 50, paywall: default }
                  B: { weight: 25, paywall: special, remoteConfig: { en: { title: Half } } }
                  C: { weight: 0, nothing: true }
                overrides: { 0190a5c0-7e1b-7c3a-9f00-000000000001: B }
                primary: trial
                guardrails: [{ metric: paid, harm: 2% }]
                plannedUnits: 5000
            """)

        let experiment = try #require(configuration.experiments.first)
        #expect(experiment.id == "spring-price" && experiment.state == .live && experiment.epoch == 4)
        #expect(experiment.slice?.layer == Layer(name: "main", salt: "autumn") && experiment.slice?.buckets == 0..<125_000)
        #expect(experiment.holdout?.share.buckets == 50_000)
        #expect(experiment.variations.map(\.name) == ["A", "B", "C"] && experiment.variations.map(\.weight) == [50, 25, 0])
        #expect(experiment.variations[1].assigned?.rendered(for: nil).variationId == "spring-price:B")
        #expect(experiment.variations[1].plain?.rendered(for: nil).remoteConfig?.value == .object(["title": .string("Half")]))
        #expect(experiment.variations[2].assigned == nil)
        #expect(experiment.overrides == ["0190a5c0-7e1b-7c3a-9f00-000000000001": 1])
        #expect(experiment.primary == "trial" && experiment.guardrails.map(\.metric) == ["paid"] && experiment.plannedUnits == 5000)
    }

    @Test("and a paywall must fit into one line together, in the locale that is replaced")
    func tooLarge() {
        let half = String(repeating: "x", count: 130 * 1024)
        let text = Sample.base.replacing("{ products: [monthly] }", with: "{ products: [monthly], remoteConfig: { en: { one: \(half), two: a } } }")
        func problems(_ key: String) -> [String] {
            Sample.problems(
                text + "experiments: { x: { state: live, variations: { A: { weight: 1, paywall: special, remoteConfig: { en: { \(key): \(half) } } } } } }\n")
        }

        #expect(problems("one").isEmpty, "It takes the place of what the paywall has.")
        #expect(problems("two").count == 1)
        #expect(problems("two").first?.contains("The variation 'A' and the paywall 'special' have 260 KiB together in this locale; at most 240 KiB fit.") == true)
    }

    private static let a = "variations: { A: { weight: 1, paywall: default } }"

    @Test(
        "have their mistakes named with line and column",
        arguments: [
            ("experiments: { x: { state: live } }", "1:19: The experiment 'x' needs 'variations'. Add it."),
            ("experiments: { x: { state: on, \(a) } }", "1:28: 'state' cannot be 'on'."),
            ("experiments: { x: { state: live, epoch: 0, \(a) } }", "1:41: 'epoch' is not a whole number from 1 to 1000000. Write one."),
            ("experiments: { x: { state: live, holdout: h, \(a) } }", "1:43: There is no holdout 'h'."),
            ("experiments: { x: { state: live, layer: { name: l }, \(a) } }", "1:49: There is no layer 'l'."),
            (
                "layers: { m: {} }\nexperiments: { x: { state: live, layer: { name: m, from: 5%, to: 5% }, \(a) } }",
                "2:66: 'from' must be below 'to': 5% to 5% has no units. Widen the range."
            ),
            ("experiments: { x: { state: live, primary: p, \(a) } }", "1:43: There is no metric 'p'. Declare it under 'metrics'."),
            ("experiments: { x: { state: live, promote: A, \(a) } }", "1:43: Only a stopped experiment promotes a variation."),
            ("experiments: { x: { state: stopped, promote: Z, \(a) } }", "1:46: There is no variation 'Z'."),
            ("experiments: { x: { state: live, overrides: { nobody: A }, \(a) } }", "1:47: 'nobody' is not an install id."),
            ("experiments: { x: { state: live, variations: {} } }", "1:46: The experiment 'x' has 0 variations."),
            (
                "experiments: { x: { state: live, variations: { A: { weight: 0, paywall: default } } } }",
                "1:46: No variation of the experiment 'x' has a weight above 0. Give one at least 1."
            ),
            (
                "experiments: { x: { state: live, variations: { A: { weight: 1 } } } }",
                "1:48: The variation 'A' needs either 'paywall: …' or 'nothing: true'. Write one of them."
            ),
            (
                "experiments: { x: { state: live, variations: { A: { weight: -1, paywall: default } } } }",
                "1:61: 'weight' is not a whole number from 0 to 1000000. Write one."
            ),
            (
                "experiments: { x: { state: live, variations: { A: { weight: 1, paywall: defalt } } } }",
                "1:73: There is no paywall 'defalt'."
            ),
            ("holdouts: { h: { share: 101% } }", "1:25: 'share' cannot be '101%'."),
            ("layers: { a: {}, b: { salt: a } }", "1:18: The layers 'a' and 'b' have the same salt"),
            (
                "layers: { m: {} }\nexperiments:\n  x: { state: live, layer: { name: m, to: 60% }, \(a) }\n  y: { state: live, layer: { name: m, from: 59.9999% }, \(a) }",
                "4:28: The experiment 'y' and the live experiment 'x' overlap in their layer."
            ),
        ])
    func mistakes(addition: String, problem: String) {
        let problems = Self.problems(addition)

        #expect(problems.contains { $0.hasPrefix(problem) }, "\(problems)")
    }

    @Test("may share a layer in ranges that touch, and overlap where one of them is not live")
    func ranges() {
        let touching = "layers: { m: {} }\nexperiments:\n  x: { state: live, layer: { name: m, to: 60% }, \(Self.a) }\n  y: { state: live, layer: { name: m, from: 60% }, \(Self.a) }"
        let stopped = touching.replacing("from: 60%", with: "from: 10%").replacing("y: { state: live", with: "y: { state: stopped")

        #expect(Self.problems(touching) == [])
        #expect(Self.problems(stopped) == [])
    }

    @Test("stand in a placement's entry in place of a paywall, and not beside it")
    func entries() throws {
        let one = "experiments: { x: { state: live, \(Self.a) } }\n"
        func problems(_ entry: String) -> [String] {
            Sample.problems(Sample.base.replacing("{ audience: everyone, paywall: default }", with: entry) + one)
        }

        #expect(problems("{ audience: everyone, experiment: x }") == [])
        #expect(problems("{ audience: everyone, experiment: y }").first?.contains("There is no experiment 'y'.") == true)
        #expect(problems("{ audience: everyone, experiment: x, paywall: default }").first?.contains("either 'paywall' or 'experiment'") == true)
        #expect(problems("{ audience: everyone }").first?.contains("needs 'paywall' or 'experiment'") == true)
    }
}
