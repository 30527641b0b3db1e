// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules

@Suite("Every problem has a place and advice", .timeLimit(.minutes(1)))
struct ConfigurationProblemTests {
    @Test("The base that these tests add to can be served")
    func base() {
        #expect(Sample.problems(adding: "") == [])
    }

    /// What is added from line 10 on, and the one problem that it is.
    static let cases: [(addition: String, problem: String)] = [
        ("audience: {}", "10:1: The configuration has no 'audience'. Did you mean 'audiences'?"),
        ("appleAds: { enable: true }", "10:13: 'appleAds' has no 'enable'. Did you mean 'enabled'?"),
        ("appleAds: { enabled: yes }", "10:22: 'enabled' is neither true nor false. Write one of them, without quotes."),
        ("appleAds: [on]", "10:11: 'appleAds' is not a mapping. Write 'name: value' lines, indented below it."),
        (
            "appleAds: { clientId: SEARCHADS.a, teamId: SEARCHADS.b, keyId: k, privateKeyFile: ../key.pem }",
            "10:83: A file in the folder of --secrets cannot be called '../key.pem'. Use 1 to 64 of A-Z, a-z, 0-9, '.', '_' and '-'."
        ),
        (
            "appleAds: { clientId: SEARCHADS.a, teamId: SEARCHADS.b, keyId: k, privateKeyFile: .key }",
            "10:83: 'privateKeyFile' cannot be '.key'. Write the name of a file in the folder of --secrets."
        ),
        (
            "appleAds: { clientId: SEARCHADS.a, teamId: SEARCHADS.b, keyId: k }",
            "10:11: 'appleAds' needs either 'privateKeyFrom', a variable with the text of the key's file, or 'privateKeyFile', its name in the folder of --secrets. Write one of them."
        ),
        (
            "appleAds: { clientId: SEARCHADS.a, teamId: SEARCHADS.b, privateKeyFile: key.pem }",
            "10:11: 'appleAds' needs 'keyId' to read names and spend. Add it, as Apple Ads shows it beside the API key."
        ),
        (
            "appleAds: { clientId: SEARCHADS.a, teamId: SEARCHADS.b, keyId: k, privateKeyFrom: PATH }",
            "10:83: 'privateKeyFrom' cannot name 'PATH'. Only variables of capitals, digits and '_' that begin with 'LANDFALL_' are read: rename it."
        ),
        (
            "appleAds: { clientId: SEARCHADS.a, teamId: SEARCHADS.b, keyId: k, privateKeyFile: key.pem, adAccounts: some }",
            "10:104: 'adAccounts' is neither all nor a list. Write all, or the ids of ad accounts in [ ]."
        ),
        (
            "appleAds: { clientId: SEARCHADS.a, teamId: SEARCHADS.b, keyId: k, privateKeyFile: key.pem, adAccounts: [] }",
            "10:104: 'adAccounts' is empty, so nothing is read. List some ids, or write all."
        ),
        (
            "appleAds: { clientId: SEARCHADS.a, teamId: SEARCHADS.b, keyId: k, privateKeyFile: key.pem, adAccounts: [5, 5] }",
            "10:108: '5' is here a second time. Keep one of them."
        ),
        (
            "appleAds: { clientId: SEARCHADS.a, teamId: SEARCHADS.b, keyId: k, privateKeyFile: key.pem, adAccounts: [mine] }",
            "10:105: An ad account cannot be 'mine'. Write its id, such as 123456789: landfall doctor lists them."
        ),
        (
            "attribution: { clickWindowDays: 31 }",
            "10:33: 'clickWindowDays' is not a number of days. Write a whole number from 1 to 30."
        ),
        (
            "attribution: { reattributionAfterDays: never }",
            "10:40: 'reattributionAfterDays' is not a number of days. Write a whole number from 0 to 365."
        ),
        (
            "deferredLinks: { byAdress: true }", "10:18: 'deferredLinks' has no 'byAdress'. Did you mean 'byAddress'?"
        ),
        (
            "deferredLinks: { byAddress: on }",
            "10:29: 'byAddress' is neither true nor false. Write one of them, without quotes."
        ),
        (
            "deferredLinks: { byAddress: true, windowMinutes: 1441 }",
            "10:50: 'windowMinutes' is not a number of minutes. Write a whole number from 10 to 1440."
        ),
        (
            "deferredLinks: { windowMinutes: 9 }",
            "10:33: 'windowMinutes' is not a number of minutes. Write a whole number from 10 to 1440."
        ),
        (
            "retention: { clickDays: 29 }", "10:25: 'clickDays' is not a number of days. Write a whole number from 30 to 3650."
        ),
        (
            "retention: { clickDays: 400d }",
            "10:25: 'clickDays' is not a number of days. Write a whole number from 30 to 3650."
        ),
        ("retention: { clicks: 400 }", "10:14: 'retention' has no 'clicks'. Did you mean 'clickDays'?"),
        ("attribution: { clickWindow: 7 }", "10:16: 'attribution' has no 'clickWindow'. Did you mean 'clickWindowDays'?"),
        (
            "audiences: { a: { link.code: { is: beach } } }",
            "10:36: 'link.code' is never 'beach'. Write host and path of the link, such as links.example.com/beach."
        ),
        ("attributes: { plan: text }", "10:21: The type of 'plan' cannot be 'text'. Known: 'boolean', 'date', 'number', 'string'."),
        (
            "attributes: { \"pl an\": string }",
            "10:15: An attribute cannot be called 'pl an'. Use 1 to 30 of A-Z, a-z, 0-9, '.', '_' and '-'."
        ),
        ("domains: { brand: go.example.com }", "10:19: 'brand' is not a list. Write '- ' before each element, or [one, two]."),
        (
            "domains: { brand: [\"https://go.example.com\"] }",
            "10:20: A domain cannot be 'https://go.example.com'. Write a host alone, such as links.example.com."
        ),
        (
            "domains:\n  brand: [example.com]\n  universal: [Example.com]",
            "12:15: 'example.com' is here a second time; the first is in line 11. A domain has one purpose: keep one."
        ),
        (
            "domains: { brand: [go.example.com] }\nlinks: [{ url: https://other.example/a, to: \"https://go.example.com/b\" }]",
            "11:16: A link is https, one of the brand domains and a path, without query. "
                + "Correct it, or add its host to 'domains'."
        ),
        (
            "domains: { brand: [go.example.com] }\nlinks: [{ url: https://go.example.com/a, to: \"https://other.example/b\" }]",
            "11:46: A link leads to https on one of the app's domains, or to the app's scheme. Correct it, or extend 'domains'."
        ),
        (
            "audiences: { everyone: { country: { is: US } } }",
            "10:14: 'everyone' is a built-in audience. Give this audience another name."
        ),
        ("audiences: { a: { country: US } }", "10:28: 'country' needs an operator. Write for example { is: value }."),
        (
            "audiences: { a: { country: { equals: US } } }",
            "10:30: 'country' cannot be tested with 'equals'. Known: 'exists', 'in', 'is', 'isNot', 'notIn'."
        ),
        (
            "audiences: { a: { contry: { is: US } } }",
            "10:19: 'contry' is not an attribute of audiences. Did you mean 'country'?"
        ),
        (
            "audiences: { a: { attribution.campaignId: { is: 1 } } }",
            "10:19: 'attribution.campaignId' is not an attribute of audiences. Did you mean 'attribution.campaign'?"
        ),
        (
            "audiences: { a: { country: { is: USA } } }",
            "10:34: 'country' is never 'USA'. Write the two letters of ISO 3166, such as US."
        ),
        (
            "audiences: { a: { attribution.source: { is: apple-ads } } }",
            "10:45: 'attribution.source' is never 'apple-ads'. Write 'apple_search_ads'."
        ),
        (
            "audiences: { a: { attribution.status: { is: organic } } }",
            "10:45: 'attribution.status' is never 'organic'. Known: 'attributed', 'notAttributed', 'pending', 'unavailable'."
        ),
        (
            "audiences: { a: { app.version: { is: two } } }",
            "10:38: 'two' is not a version. Write numbers and dots, such as 2.10 or 2.10.0-beta.1."
        ),
        ("audiences: { a: { country: { in: [] } } }", "10:34: 'in' is empty. List at least one value."),
        ("audiences: { a: { all: [] } }", "10:24: 'all' is empty. List conditions below it, or remove it."),
        ("audiences: { a: {} }", "10:17: A condition is empty. Remove it, or use the audience 'everyone'."),
        (
            "audiences: { a: { attributes.plan: { is: pro } } }",
            "10:19: 'attributes.plan' is not declared. Declare its type under 'attributes'."
        ),
        (
            "attributes: { n: number }\naudiences: { a: { attributes.n: { is: many } } }",
            "11:39: A value of 'attributes.n' is a number. Write it without quotes."
        ),
        ("identity: { keys: [{ algorithm: none }] }", "10:33: 'algorithm' cannot be 'none'. Known: 'ES256', 'HS256', 'RS256'."),
        (
            "identity: { keys: [{ algorithm: HS256, secretFrom: LANDFALL_NOT_SET }] }",
            "10:52: The environment variable 'LANDFALL_NOT_SET' is not set. Set it to the secret, or remove this key."
        ),
        (
            "identity: { keys: [{ algorithm: HS256, secretFrom: PATH }] }",
            "10:52: 'secretFrom' cannot name 'PATH'. Only variables of capitals, digits and '_' that begin with 'LANDFALL_' are read: rename it."
        ),
        (
            "identity: { keys: [{ algorithm: ES256, publicKey: abc }] }",
            "10:51: 'publicKey' is not a P-256 key in PEM. "
                + "Paste it whole, from '-----BEGIN PUBLIC KEY-----' on, below 'publicKey: |'."
        ),
    ]

