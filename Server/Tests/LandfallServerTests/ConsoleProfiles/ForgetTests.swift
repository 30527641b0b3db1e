// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode

@Suite("Forgetting a person in the console", .timeLimit(.minutes(1)))
struct ForgetTests {
    private static let maya = ErasedPerson("maya", 1), omar = ErasedPerson("omar", 11)

    @Test("needs the typed id; then no column of any table has a trace of them, the log says only that it happened, and the page is 404")
    func forgets() async throws {
        try await TestServer.runErasing { server in
            for person in [Self.maya, Self.omar] { try await person.live(on: server) }
            let profile = try await Self.maya.profile(on: server).rawValue
            let before = try await StoredCells(server.services.database)
            let browser = try await ConsoleBrowser.signedIn(server, as: .support, "sam@example.com")

            for typed in ["", "maya", profile + "x", profile.uppercased(), Self.maya.phones[0].id] {
                let refused = try await browser.post("/console/profiles/\(profile)/forget", ["typed": typed])
                #expect(refused.status == .unprocessableContent && refused.page.contains("Nobody was forgotten."))
            }
            #expect(try await !server.actions().contains("person_forgotten"))
            let answer = try await browser.post("/console/profiles/\(profile)/forget", ["typed": " \(profile) "])

            #expect(answer.status == .seeOther && answer.headers[.location] == "/console/profiles?forgotten=yes")
            #expect(try await browser.get("/console/profiles?forgotten=yes").page.contains("The person is forgotten."))
            for id in [profile] + Self.maya.phones.map(\.id) {
                #expect(try await browser.get("/console/profiles/" + id).status == .notFound)
            }
            #expect(try await browser.post("/console/profiles/\(profile)/forget", ["typed": profile]).status == .notFound)
            let after = try await StoredCells(server.services.database)
            #expect(after.places(of: Self.maya.traces + [profile]) == [])
            #expect(after.places(of: Self.omar.traces) == before.places(of: Self.omar.traces))
            #expect(try await server.actions().filter { $0 == "person_forgotten" }.count == 1)
        }
    }

    @Test("is for owners, admins and Support: an editor sees the person, and nothing to forget them with")
    func editor() async throws {
        try await TestServer.run { server in
            _ = try await server.firstOpen("{}")
            let profile = "i_" + Phone().id, editor = try await ConsoleBrowser.signedIn(server, as: .editor)

            let page = try await editor.get("/console/profiles/" + profile)
            let answer = try await editor.post("/console/profiles/\(profile)/forget", ["typed": profile])

            #expect(page.status == .ok && !page.page.contains("/forget"))
            #expect(answer.status == .forbidden)
            #expect(try await editor.get("/console/profiles/" + profile).status == .ok)
            #expect(Right.erasing.roles == [.owner, .admin, .support])
        }
    }

    @Test("asks for the password after 15 minutes, and leads back to the person")
    func proven() async throws {
        try await TestServer.run { server in
            _ = try await server.firstOpen("{}")
            let profile = "i_" + Phone().id, browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            server.clock.advance(by: .seconds(15 * 60))

            let answer = try await browser.post("/console/profiles/\(profile)/forget", ["typed": profile])

            #expect(answer.headers[.location] == "/console/confirm?next=%2Fconsole%2Fprofiles%2F\(profile)")
            #expect(try await browser.get("/console/profiles/" + profile).status == .ok)
        }
    }
}
