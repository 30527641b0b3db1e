// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("Changes of a file by a command line", .timeLimit(.minutes(1)))
struct ConfigurationEditOrderTests {
    /// Comments, anchors, and an indentation that nobody would choose.
    private static let file = """
        # The team's file.
        app:   { id: sample,   bundleId: com.example.sample }   # ours
        keys:
            - sdk:   pk_sample      # in the app

        paywalls:
           default: &base          # what most see
             products:   [ year,month ]
             remoteConfig:
                  en:
                       title:    "Unlock"       # said by marketing
                       price: 1.10
           special: *base
        audiences: {}

        # Where they are shown.
        placements:
          home:
          - audience: everyone
            paywall:  default

        """

    private static func edited(set: [String] = [], remove: [String] = []) throws(ConfigurationEditMistake) -> EditedConfiguration {
        try EditedConfiguration(file, file: "landfall.yaml", try ConfigurationEditOrder(set: set, remove: remove))
    }

    private static let changes = [
        ("app.name='Sample: the app'", "com.example.sample }", #"com.example.sample, name: "Sample: the app" }"#),
        ("placements.home[0].paywall=special", "paywall:  default", "paywall:  special"),
        ("app.bundleId=com.example.other", "com.example.sample", "com.example.other"),
        (
            "testDevices.maya={ install: 0190a5c0-7e1b-7c3a-9f00-000000000001 }", "    paywall:  default\n",
            "    paywall:  default\ntestDevices:\n  maya:\n    install: 0190a5c0-7e1b-7c3a-9f00-000000000001\n"
        ),
        ("audiences.known={ app.version: { <: 1.10 } }", "audiences: {}", "audiences:\n  known:\n    app.version:\n      \"<\": 1.10"),
    ]

    @Test("replace one entry, and every other byte stays", arguments: changes)
    func oneEntry(order: String, old: String, new: String) throws {
        let edited = try Self.edited(set: [order])

        #expect(edited.text == Self.file.replacing(old, with: new))
        #expect(edited.changes.count == 1)
    }

    @Test("are made one after another, removals last, and are described by their meaning")
    func several() throws {
        let edited = try Self.edited(
            set: ["paywalls.other.products=[week]", "placements.home[0].paywall=other"], remove: ["paywalls.special"])

        #expect(
            edited.changes.map(\.sentence) == [
                "paywall special is removed", "paywall other is added: products week",
                "placement home: everyone now sees paywall other instead of paywall default",
            ])
        #expect(edited.text.contains("products:   [ year,month ]") && !edited.text.contains("*base"))
    }

    @Test(
        "that cannot be made give the reason and change nothing",
        arguments: [
            ("app.name", "'app.name' has no value. Write PATH=VALUE"), ("app..name=x", "'app..name=x' does not name an entry."),
            ("=x", "'=x' does not name an entry."), ("app.name=", "'' cannot be the value of 'app.name'."),
            ("app.name=[a", "'[a' cannot be the value of 'app.name'."), ("app.name=Sample: the app", "'name' is not a text."),
            ("paywalls.special.products=[a]", "is repeated by an alias in line 13"),
            ("paywalls.default.products=[a]", "would change other entries too"),
            ("placements.home[0].paywall=spring", "There is no paywall 'spring'."), ("keys[3].sdk=pk_x", "The file has no 'keys[3].sdk'."),
        ])
    func refused(order: String, said: String) {
        let error = #expect(throws: ConfigurationEditMistake.self) { try Self.edited(set: [order]) }

        #expect(error?.description.contains(said) == true, "\(error?.description ?? "")")
    }

    @Test(
        "keep a number in its written form, and keep a text as a text",
        arguments: [
            ("1.10", .number(1.1)), (#""1.10""#, "1.10"), ("0.50", .number(0.5)), ("5", 5), ("true", true), ("1e3", .number(1000)), ("+1", 1),
        ] as [(String, JSONValue)])
    func scalars(text: String, value: JSONValue) throws {
        let edited = try Self.edited(set: ["paywalls.one={ remoteConfig: { en: { a: \(text) } } }"])

        let paywall = try #require(try Configuration(yaml: edited.text).paywalls.first { $0.id == "one" })
        #expect(paywall.localized(for: nil).wire.remoteConfig?.value["a"] == value)
        #expect(edited.text.contains("a: \(text)\n"))
    }
}
