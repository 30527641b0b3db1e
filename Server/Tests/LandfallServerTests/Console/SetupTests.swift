// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallStore
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("The first steps of a server", .timeLimit(.minutes(1)))
struct SetupTests {
    @Test("An own event and an install without a source tick nothing; a shown paywall and a source do")
    func steps() async throws {
        try await TestServer.run { server in
            let app = ReportedApp(server: server), phone = Phone(1, secret: 1)
            let setup = Setup(database: server.services.database, app: server.services.snapshot.app.id)
            _ = try await server.firstOpen(#"{"device":{"platform":"ios","deviceId":"device-1"}}"#, phone: phone)
            let organic = try await server.send(
                .post, WirePath.attribution, #"{"key":"organic","source":"tenjin","status":"organic"}"#, phone: phone)
            #expect(organic.status == .ok)
            try await app.record("trial_started", nil, phone)

            #expect(try await setup.checklist().done == [.keyUsed, .firstOpen])

            try await app.claim("autumn", phone)
            try await app.record("paywall_shown", "default", phone)

            #expect(try await setup.checklist().done == [.keyUsed, .firstOpen, .attributed, .paywallShown])
        }
    }

    @Test("Only a person's tap ticks the step of the link: no preview, bot or request for the head", arguments: ClickKind.allCases)
    func taps(kind: ClickKind) async throws {
        try await TestServer.run { server in
            let nowMs = server.services.time.nowMs()
            let click = Click(
                id: UUIDv7.make(nowMs: nowMs), atMs: nowMs, kind: kind, platform: .ios, host: "go.example.com",
                path: LinkPath(stored: "/a"), outcome: .store, labels: LinkLabels())
            try await server.services.clicks.record(ClickEntry(click: click), of: server.services.snapshot.app.id)

            let done = try await Setup(database: server.services.database, app: server.services.snapshot.app.id).checklist().done

            #expect(done.contains(.linkTapped) == (kind == .person))
        }
    }

    @Test("Of more clicks and installs than a look reads, the newest count")
    func newest() async throws {
        try await TestServer.run { server in
            let app = ReportedApp(server: server), clicks = server.services.clicks, id = server.services.snapshot.app.id
            var setup = Setup(database: server.services.database, app: id)
            setup.most = 3
            for number in 1...5 {
                let phone = Phone(number, secret: UInt8(number)), isNewest = number == 5
                server.clock.advance(by: .seconds(1))
                _ = try await server.firstOpen(#"{"device":{"platform":"ios","deviceId":"device-\#(number)"}}"#, phone: phone)
                let organic = #"{"key":"organic","source":"tenjin","status":"organic"}"#
                _ = try await server.send(.post, WirePath.attribution, organic, phone: phone)
                if isNewest { try await app.claim("autumn", phone) }
                let nowMs = server.services.time.nowMs()
                let click = Click(
                    id: UUIDv7.make(nowMs: nowMs), atMs: nowMs, kind: isNewest ? .person : .preview, platform: .ios,
                    host: "go.example.com", path: LinkPath(stored: "/a"), outcome: .store, labels: LinkLabels())
                try await clicks.record(ClickEntry(click: click), of: id)
            }

            #expect(try await setup.checklist().done.isSuperset(of: [.linkTapped, .attributed]))
        }
    }

    @Test("A member who may publish hides the list for the whole team, and shows it again; the audit log has both")
    func hidden() async throws {
        try await TestServer.run { server in
            let editor = try await ConsoleBrowser.signedIn(server, as: .editor)
            let viewer = try await ConsoleBrowser.signedIn(server, as: .viewer, "viewer@example.com")
            #expect(try await editor.get("/console").page.contains("Hide this list"))
            let before = try await viewer.get("/console").page
            #expect(before.contains("data-checklist") && !before.contains("Hide this list"))

            let hidden = try await editor.post("/console/checklist", ["list": "hidden"])
            let wrong = try await editor.post("/console/checklist", ["list": "eaten"])
            let without = try await viewer.get("/console").page
            let back = try await editor.get("/console").page

            #expect(hidden.status == .seeOther && hidden.headers[.location] == "/console")
            // The form is fine; one of its values is not.
            #expect(wrong.status == .badRequest && wrong.page.contains("A value is not possible"))
            #expect(!without.contains("data-checklist") && !without.contains("Show the first steps") && !without.contains("http-equiv"))
            #expect(!back.contains("data-checklist") && back.contains("Show the first steps"))

            _ = try await editor.post("/console/checklist", ["list": "shown"])

            #expect(try await viewer.get("/console").page.contains("data-checklist"))
            let actions = try await server.actions()
            #expect(actions.contains("checklist_hidden") && actions.contains("checklist_shown"))
        }
    }
}
