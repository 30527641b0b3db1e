// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallResults
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("The console's experiments", .timeLimit(.minutes(2)))
struct ExperimentRoomTests {
    /// Units that were all drawn and shown.
    static func add(_ counts: [String: Int], to server: TestServer) async throws {
        let app = server.services.snapshot.app.id, nowMs = server.services.time.nowMs()
        try await server.services.database.write { connection in
            var number = 0
            for (variation, count) in counts.sorted(by: { $0.key < $1.key }) {
                for _ in 0..<count {
                    number += 1
                    let digits = String(number, radix: 16)
                    let unit = "0198f0c2-7b1a-7c3d-8e4f-" + String(repeating: "0", count: 12 - digits.count) + digits
                    try connection.run(
                        "INSERT INTO experiment_unit VALUES ($1, $2, 'spring-price', 1, $3, 5, 'drawn', 1, $4, $4, $4, NULL)",
                        [.text(app.rawValue), .text(unit), .text(variation), .integer(nowMs)])
                }
            }
        }
    }

    @Test("The example of a page without experiments is a configuration, as a draft and live", arguments: ["draft", "live"])
    func example(state: String) {
        let app = """
            app: { id: example, bundleId: com.example.app }
            keys: [{ sdk: pk_demo }]
            paywalls: { default: { products: [yearly] }, half-price: { products: [yearly.half] } }

            """
        let check = ConfigurationCheck(
            yaml: app + ExperimentListPage.example.replacing("state: draft", with: "state: \(state)"), file: "landfall.yaml", nowMs: 0)

        #expect(check.ok, "\(check)")
    }

    @Test("A page, its JSON and its table have what the phones did; the JSON is the API's")
    func counted() async throws {
        try await ExperimentRouteTests.run { server in
            let told = try await ExperimentRouteTests.launch(server)
            let browser = try await ConsoleBrowser.signedIn(server.server, as: .viewer)

            let page = try await browser.get("/console/experiments/spring-price").page
            let document = try await browser.get("/console/experiments/spring-price.json")
            let table = try await browser.get("/console/experiments/spring-price.csv")

            #expect(page.contains("38 units shown") && page.contains("B is not decided on trial.") && page.contains("home, ads"))
            let api = try await ExperimentRouteTests.get("/v1/experiments/spring-price/results", server)
            #expect(document.status == .ok && document.headers[.contentType] == "application/json")
            #expect(try document.decoded(JSONValue.self) == api.decoded(JSONValue.self))
            #expect(table.headers[.contentType] == "text/csv; charset=utf-8")
            let lines = table.page.split(whereSeparator: \.isNewline)
            #expect(lines.count == 3 && lines[0].hasPrefix("variation,units,conversions,rate"))
            for (line, name) in zip(lines.dropFirst(), ["A", "B"]) {
                #expect(line.hasPrefix("\(name),\(told.shown[name] ?? 0),\(told.converted[name] ?? 0),"))
            }
        }
    }

    @Test("The list has state, placements and units, but no verdict; its JSON is the API's")
    func list() async throws {
        try await ExperimentRouteTests.run { server in
            _ = try await ExperimentRouteTests.launch(server)
            let browser = try await ConsoleBrowser.signedIn(server.server, as: .viewer)

            let page = try await browser.get("/console/experiments").page
            let document = try await browser.get("/console/experiments.json"), table = try await browser.get("/console/experiments.csv").page

            #expect(page.contains("/console/experiments/spring-price\"") && page.contains(">Live<") && page.contains(">38<"))
            #expect(page.contains(">home, ads</td>") && page.contains(">0 %<") && !page.contains(">not decided<"))
            let api = try await ExperimentRouteTests.get("/v1/experiments", server)
            #expect(try document.decoded(JSONValue.self) == api.decoded(JSONValue.self))
            #expect(table.contains("\r\nspring-price,live,1,trial,shown,38,5000,A B\r\n"))
        }
    }

    @Test("Of a source with one unit no file tells anything, nor does a viewer's page; an owner's page and a key's answer do")
    func few() async throws {
        try await ExperimentRouteTests.run { server in
            try await Self.add(["A": 30, "B": 30], to: server.server)
            let app = server.server.services.snapshot.app.id
            _ = try await server.server.services.database.write { connection in
                try connection.run(
                    "UPDATE experiment_unit SET fallback_at_ms = shown_at_ms - 1 WHERE app_id = $1 AND unit = '0198f0c2-7b1a-7c3d-8e4f-000000000001'",
                    [.text(app.rawValue)])
            }
            let viewer = try await ConsoleBrowser.signedIn(server.server, as: .viewer)
            let owner = try await ConsoleBrowser.signedIn(server.server, as: .owner, "owner@example.com")

            let file = try await owner.get("/console/experiments/spring-price.json").decoded(JSONValue.self)
            let api = try await ExperimentRouteTests.get("/v1/experiments/spring-price/results", server).decoded(JSONValue.self)
            let name = "Saw a fallback first"

            #expect(file["health"]?["fallbackFirst"] == .null && api["health"]?["fallbackFirst"] == .integer(1))
            #expect(try await !viewer.get("/console/experiments/spring-price").page.contains(name))
            #expect(try await owner.get("/console/experiments/spring-price").page.contains(name))
        }
    }

