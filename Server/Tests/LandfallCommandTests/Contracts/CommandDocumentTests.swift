// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import LandfallWire
import Testing

extension RealProcessTests {
    /// What scripts of other people read: the members stay, more may come.
    @Suite("The documents of --json", .timeLimit(.minutes(2)))
    struct CommandDocumentTests {
        private static let remark: DocumentShape = ["line": .integer, "column": .integer, "path": .text, "message": .text]
        private static let change: DocumentShape = [
            "path": .text, "kind": .one(of: ["added", "removed", "changed"]), "before": .anything, "after": .anything, "sentence": .text,
        ]
        private static let published: DocumentShape = [
            "base": .integer, "version": .orNull(.integer), "changes": [change], "warnings": [remark],
        ]
        private static let condition: DocumentShape = [
            "path": .text, "attribute": .text, "operator": .text, "expected": .anything, "value": .anything,
            "result": .one(of: ["yes", "no", "unknown"]), "reason": .one(of: ["compared", "missing", "pending", "type"]),
            "valueIs": .one(of: ["then", "now"]),
        ]
        private static let explanation: DocumentShape = [
            "install": .text, "profile": .text, "placement": .text, "revision": .integer, "asOf": .one(of: ["now", "exposure"]), "final": .flag,
            "audiences": [[
                "audience": .text, "result": .one(of: ["yes", "no", "unknown"]), "reached": .flag, "conditions": .list(condition),
            ]], "draw": .null,
            "chosen": ["audience": .text, "paywall": .orNull(.text), "experiment": .orNull(.text), "variation": .orNull(.text)],
        ]
        private static let report: DocumentShape = [
            "report": .text, "from": .text, "to": .text, "timeZone": .text, "completeToMilliseconds": .integer, "by": [.text],
            "columns": [["name": .text, "definition": .text, "unit": .text]],
            "rows": [["key": .members(.orNull(.text)), "values": .members(.orNull(.number))]], "totals": .members(.orNull(.number)),
        ]
        private static let money: DocumentShape = [
            "purchases": .integer, "grossMilliunits": .integer, "refundsMilliunits": .integer, "netMilliunits": .integer,
            "proceedsEstimatedMilliunits": .integer, "upgradeCreditEstimatedMilliunits": .integer, "trialsStarted": .integer,
            "trialsPaid": .integer, "refunds": .integer, "spendMilliunits": .orNull(.integer), "roas": .orNull(.number),
        ]
        private static let revenue: DocumentShape = [
            "currency": .orNull(.text), "by": [.text], "view": .one(of: ["purchase", "booking"]), "from": .text, "to": .text, "timeZone": .text,
            "rows": [], "totals": money, "unconverted": [], "erased": money,
        ]
        private static let interval: DocumentShape = .orNull([.number, .number])
        private static let maybe: DocumentShape = .orNull(.number)
        private static let health: DocumentShape = [
            "ratio": ["ok": .flag, "p": .number, "chiSquare": maybe, "chiSquareP": .number],
            "ratioParts": [[
                "by": .text, "value": .text, "ok": .flag, "p": .number, "adjustedP": .number, "units": .list(.integer),
            ]],
            "shownOverDecided": .orNull(["ok": .flag, "p": .number, "byVariation": .members(.number)]),
            "crossovers": maybe, "matured": maybe, "echoed": .orNull(.integer), "fallbackFirst": .orNull(.integer),
        ]
        private static let compared: DocumentShape = [
            "variation": .text, "control": .text, "metric": .text, "role": .one(of: ["primary", "secondary", "guardrail", "segment"]),
            "segment": .orNull(.text), "difference": maybe, "standardError": maybe, "interval": interval, "p": .number,
            "adjustedP": .number, "lift": maybe, "liftInterval": interval, "probabilityBetter": maybe, "expectedLoss": maybe,
            "verdict": .one(of: ["higher", "lower", "not decided", "safe", "harmed", "suppressed"]), "decidedOnDay": .orNull(.integer),
        ]
        private static let results: DocumentShape = [
            "experiment": .text, "state": .text, "day": .integer, "basis": .one(of: ["shown", "decided"]), "plannedUnits": .integer,
            "unitsLeft": .integer, "health": health,
            "variations": [[
                "variation": .text, "units": .integer, "conversions": .orNull(.integer), "rate": maybe, "rateInterval": interval,
                "mean": maybe, "meanUncapped": maybe, "cap": maybe,
            ]], "comparisons": .list(compared), "currency": .orNull(.text),
            "unconverted": [["metric": .text, "units": .orNull(.integer), "currencies": .list(.text)]], "notes": .list(.text),
        ]
        private static let listed: DocumentShape = [
            "experiments": [[
                "experiment": .text, "state": .one(of: ["draft", "live", "stopped"]), "day": .integer, "primary": .text,
                "variations": .list(.text), "basis": .one(of: ["shown", "decided"]), "units": .integer, "plannedUnits": .integer,
            ]],
        ]
        private static let planned: DocumentShape = [
            "rate": .number, "effect": .number, "alpha": .number, "power": .number, "looks": .one(of: ["any", "last"]),
            "variations": .integer, "unitsPerVariation": .integer, "plannedUnits": .integer, "units": .integer,
            "days": .orNull(.integer), "daysWithWindow": .orNull(.integer), "unitsPerDay": maybe, "source": .orNull(.text),
        ]
        private static let drawn: DocumentShape = ["namespace": .text, "salt": .text, "unit": .text, "u": .text, "bucket": .integer]

