// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import Testing

@Suite("What the configuration says about a product", .timeLimit(.minutes(1)))
struct ProductRuleTests {
    @Test(
        "is the exact name's, else the longest prefix's",
        arguments: [
            ("sim.trial=7d", "short"), ("sim.year=1&fail=1", "long"), ("sim.year", "exact"), ("sim", nil), ("SIM.year", nil),
            ("", nil),
        ] as [(String, String?)])
    func rule(_ product: String, _ level: String?) {
        var rules = PurchaseRules()
        rules.products = [("sim.*", "short"), ("sim.year", "exact"), ("sim.year*", "long")].map { name, level in
            ProductRule(name: ProductRule.Name(name), access: [AccessLevel(rawValue: level)])
        }

        #expect(rules.rule(of: product)?.access.first?.rawValue == level)
    }

    @Test(
        "of the sandbox opens something as the rule says",
        arguments: [(SandboxRule.grant, true, true), (.testers, true, false), (.refuse, false, false)])
    func sandbox(_ rule: SandboxRule, _ tester: Bool, _ other: Bool) {
        #expect(rule.opens(isTester: true) == tester)
        #expect(rule.opens(isTester: false) == other)
    }
}
