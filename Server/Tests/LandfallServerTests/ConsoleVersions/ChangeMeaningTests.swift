// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallRules
@testable import LandfallServer

@Suite("The meaning of changes, for the languages of the console", .timeLimit(.minutes(1)))
struct ChangeMeaningTests {
    private static let yaml = ConfigurationConsole.yaml

    private static func meanings(_ text: String) -> [ChangeMeaning?] {
        let changes = ConfigurationChanges(from: VersionPublisher.root(of: yaml), to: VersionPublisher.root(of: text))
        return ChangeMeaning.all(changes.listed)
    }

    @Test("Changed values, new and removed entries, and what an audience sees each have their own words")
    func kinds() {
        let text = Self.yaml.replacing("title: Unlock", with: "title: Open")
            .replacing("  spare: { products: [weekly] }\n", with: "  spare: { products: [weekly] }\n  fresh: { products: [weekly] }\n")
            .replacing("  unused: { share: { of: half, to: 50% } }\n", with: "")
            .replacing("{ audience: spring, paywall: special }", with: "{ audience: spring, paywall: spare }")

        let expected: [ChangeMeaning?] = [
            .value(section: "paywalls", name: "default", path: "remoteConfig.en.title", before: "\"Unlock\"", after: "\"Open\""),
            .added(section: "paywalls", name: "fresh", value: "{\"products\":[\"weekly\"]}"),
            .removed(section: "audiences", name: "unused"),
            .shows(placement: "home", audience: "spring", before: .paywall("special"), after: .paywall("spare")),
        ]
        #expect(Self.meanings(text) == expected)
    }

    @Test("Another order of audiences is one change")
    func order() {
        let spring = "    - { audience: spring, paywall: special } # until May\n", plus = "    - audience: plus\n      paywall: default\n"
        let text = Self.yaml.replacing(spring + plus, with: plus + spring)

        let expected: [ChangeMeaning?] = [
            .order(section: "placements", name: "home", before: ["spring", "plus", "everyone"], after: ["plus", "spring", "everyone"])
        ]
        #expect(Self.meanings(text) == expected)
    }

    @Test("A change that takes several sentences keeps them")
    func several() {
        let text = Self.yaml.replacing(
            "{ language: { is: ja } }", with: "{ language: { is: ja } }, { language: { is: ko } }, { language: { is: zh } }")

        #expect(Self.meanings(text) == [nil, nil])
    }
}
