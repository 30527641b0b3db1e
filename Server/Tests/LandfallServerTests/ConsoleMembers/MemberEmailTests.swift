// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallServer

@Suite("The address of a member", .timeLimit(.minutes(1)))
struct MemberEmailTests {
    @Test(
        "is compared in lower case and without spaces",
        arguments: [("Maya@Example.com", "maya@example.com"), (" maya @example.com\n", "maya@example.com"), ("måya@例え.jp", "måya@例え.jp")])
    func normal(text: String, stored: String) {
        #expect(MemberEmail(text)?.text == stored)
    }

    @Test(
        "has no character that nobody sees: it would look like another member's",
        arguments: [
            "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{34F}", "\u{61C}", "\u{115F}", "\u{180E}", "\u{200E}",
            "\u{200F}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{3164}", "\u{FE0F}", "\u{FFF9}", "\u{E0041}", "\u{E000}", "\u{0}",
            "\u{7F}", "\u{85}",
        ])
    func invisible(character: String) {
        // Next line is a space, and spaces are left out.
        if character == "\u{85}" { return #expect(MemberEmail("ma\(character)ya@example.com")?.text == "maya@example.com") }
        for text in ["ma\(character)ya@example.com", "\(character)maya@example.com", "maya@exam\(character)ple.com", "maya@example.com\(character)"] {
            #expect(MemberEmail(text) == nil, "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
        }
    }

    @Test(
        "is refused by every form that takes one, and a name that turns the text after it is refused beside it",
        arguments: [("maya@example.com", "Ma\u{202E}ya"), ("maya@example.com", "\u{200B}"), ("ma\u{202E}ya@example.com", "Maya")])
    func forms(email: String, name: String) async throws {
        try await TestServer.run { server in
            let token = SessionToken.drawn()
            _ = try await server.invitations.setUp(token, nowMs: server.services.time.nowMs())

            let answer = try await ConsoleBrowser(server).post(
                "/console/setup", ["token": token.text, "name": name, "email": email, "password": ConsoleBrowser.password])

            #expect(answer.status == .unprocessableContent)
            #expect(answer.page.ranges(of: "aria-invalid=\"true\"").count == 1)
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner, "owner@example.com")
            let invited = try await owner.post("/console/settings/members/invite", ["email": "o\u{200D}mar@example.com", "role": "viewer"])
            #expect(invited.status == .unprocessableContent)
        }
    }
}
