// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallReports
@testable import LandfallRules

@Suite("Test devices", .timeLimit(.minutes(1)))
struct TestDeviceTests {
    private static let section = """
        audiences: { vips: { country: { is: FR } } }
        testDevices:
          mayas-phone:
            install: \(Phone(1).id)
            audience: vips
            paywalls: { home: special }

        """

    @Test("are read with their install, audience and paywalls")
    func read() throws {
        let configuration = try Sample.configuration(Self.section)

        let device = try #require(configuration.testDevices.first)
        #expect(device.name == "mayas-phone" && device.install == InstallID(Phone(1).id))
        #expect(device.audience == AudienceID("vips"))
        #expect(device.paywalls.mapValues(\.id) == [PlacementID("home"): PaywallID("special")])
    }

    @Test(
        "that name an undefined audience, placement or paywall are refused, with line, column and advice",
        arguments: [
            ("{ install: x }", "11:19: 'install' is not an install id. Copy it from print(landfall.explain()), in lower case."),
            ("{}", "11:8: The test device 'one' needs 'install'. Add it."),
            ("{ install: ID, audience: vip }", "11:67: There is no audience 'vip'."),
            ("{ install: ID, paywalls: { house: special } }", "11:69: There is no placement 'house'. Known: 'home'."),
            ("{ install: ID, paywalls: { home: specials } }", "11:75: There is no paywall 'specials'. Did you mean 'special'?"),
        ])
    func refused(device: String, problem: String) {
        let line = device.replacing("ID", with: Phone(1).id)

        #expect(Sample.problems(adding: "testDevices:\n  one: \(line)\n") == [problem])
    }

    @Test("have different installs")
    func twice() {
        let problems = Sample.problems(
            adding: "testDevices: { a: { install: \(Phone(1).id) }, b: { install: \(Phone(1).id) } }\n")

        #expect(problems.count == 1 && problems[0].hasSuffix("'b' and 'a' are the same install. Keep one of them."))
    }

    private static func run(_ device: TestDevice, _ body: @Sendable (TestServer) async throws -> Void) async throws {
        var configuration = Configuration.sample()
        configuration.testDevices = [device]
        try await TestServer.run(configuration: configuration, body)
    }

    private static func answer(_ server: TestServer, _ phone: Phone, _ placement: String = "onboarding") async throws -> PaywallAnswer {
        try await server.send(.get, "/v1/placements/\(placement)/paywall", phone: phone).decoded(PaywallAnswer.self)
    }

    @Test("see the chosen paywall at once, marked as a test; other installs see their own paywalls")
    func paywall() async throws {
        let special = Paywall(id: PaywallID("special"), productIDs: [], defaultLocale: nil, remoteConfig: [:])
        let device = TestDevice(name: "mayas-phone", install: InstallID(Phone(1).id), paywalls: ["onboarding": special])
        try await Self.run(device) { server in
            let lines = try await server.firstOpen(#"{"placements":[{"id":"onboarding"}]}"#, phone: Phone(1))
            let other = try await Self.answer(server, Phone(2, secret: 2))

            let first = try #require(lines.compactMap { line -> PaywallAnswer? in
                    if case .paywall(let answer) = line { answer } else { nil }
                }.first)
            #expect(first.paywall?.name == "special" && first.final && first.testDevice == "mayas-phone")
            #expect(try await Self.answer(server, Phone(1)).testDevice == "mayas-phone")
            #expect(other.paywall?.name != "special" && other.testDevice == nil)
        }
    }

    @Test("count as members of the chosen audience if a placement names it, and follow the rules elsewhere")
    func audience() async throws {
        let device = TestDevice(name: "mayas-phone", install: InstallID(Phone(1).id), audience: AudienceID("apple-ads-users"))
        try await Self.run(device) { server in
            let answer = try await Self.answer(server, Phone(1))

            #expect(answer.audience == AudienceID("apple-ads-users") && answer.paywall?.name == "apple-ads")
            #expect(try await Self.answer(server, Phone(2, secret: 2)).audience == .everyone)
        }
    }

    @Test("stay test devices when the app is installed again")
    func reinstall() async throws {
        let device = TestDevice(name: "mayas-phone", install: InstallID(Phone(1).id), audience: AudienceID("apple-ads-users"))
        try await Self.run(device) { server in
            for phone in [Phone(1), Phone(2, secret: 2)] {
                _ = try await server.firstOpen(#"{"device":{"deviceId":"mayas"}}"#, phone: phone)
            }

            #expect(try await Self.answer(server, Phone(2, secret: 2)).testDevice == "mayas-phone")
        }
    }

    @Test("count in no report of campaigns or paywalls")
    func reports() async throws {
        let device = TestDevice(name: "noors-phone", install: InstallID(ReportedApp.noor.id))
        try await ReportedApp.run(change: { $0.testDevices = [device] }) { app in
            let campaigns = try await app.report("campaigns?by=")
            let paywalls = try await app.report("paywalls")

            #expect(campaigns.values("firstOpens", "shown") == [[3, 2], [3, 2]])
            #expect(paywalls.values("shown", "exposures") == [[2, 2], [2, 2]])
        }
    }
}
