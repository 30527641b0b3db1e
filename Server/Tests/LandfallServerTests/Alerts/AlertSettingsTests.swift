// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules

@Suite("Alerts in the configuration", .timeLimit(.minutes(1)))
struct AlertSettingsTests {
    private static let environment = [
        "LANDFALL_HOOK": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "LANDFALL_MAIL": "pass word", "LANDFALL_CHAT": "https://hooks.example.com/T/B",
        "LANDFALL_BAD": "a\r\nb",
    ]

    @Test("Without the section every rule is on with its usual limit, and nobody is told")
    func usual() throws {
        let alerts = try Sample.configuration("").alerts

        #expect(alerts == AlertSettings() && alerts.destinations.isEmpty)
        #expect(alerts.rules.keys.count == AlertRule.allCases.count)
        for rule in AlertRule.allCases {
            #expect(alerts.rules[rule]?.limit == rule.limit?.usual && AlertRule.minutes.contains(rule.usualMinutes))
            if let limit = rule.limit { #expect(limit.range.contains(limit.usual)) }
        }
    }

    @Test("Rules are changed and switched off by name; destinations are read in the order of the file")
    func read() throws {
        let alerts = try Sample.configuration(
            """
            alerts:
              rules: { disk: { limit: 15, minutes: 0 }, backup: false, webhook: true, appleCopy: { minutes: 2880 } }
              destinations:
                team: { email: { host: smtp.example.com, user: me, passwordFrom: LANDFALL_MAIL, from: landfall@example.com, to: [ops@example.com, b@example.com] } }
                near: { email: { host: 127.0.0.1, port: 2525, security: none, from: landfall@example.com, to: [ops@example.com] } }
                chat: { slack: { urlFrom: LANDFALL_CHAT } }
                pager: { webhook: { url: https://hooks.example.com/a, secretFrom: LANDFALL_HOOK } }

            """, environment: Self.environment
        ).alerts

        #expect(alerts.rules[.disk] == AlertSettings.Setting(limit: 15, minutes: 0) && alerts.rules[.backup] == nil)
        #expect(alerts.rules[.webhook] == AlertSettings.Setting(.webhook) && alerts.rules[.appleCopy]?.quietMs == 30 * 60_000)
        #expect(alerts.destinations.map(\.name) == ["team", "near", "chat", "pager"])
        guard case .email(let team) = alerts.destinations[0].way, case .email(let near) = alerts.destinations[1].way else {
            Issue.record("no mail")
            return
        }
        #expect(team.port == 587 && team.security == .starttls && team.login?.password == "pass word" && team.to.count == 2)
        #expect(near.port == 2525 && near.security == .none && near.login == nil)
        #expect(alerts.destinations[2].way == .slack(url: "https://hooks.example.com/T/B"))
    }

    @Test(
        "A mistake has a sentence, and no secret is in it",
        arguments: [
            ("rules: { disc: false }", "Did you mean 'disk'?"), ("rules: { disk: { limit: 0 } }", "from 1 to 90"),
            ("rules: { disk: { minutes: 10081 } }", "from 0 to 10080"), ("rules: { associationFile: { limit: 1 } }", "has no number to compare with"),
            ("rules: { disk: often }", "neither true nor false"), ("destinations: { a: {} }", "has one of 'email', 'slack' and 'webhook'"),
            ("destinations: { a b: { slack: { urlFrom: LANDFALL_CHAT } } }", "cannot be called"),
            ("destinations: { a: { slack: { urlFrom: LANDFALL_MAIL } } }", "is not an https address"),
            ("destinations: { a: { webhook: { url: https://a.example, secretFrom: LANDFALL_MAIL } } }", "is not 'whsec_'"),
            ("destinations: { a: { email: { host: 'a b', from: a@b.example, to: [c@d.example] } } }", "'host' cannot be"),
            ("destinations: { a: { email: { host: m.example, from: 'a <a@b.example>', to: [c@d.example] } } }", "'from' cannot be"),
            ("destinations: { a: { email: { host: m.example, from: a@b.example, to: [] } } }", "'to' is empty"),
            ("destinations: { a: { email: { host: m.example, from: a@b.example, to: [c@d.example], user: u } } }", "needs 'passwordFrom'"),
            ("destinations: { a: { email: { host: m.example, from: a@b.example, to: [c@d.example], user: u, passwordFrom: LANDFALL_BAD } } }", "control character"),
            ("destinations: { a: { email: { host: m.example, from: a@b.example, to: [c@d.example], security: none } } }", "only for 127.0.0.1 and ::1"),
        ])
    func mistakes(fields: String, sentence: String) throws {
        let problems = Sample.problems(adding: "alerts: { \(fields) }\n", environment: Self.environment)

        #expect(problems.count == 1, "\(problems)")
        #expect(try #require(problems.first).contains(sentence), "\(problems)")
        #expect(!problems.joined().contains("pass word"))
    }

    @Test("An address has no sign that could end a line or a command", arguments: [
        "a", "a@", "@b", "a@b@c", "a b@c", "a@b c", "a\r\n@b", "<a@b>", "a@-b_", "ü@b.example", "\"a\"@b", "a@b..c", String(repeating: "a", count: 65) + "@b",
    ])
    func address(text: String) {
        #expect(MailAddress(text) == nil)
        #expect(MailAddress("ops+landfall@mail.example.com")?.host == "mail.example.com")
    }

    @Test("A program that does not serve needs no secrets, and a change is said")
    func standIn() throws {
        func read(_ limit: Int) -> ReadConfiguration {
            ReadConfiguration(
                yaml: Sample.base + """
                    alerts:
                      rules: { disk: { limit: \(limit) } }
                      destinations: { chat: { slack: { urlFrom: LANDFALL_NOT_HERE } }, mail: { email: { host: m.example, from: a@b.example, to: [c@d.example], user: u, passwordFrom: LANDFALL_NOT_HERE } } }

                    """, secrets: .withoutSecrets)
        }

        #expect(try read(12).requireConfiguration().alerts.destinations.count == 2)
        #expect(ConfigurationChanges(from: read(12).root, to: read(13).root).sections == ["alerts"])
    }
}
