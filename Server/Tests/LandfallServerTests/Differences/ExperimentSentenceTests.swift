// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("What changes inside experiments", .timeLimit(.minutes(1)))
struct ExperimentSentenceTests {
    static let base = """
        paywalls:
          default: { products: [yearly], remoteConfig: { en: { title: Unlock, features: [{ icon: a, text: One }, { icon: b, text: Two }] } } }
        layers: { main: {} }
        holdouts: { h1: { share: 5% } }
        experiments:
          price:
            state: draft
            variations:
              A: { weight: 50, paywall: default }
              B: { weight: 50, paywall: special, remoteConfig: { en: { title: Half }, de: { title: Halb } } }
            overrides: { install-one: B }
            guardrails: [{ metric: onboarded, harm: 1% }]
            plannedUnits: 5000

        """

    static let cases: [(old: String, new: String, sentences: [String])] = [
        ("state: draft", "state: live", ["experiment price is now live instead of draft"]),
        ("state: draft", "state: draft\n    epoch: 3", ["experiment price is now in epoch 3; before, the server counted"]),
        ("A: { weight: 50,", "A: { weight: 80,", ["experiment price: variation A now has weight 80 instead of 50"]),
        ("weight: 50, paywall: default", "weight: 50, paywall: special", ["experiment price: variation A now shows paywall special instead of paywall default"]),
        ("weight: 50, paywall: default", "weight: 50, nothing: true", ["experiment price: variation A no longer shows paywall default", "experiment price: variation A now shows nothing"]),
        ("title: Half }", "title: Third }", ["experiment price: variation B: remote config en.title changes from \"Half\" to \"Third\""]),
        ("title: Half }", "title: Half, days: 7 }", ["experiment price: variation B now replaces remote config en.days with 7"]),
        (", de: { title: Halb }", "", ["experiment price: variation B no longer replaces remote config de.title; it was \"Halb\""]),
        (", remoteConfig: { en: { title: Half }, de: { title: Halb } }", "", [
            "experiment price: variation B no longer replaces remote config en.title; it was \"Half\"",
            "experiment price: variation B no longer replaces remote config de.title; it was \"Halb\"",
        ]),
        ("      A: { weight: 50, paywall: default }\n", "", ["experiment price: variation A is removed; it had weight 50 and paywall default"]),
        ("    overrides:", "      C: { weight: 0, nothing: true }\n    overrides:", ["experiment price: variation C is added; it has weight 0 and nothing to show"]),
        ("    state: draft", "    state: draft\n    layer: { name: main, to: 50% }", ["experiment price now takes 0% to 50% of layer main"]),
        ("    state: draft", "    state: draft\n    holdout: h1\n    primary: trial", ["experiment price now leaves out holdout h1", "experiment price is now judged by metric trial"]),
        ("state: draft", "state: stopped\n    promote: B", ["experiment price is now stopped instead of draft", "experiment price now promotes variation B"]),
        ("install-one: B", "install-one: A, install-two: B", ["experiment price: install install-one now has variation A instead of B", "experiment price: install install-two now has variation B"]),
        ("    overrides: { install-one: B }\n", "", ["experiment price: install install-one has no variation of its own any more; it was B"]),
        ("harm: 1%", "harm: 2%", ["experiment price: guardrail onboarded now has harm 2% instead of 1%"]),
        ("{ metric: onboarded, harm: 1% }", "{ metric: onboarded, harm: 1% }, { metric: paid, harm: 3% }", ["experiment price now has guardrail paid with harm 3%"]),
        ("    guardrails: [{ metric: onboarded, harm: 1% }]\n", "", ["experiment price no longer has guardrail onboarded"]),
        ("plannedUnits: 5000", "plannedUnits: 9000", ["experiment price now plans units: 9000, not 5000"]),
        ("share: 5%", "share: 10%", ["holdout h1 now keeps out 10% of the units instead of 5%"]),
        ("h1: { share: 5% }", "h1: { share: 5% }, h2: { share: 1% }", ["holdout h2 is added: it keeps out 1% of the units"]),
        ("main: {}", "main: {}, other: {}", ["layer other is added"]),
        ("text: Two", "text: Three", ["paywall default: remote config en.features[1].text changes from \"Two\" to \"Three\""]),
    ]

    @Test("has its sentence", arguments: cases)
    func told(old: String, new: String, sentences: [String]) {
        let after = Self.base.replacing(old, with: new)

        #expect(after != Self.base)
        #expect(ConfigurationChangesTests.changes(Self.base, after).listed.map(\.sentence) == sentences)
    }

    @Test("A change of the order of variations has a sentence, because the first one is the control")
    func order() {
        let a = "      A: { weight: 50, paywall: default }\n"
        let after = Self.base.replacing(a, with: "").replacing("    overrides:", with: a + "    overrides:")

        #expect(ConfigurationChangesTests.changes(Self.base, after).listed.map(\.sentence) == [
            "experiment price: the variations are now in the order B, A; it was A, B"
        ])
    }

    @Test("The whole range of a layer is in the sentence, also if it is removed")
    func range() {
        let with = Self.base.replacing("state: draft", with: "state: draft\n    layer: { name: main, from: 10%, to: 50% }")
        let wide = with.replacing("to: 50%", with: "to: 90%")

        #expect(ConfigurationChangesTests.changes(with, wide).listed.map(\.sentence) == [
            "experiment price now takes 10% to 90% of layer main instead of 10% to 50% of layer main"
        ])
        #expect(ConfigurationChangesTests.changes(wide, Self.base).listed.map(\.sentence) == [
            "experiment price now takes every unit; it took 10% to 90% of layer main"
        ])
    }

    @Test("A new experiment says its state and its variations")
    func added() throws {
        let before = try #require(Self.base.firstRange(of: "experiments:")).lowerBound

        let changes = ConfigurationChangesTests.changes(String(Self.base[..<before]), Self.base)

        #expect(changes.listed.map(\.sentence) == [
            "experiment price is added: draft, variation A has weight 50 and paywall default, variation B has weight 50 and paywall special with its own remote config"
        ])
    }
}
