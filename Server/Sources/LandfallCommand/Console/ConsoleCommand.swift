// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallConsole
import LandfallServer

/// `landfall console`.
struct ConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console", abstract: "The console of the server, at /console.", subcommands: [InviteCommand.self])
}

/// `landfall console invite`.
struct InviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Makes a link with which one person joins the console.",
        discussion: """
            For a member who lost their password the link sets a new one, and ends their sessions. It works for 24 hours. This \
            command works in the folder of the store only: no key makes members.
            """
    )

    @Option(help: "The e-mail address of the person.")
    var email: String

    @Option(help: "The role: owner, admin, editor, viewer or support (the role that the member has, else viewer).")
    var role: String?

    @OptionGroup var store: StoreOptions

    func run() async throws {
        var order = ["email": email]
        order["role"] = role
        let call = try BackendCall("POST", "/v1/console/invitations", json: order)
        let answer = try await store.withReach(makesStore: true) { try await $0.call(call) }
        let invitation = try JSONDecoder().decode(InvitationAnswer.self, from: Data(answer))
        if store.json { try store.printJSON(invitation) } else { Output.line(invitation.url) }
    }
}