        private static let install = "0198f0c2-7b1a-7c3d-8e4f-000000000001"
        private static let exposure = "0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10"

        private static func yaml(_ paywall: String) -> String {
            """
            app: { id: example, bundleId: com.example.app }
            keys: [{ sdk: pk_test }]
            events: { trial_started: { value: true, properties: { plan: string } } }
            metrics: { trial: { event: trial_started }, paid: { purchase: any } }
            paywalls: { default: {}, special: {} }
            audiences: { elsewhere: { country: { isNot: US } }, tenth: { share: { of: calm, to: 10% } } }
            placements:
              onboarding:
                - { audience: elsewhere, paywall: special }
                - { audience: tenth, paywall: special }
                - { audience: everyone, paywall: \(paywall) }
              home: [{ audience: everyone, experiment: spring-price }]
            experiments:
              spring-price:
                state: live
                variations: { A: { weight: 50, paywall: default }, B: { weight: 50, paywall: special } }
                primary: trial
            """
        }

        private static func call(_ port: Int, _ path: String, _ body: String) async throws -> RawConnection.Answer? {
            let profile = "\(install).\(String(repeating: "A", count: 43))"
            return try await onThread {
                let connection = try RawConnection(port: port)
                try connection.send(
                    "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer pk_test\r\nLandfall-Profile: \(profile)\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
                return connection.answer()
            }
        }

        @Test("have the promised members, with an install, its exposures, its own event, an experiment and two versions in the store")
        func shapes() async throws {
            try await ServingProcess.withFolder { parent in
                let files = ["default", "special"].map { parent.appending(path: "\($0).yaml") }
                for file in files {
                    try Data(Self.yaml(file.deletingPathExtension().lastPathComponent).utf8).write(to: file)
                }
                let data = parent.appending(path: "data")
                let server = try await ServingProcess.start(in: data, configuration: files[0].path)
                _ = try await Self.call(server.port, "/v1/first-open", #"{"adToken":{"none":"noToken"},"device":{"locale":"en"}}"#)
                let events = try await Self.call(
                    server.port, "/v1/events",
                    #"""
                    {"events":[{"id":"\#(Self.exposure)","type":"paywall_shown","ageMilliseconds":0,"placement":"onboarding","paywall":"default"},
                      {"id":"0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e11","type":"trial_started","ageMilliseconds":0,"value":9.99,"currency":"EUR",
                       "properties":{"plan":"year"}},
                      {"id":"0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e12","type":"paywall_shown","ageMilliseconds":0,"placement":"home","paywall":"default",
                       "assignment":{"experiment":"spring-price","epoch":1,"variation":"A","bucket":5}}]}
                    """#)
                let recorded = try WireCoding.decode(JSONValue.self, from: try #require(events?.body))
                #expect(recorded["results"]?.array?.allSatisfy { $0["status"] == "accepted" } == true, "\(recorded)")

                // What the doctor finds depends on this machine.
                let commands: [([String], DocumentShape, Int32?)] = [
                    (["check", files[1].path], ["ok": .flag, "problems": [Self.remark], "warnings": [Self.remark]], 0),
                    (["check", parent.path], ["ok": .flag, "problems": [Self.remark], "warnings": [Self.remark]], 1),
                    // At a store: how many installs lack what the warning is about.
                    (["check", files[1].path, "--data", data.path], [
                        "ok": .flag, "problems": [Self.remark], "warnings": .tuple([[
                            "message": .text, "lacking": ["attribute": .one(of: ["country"]), "installs": .integer, "sampled": .integer],
                        ]]),
                    ], 0),
                    (["diff", files[1].path], Self.published, 0),
                    (["impact", files[1].path], [
                        "sampled": .integer,
                        "placements": [["placement": .text, "changed": .integer, "share": .number, "interval": [.number, .number]]],
                    ], 0),
                    (["apply", files[1].path, "--message", "M"], Self.published, 0),
                    (["apply", files[0].path, "--base", "1"], [
                        "error": ["code": .text, "message": .text, "requestId": .text], "base": .integer, "newest": .integer,
                        "changes": [Self.change], "proposed": [Self.change],
                    ], 1),
                    (["versions"], [[
                        "version": .integer, "author": .text, "message": .text, "publishedAtMilliseconds": .integer, "hash": .text,
                    ]], 0),
                    (["rollback", "1", "--message", "M"], Self.published, 0),
                    (["export"], ["version": .integer, "yaml": .text], 0),
                    (["export-fallback"], ["format": .integer, "revision": .integer, "paywalls": .anything], 0),
                    (["explain", "--install", Self.install, "--placement", "onboarding"], Self.explanation, 0),
                    (["explain", "--profile", "i_" + Self.install, "--placement", "onboarding"], Self.explanation, 0),
                    (["explain", "--install", Self.install, "--placement", "onboarding", "--at-exposure", Self.exposure], Self.explanation, 0),
                    (["report", "campaigns"], Self.report, 0), (["report", "paywalls"], Self.report, 0), (["report", "links"], Self.report, 0),
                    (["report", "funnel"], Self.report, 0), (["report", "retention"], Self.report, 0), (["report", "overview"], Self.report, 0),
                    (["revenue"], Self.revenue, 0), (["revenue", "--view", "booking"], Self.revenue, 0),
                    (["report", "rebuild"], [
                        "from": .text, "to": .text, "days": .integer, "installs": .integer, "changedDays": .integer,
                        "changedClickDays": .integer, "milliseconds": .integer,
                    ], 0),
                    (["retry-notifications"], ["notifications": .integer, "isMore": .flag], 0),
                    (["results", "spring-price"], Self.results, 0), (["results"], Self.listed, 0),
                    (["plan", "--rate", "5%", "--effect", "100%", "--experiment", "spring-price"], Self.planned, 0),
                    (["plan", "--rate", "5%", "--effect", "10%"], Self.planned, 0),
                    (["doctor", "--local"], [["check": .text, "ok": .flag, "message": .text, "fix": .orNull(.text)]], nil),
                    (["forget", "--install", Self.install], [
                        "profiles": .integer, "installs": .integer, "rows": .members(.integer),
                    ], 0),
                ]
                for (arguments, shape, status) in commands {
                    let place = arguments[0] == "check" ? [] : ["--data", data.path]
                    let done = try await RunningCommand(arguments + ["--json"] + place).completion()
                    if let status { #expect(done.status == status, "\(arguments): \(done.errors)") }
                    let document = try JSONDecoder().decode(JSONValue.self, from: Data(done.output.utf8))
                    #expect(shape.faults(document) == [], "\(arguments): \(done.output)")
                }
                try await server.ends()
            }
        }

        @Test("of a draw are one document, or a list for a list")
        func draw() async throws {
            try await ServingProcess.withFolder { folder in
                let file = folder.appending(path: "vectors.json")
                try Data(#"[{"namespace":"layer","salt":"main","unit":"a"}]"#.utf8).write(to: file)
                let one = try await RunningCommand(["draw", "--namespace", "layer", "--salt", "main", "--unit", "a", "--json"]).completion()
                let list = try await RunningCommand(["draw", "--vectors", file.path, "--json"]).completion()

                #expect(Self.drawn.faults(try JSONDecoder().decode(JSONValue.self, from: Data(one.output.utf8))) == [])
                #expect(DocumentShape.list(Self.drawn).faults(try JSONDecoder().decode(JSONValue.self, from: Data(list.output.utf8))) == [])
            }
        }
    }
}
