// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import Testing

@testable import LandfallConsole

extension RealProcessTests {
    @Suite("landfall console invite", .timeLimit(.minutes(1)))
    struct InviteTests {
        private func invite(_ arguments: [String]) async throws -> (status: Int32, output: String, errors: String) {
            try await RunningCommand(["console", "invite"] + arguments).completion()
        }

        @Test("makes a link through the running server, which opens the page to join")
        func running() async throws {
            try await ServingProcess.withFolder { folder in
                let server = try await ServingProcess.start(in: folder), port = server.port
                let made = try await invite(["--email", "Maya@Example.com", "--role", "owner", "--json", "--data", folder.path])

                #expect(made.status == 0, "\(made.errors)")
                let answer = try JSONDecoder().decode(InvitationAnswer.self, from: Data(made.output.utf8))
                #expect(answer.url.hasPrefix("http://127.0.0.1:\(port)/console/join?token="))
                #expect(answer.expiresAtMilliseconds > Int64(Date().timeIntervalSince1970 * 1000))
                let path = answer.url.dropFirst("http://127.0.0.1:\(port)".count)
                let page = try await onThread {
                    let connection = try RawConnection(port: port)
                    try connection.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    return connection.answer()
                }
                let markup = String(decoding: try #require(page).body, as: UTF8.self)
                #expect(markup.contains("maya@example.com"))
                try await server.ends()
            }
        }

        @Test("works while no server runs, and refuses a text that is not an address or not a role")
        func stopped() async throws {
            try await ServingProcess.withFolder { folder in
                let server = try await ServingProcess.start(in: folder)
                try await server.ends()

                let made = try await invite(["--email", "maya@example.com", "--data", folder.path])

                #expect(made.status == 0, "\(made.errors)")
                #expect(made.output.contains("/console/join?token="))
                for arguments in [["--email", "maya"], ["--email", "maya@example.com", "--role", "king"]] {
                    #expect(try await invite(arguments + ["--data", folder.path]).status == 1)
                }
            }
        }

        @Test("has no way over the network, whatever the key")
        func network() async throws {
            try await ServingProcess.run { port in
                let key = "sk_" + String(repeating: "k", count: 32)
                let made = try await invite(["--email", "maya@example.com", "--server", "http://127.0.0.1:\(port)", "--key", key])

                #expect(made.status == 1)
                #expect(made.output == "")
            }
        }
    }
}