    @Test("A mistake is reported at its place", arguments: cases)
    func mistake(addition: String, problem: String) {
        #expect(Sample.problems(adding: addition + "\n") == [problem])
    }

    @Test("A secret that is too short is refused without being shown")
    func shortSecret() {
        let problems = Sample.problems(
            adding: "identity: { keys: [{ algorithm: HS256, secretFrom: LANDFALL_SECRET }] }\n",
            environment: ["LANDFALL_SECRET": "hunter2"]
        )

        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("10:52: The secret in 'LANDFALL_SECRET' is shorter than 32 bytes.") == true)
        #expect(problems.first?.contains("hunter2") == false)
    }

    @Test("All problems of a file are named at once, in its order")
    func all() {
        let problems = Sample.problems(
            """
            app: { id: a, bundelId: com.example.a, teamId: short }
            keys: [{ sdk: sk_secret }, { sdk: pk_a, expires: soon }, { sdk: pk_a }]
            paywalls: { p: { product: [] }, "q r": {} }
            placements:
              home: [{ audience: everyone, paywall: pp }]
              away: [{ audience: everyone, paywall: p }, { audience: nobody, paywall: p }]
              none: []

            """)

        #expect(
            problems.map { $0.prefix { $0 != " " } } == [
                "1:6:", "1:15:", "1:48:", "2:15:", "2:50:", "2:58:", "3:18:", "3:33:", "5:41:", "6:22:", "6:58:", "7:3:",
            ])
        #expect(!problems.joined().contains("sk_secret"))
    }

    @Test("Missing required keys are reported")
    func required() {
        #expect(
            Sample.problems("{}\n")
                == ["app", "keys", "paywalls", "placements"].map {
                    "1:1: The configuration needs '\($0)'. Add it."
                })
    }

    @Test("A list of problems stays readable however many there are")
    func many() throws {
        let error = ConfigurationError(
            file: "landfall.yaml", problems: (1...60).map { .init(place: .init(line: $0, column: 1), message: "Wrong.") }
        )

        #expect(error.description.hasPrefix("landfall.yaml has 60 problems:\n  landfall.yaml:1:1: Wrong.\n"))
        #expect(error.description.hasSuffix("landfall.yaml:50:1: Wrong.\n  … and 10 more."))
    }
}
