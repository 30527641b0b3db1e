// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import LandfallTesting
import Testing

@Suite("Activation", .timeLimit(.minutes(1)))
struct ActivationTests {
    private let server: ScriptedServer
    private var activation: Activation { server.activation }
    private var clock: ManualClock { server.clock }

    init() throws { server = try ScriptedServer() }

    @Test("A second activation with an equal configuration keeps the client")
    func equalConfigurations() throws {
        try activation.activate(ScriptedServer.configuration)
        let client = activation.client

        try activation.activate(
            AdaptyConfiguration.builder(withAPIKey: "pk_demo").with(serverURL: URL(string: "https://api.example.com")!).build()
        )

        #expect(activation.client === client)
        #expect(client != nil)
    }

    @Test(
        "A second activation with another configuration throws 3005 and changes nothing",
        arguments: [
            AdaptyConfiguration.builder(withAPIKey: "pk_other").with(serverURL: URL(string: "https://api.example.com")!)
                .build(),
            AdaptyConfiguration.builder(withAPIKey: "pk_demo").with(serverURL: URL(string: "https://other.example.com")!)
                .build(),
            AdaptyConfiguration.builder(withAPIKey: "pk_demo").with(serverURL: URL(string: "https://api.example.com")!)
                .with(customerUserId: "ada").build(),
            AdaptyConfiguration.builder(withAPIKey: "pk_demo").with(serverURL: URL(string: "https://api.example.com")!)
                .with(adTokens: ScriptedAdTokens(.token("sim.attribution=true"))).build(),
        ])
    func anotherConfiguration(_ other: AdaptyConfiguration) throws {
        try activation.activate(ScriptedServer.configuration)
        let client = activation.client

        let error = #expect(throws: AdaptyError.self) { try activation.activate(other) }

        #expect(error?.adaptyErrorCode == .activateOnceError)
        #expect(activation.client === client)
    }

    @Test("A call made before activation continues as soon as there is a client")
    func callBeforeActivation() async throws {
        let waiting = Task { try await activation.client(within: .seconds(5)) }
        await clock.waitForSleeper()

        try activation.activate(ScriptedServer.configuration)

        #expect(try await waiting.value === activation.client)
    }

    @Test("A call without any activation throws 2002 at its limit")
    func neverActivated() async {
        let waiting = Task { try await activation.client(within: .seconds(5)) }
        await clock.waitForSleeper()
        clock.advance(by: .seconds(5))

        let error = await #expect(throws: AdaptyError.self) { _ = try await waiting.value }

        #expect(error?.adaptyErrorCode == .notActivated)
    }

    @Test("A cancelled call that waits for activation throws 9000 at once")
    func cancelledWhileWaiting() async {
        let waiting = Task { try await activation.client(within: .seconds(5)) }
        await clock.waitForSleeper()

        waiting.cancel()

        let error = await #expect(throws: AdaptyError.self) { _ = try await waiting.value }
        #expect(error?.adaptyErrorCode == .operationInterrupted)
    }

    @Test(
        "Without any address the error is 3001 and says where to write one",
        arguments: [
            nil, "", "api.example.com", "ftp://api.example.com", "https://",
        ])
    func noServer(named: String?) {
        let error = #expect(throws: AdaptyError.self) { try ServerAddress.found(in: named) }

        #expect(error?.adaptyErrorCode == .wrongParam)
        #expect(error?.description.contains("LandfallServerURL") == true)
    }

    @Test("The address is used exactly as written")
    func serverFound() throws {
        #expect(try ServerAddress.found(in: "https://api.example.com/x").absoluteString == "https://api.example.com/x")
    }
}
