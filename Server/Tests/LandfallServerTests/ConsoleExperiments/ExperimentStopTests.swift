// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("Stopping an experiment in the console", .timeLimit(.minutes(1)))
struct ExperimentStopTests {
    private static let stop = "/console/experiments/spring-price/stop"

    @Test("An editor chooses a variation, sees what changes, and publishes it")
    func promotes() async throws {
        try await ExperimentServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server.server, as: .editor)
            let store = ConfigurationStore(server.server.services.database)
            let text = try ExperimentStop.stopped("spring-price", promoting: "B", in: ExperimentServer.yaml())

            let form = try await browser.get("/console/experiments/spring-price").page
            let review = try await browser.post(Self.stop, ["promote": "B"])

            #expect(form.contains("action=\"\(Self.stop)\""))
            #expect(review.status == .ok && review.page.contains("<del>-     state: live") && review.page.contains("<ins>+     state: stopped"))
            #expect(review.page.contains("<ins>+     promote: B") && review.page.contains("value=\"Stop spring-price: everyone sees B\""))
            #expect(review.page.contains("name=\"checked\" value=\"\(ConfigurationStore.hash(of: text))\""))
            #expect(try await store.newestNumber() == 1, "A choice publishes nothing.")

            let fields = ["text": text, "base": "1", "message": "", "checked": ConfigurationStore.hash(of: text)]
            let published = try await browser.post("/console/versions/draft/publish", fields)

            #expect(published.status == .seeOther)
            #expect(try await browser.get("/console/experiments/spring-price").page.contains("Promoted: B"))
        }
    }

    @Test("The edit changes the state and what is promoted, and no other byte")
    func edit() throws {
        let live = ExperimentServer.yaml(), stopped = ExperimentServer.yaml(state: "stopped")

        let promoted = try ExperimentStop.stopped("spring-price", promoting: "B", in: live)

        #expect(try ExperimentStop.stopped("spring-price", promoting: nil, in: live) == stopped)
        #expect(try Configuration(yaml: promoted).experiments.first?.promoted == 1)
        #expect(promoted.split(separator: "\n").filter { $0 != "    promote: B" } == stopped.split(separator: "\n"))
        let again = try ExperimentStop.stopped("spring-price", promoting: nil, in: promoted)
        #expect(again.split(separator: "\n") == stopped.split(separator: "\n"))
    }

    @Test("A variation that is not there is refused on the page", arguments: [[:], ["promote": ""], ["promote": "C"], ["promote": "<b>"]])
    func unknownVariation(form: [String: String]) async throws {
        try await ExperimentServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server.server, as: .owner)

            let answer = try await browser.post(Self.stop, form)

            #expect(answer.status == .unprocessableContent && answer.page.contains("Choose one of the variations."))
            #expect(answer.page.contains("href=\"#promote\"") && !answer.page.contains("<b>"))
            #expect(try await browser.post("/console/experiments/autumn/stop", form).status == .notFound)
        }
    }

    @Test("An entry that shares its text with another one is left to its editor", arguments: ["spring-price", "other"])
    func shared(name: String) async throws {
        let yaml = ExperimentServer.yaml()
            .replacing("  spring-price:\n", with: "  spring-price: &body\n").replacing("placements:\n", with: "  other: *body\nplacements:\n")
        try await ExperimentServer.run(yaml) { server in
            let browser = try await ConsoleBrowser.signedIn(server.server, as: .owner)

            let answer = try await browser.post("/console/experiments/\(name)/stop", ["promote": "B"])

            #expect(answer.status == .unprocessableContent && answer.page.contains("by hand") && answer.page.contains("*body"))
        }
    }

    @Test("A draft cannot be stopped, and members who may not publish see no form")
    func hidden() async throws {
        try await ExperimentServer.run { server in
            let viewer = try await ConsoleBrowser.signedIn(server.server, as: .viewer)
            #expect(try await !viewer.get("/console/experiments/spring-price").page.contains(Self.stop))
            #expect(try await viewer.post(Self.stop, ["promote": "B"]).status == .forbidden)
        }
        try await ExperimentServer.run(ExperimentServer.yaml(state: "draft")) { server in
            let owner = try await ConsoleBrowser.signedIn(server.server, as: .owner)
            #expect(try await !owner.get("/console/experiments/spring-price").page.contains(Self.stop))
        }
    }
}
