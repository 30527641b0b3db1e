// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("Starting an experiment in the console", .timeLimit(.minutes(1)))
struct DraftStartTests {
    private static let start = "/console/experiments/spring-price/start"
    private static let yaml = ExperimentServer.yaml(state: "draft").replacing(
        "layers:", with: "events: { trial_started: {} }\nmetrics: { trial: { event: trial_started }, second: { event: trial_started } }\nlayers:")

    @Test("A draft's page has its weights and a form; the form leads to the review, and publishing makes it live")
    func starts() async throws {
        try await ExperimentServer.run(Self.yaml) { server in
            let browser = try await ConsoleBrowser.signedIn(server.server, as: .editor)
            let store = ConfigurationStore(server.server.services.database)
            let text = try DraftStart.started("spring-price", by: "second", plannedUnits: 900, in: Self.yaml)

            let form = try await browser.get("/console/experiments/spring-price").page
            let review = try await browser.post(Self.start, ["primary": "second", "plannedUnits": "900"])

            #expect(form.contains("action=\"\(Self.start)\"") && form.contains("A 50 · B 50") && form.contains("name=\"plannedUnits\""))
            #expect(form.contains("<option value=\"second\">second</option>"))
            #expect(review.status == .ok && review.page.contains("<ins>+     state: live") && review.page.contains("<ins>+     primary: second"))
            #expect(review.page.contains("<ins>+     plannedUnits: 900") && review.page.contains("value=\"Start spring-price\""))
            #expect(review.page.contains("name=\"checked\" value=\"\(ConfigurationStore.hash(of: text))\""))
            #expect(try await store.newestNumber() == 1, "A choice publishes nothing.")

            let fields = ["text": text, "base": "1", "message": "", "checked": ConfigurationStore.hash(of: text)]
            let published = try await browser.post("/console/versions/draft/publish", fields)
            let live = try await browser.get("/console/experiments/spring-price").page

            #expect(published.status == .seeOther)
            #expect(live.contains("Live") && !live.contains(Self.start) && live.contains("experiments/spring-price/stop"))
        }
    }

    @Test("The edit changes state, metric and planned units, and no other byte; units that stay are not written")
    func edit() throws {
        let started = try DraftStart.started("spring-price", by: "trial", plannedUnits: nil, in: Self.yaml)

        let experiment = try #require(try Configuration(yaml: started).experiments.first)
        #expect(experiment.state == .live && experiment.primary == "trial" && experiment.plannedUnits == nil)
        let lines = started.split(separator: "\n").filter { $0 != "    primary: trial" }
        #expect(lines == Self.yaml.replacing("state: draft", with: "state: live").split(separator: "\n"))
    }

    @Test(
        "What is wrong is told at its field, and what was typed stays",
        arguments: [
            (["primary": "nothing"], "primary"), ([:], "primary"), (["primary": "trial", "plannedUnits": "0"], "plannedUnits"),
            (["primary": "trial", "plannedUnits": "many<b>"], "plannedUnits"), (["primary": "trial", "plannedUnits": "1000000001"], "plannedUnits"),
        ] as [([String: String], String)])
    func wrong(form: [String: String], field: String) async throws {
        try await ExperimentServer.run(Self.yaml) { server in
            let browser = try await ConsoleBrowser.signedIn(server.server, as: .owner)

            let answer = try await browser.post(Self.start, form)

            #expect(answer.status == .unprocessableContent && answer.page.contains("id=\"\(field)-problem\""))
            #expect(!answer.page.contains("<b>"))
            if let typed = form["plannedUnits"], !typed.contains("<") { #expect(answer.page.contains("value=\"\(typed)\"")) }
        }
    }

    @Test("Without a metric the page says how to add one; a live experiment is not started, and a viewer starts none")
    func hidden() async throws {
        try await ExperimentServer.run(ExperimentServer.yaml(state: "draft")) { server in
            let owner = try await ConsoleBrowser.signedIn(server.server, as: .owner)
            let page = try await owner.get("/console/experiments/spring-price").page

            #expect(page.contains("The file has no metric yet") && !page.contains("action=\"\(Self.start)\""))
        }
        try await ExperimentServer.run(Self.yaml.replacing("state: draft", with: "state: live")) { server in
            let owner = try await ConsoleBrowser.signedIn(server.server, as: .owner)
            #expect(try await owner.post(Self.start, ["primary": "trial"]).status == .notFound)
        }
        try await ExperimentServer.run(Self.yaml) { server in
            let viewer = try await ConsoleBrowser.signedIn(server.server, as: .viewer)
            #expect(try await !viewer.get("/console/experiments/spring-price").page.contains(Self.start))
            #expect(try await viewer.post(Self.start, ["primary": "trial"]).status == .forbidden)
        }
    }
}
