// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import LandfallNode

@Suite("Calls of commands to a server", .timeLimit(.minutes(1)))
struct CommandRouterTests {
    @Test("They need no key on the socket, and are not on the router of the network")
    func keys() async throws {
        try await TestServer.run { server in
            let onNetwork = try await server.send(.get, "/v1/links", phone: nil, key: nil)

            #expect(onNetwork.status == .unauthorized)
            try await Application(router: Routes.commandRouter(server.services)).test(.router) { client in
                let here = try await client.execute(uri: "/v1/links", method: .get) { $0 }
                #expect(here.status == .ok)
                #expect(String(buffer: here.body) == #"{"links":[]}"#)
            }
        }
    }

    @Test("Only the backend's routes are there: no phone is served", arguments: ["/v1/first-open", "/v1/profiles/me", "/metrics"])
    func others(path: String) async throws {
        try await TestServer.run { server in
            try await Application(router: Routes.commandRouter(server.services)).test(.router) { client in
                let answer = try await client.execute(uri: path, method: .get) { $0 }

                #expect(answer.status == .notFound)
            }
        }
    }
}