    @Test("There is no other experiment", arguments: ["autumn", "autumn.json", "spring-price.xml", ".csv", ".json", "spring-price.json.json"])
    func unknown(name: String) async throws {
        try await ExperimentServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server.server, as: .viewer)

            #expect(try await browser.get("/console/experiments/\(name)").status == .notFound)
        }
    }

    @Test("An experiment whose own name ends like a file is found by its whole name")
    func nameOfFile() async throws {
        let yaml = ExperimentServer.yaml().replacing("spring-price", with: "spring.json")
        try await ExperimentServer.run(yaml) { server in
            let browser = try await ConsoleBrowser.signedIn(server.server, as: .viewer)

            #expect(try await browser.get("/console/experiments/spring.json").page.contains("<h1>spring.json</h1>"))
            #expect(try await browser.get("/console/experiments/spring.json.json").decoded(JSONValue.self)["experiment"]?.string == "spring.json")
        }
    }

    @Test("If units do not come by the weights, no page has a verdict", arguments: Language.allCases)
    func suppressed(language: Language) async throws {
        try await ExperimentRouteTests.run { server in
            try await Self.add(["A": 300, "B": 30], to: server.server)
            let browser = try await ConsoleBrowser.signedIn(server.server, as: .viewer)

            let page = try await browser.get("/console/experiments/spring-price", [.acceptLanguage: language.tag]).page

            #expect(page.contains("<html lang=\"\(language.tag)\">"))
            #expect(page.contains("class=\"alert\" role=\"status\"") && page.contains("badge bad"))
            #expect(!page.contains("not decided") && !page.contains("未決着") && !page.contains("尚无定论"))
        }
    }

    @Test("A draft without units is a page, and so is a promoted experiment")
    func states() async throws {
        try await ExperimentServer.run(ExperimentServer.yaml(state: "draft")) { server in
            let browser = try await ConsoleBrowser.signedIn(server.server, as: .viewer)
            let draft = try await browser.get("/console/experiments/spring-price").page
            try await server.publish(ExperimentServer.yaml(state: "stopped", more: "promote: B"))
            let promoted = try await browser.get("/console/experiments/spring-price").page

            #expect(draft.contains("Draft") && draft.contains("It has not begun.") && draft.contains("names no primary metric"))
            #expect(promoted.contains("Promoted: B"))
            #expect(try await browser.get("/console/experiments").page.contains("Promoted: B"))
        }
    }

    @Test("The share whose window is over is that of the results; the team's own phones are in neither")
    func matured() async throws {
        try await ExperimentRouteTests.run { server in
            try await Self.add(["A": 20, "B": 20], to: server.server)
            let database = server.server.services.database, snapshot = server.server.services.snapshot
            let longAgo = server.server.services.time.nowMs() - 15 * 86_400_000
            _ = try await database.write { connection in
                try connection.run(
                    "UPDATE experiment_unit SET shown_at_ms = $1, decided_at_ms = $1 WHERE unit <= '0198f0c2-7b1a-7c3d-8e4f-00000000000a'",
                    [.integer(longAgo)])
            }
            let experiment = try ExperimentRoutes.experiment("spring-price", in: snapshot)
            let own = try #require(InstallKey(InstallID("0198f0c2-7b1a-7c3d-8e4f-000000000001")))
            for devices in [Set<InstallKey>(), [own]] {
                let counting = ExperimentCounter(
                    database: database, app: snapshot.app.id,
                    experiment: experiment.counted(try await StoredEpoch.all(of: "spring-price", in: snapshot.app.id, database)),
                    measures: experiment.metrics.map { $0?.measure }, testDevices: devices, nowMs: server.server.services.time.nowMs())
                for basis in ExperimentNumbers.Basis.allCases {
                    let units = try await counting.units(basis)
                    #expect(units.all == 40 - devices.count && units.matured == 10 - devices.count)
                }
                #expect(try await counting.numbers().facts.matured == Double(10 - devices.count) / Double(40 - devices.count))
            }
        }
    }

    @Test("Every note that results give has words in the console")
    func notes() throws {
        let paid = Metric(name: "revenue", measure: .revenue(.purchases))
        var experiment = ResultsExperiment(name: "x", state: "live", variations: [.init(name: "A", weight: 1)], primary: nil)
        experiment.secondaries = [paid, paid]

        let said = Set(experiment.counted([]).metrics.compactMap(\.missing))
        #expect(experiment.notes == [.noPrimary, .noCurrency("revenue")] && said.count == 2)
        let words = Words(.english).experiments
        #expect(said == Set(experiment.notes.map { words.sentence($0) }))
    }
}
