// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("An explained draw", .timeLimit(.minutes(1)))
struct ExplainedDrawTests {
    private static let a = ExperimentServer.phone(in: "A")

    private static func explanation(_ server: ExperimentServer, _ phone: Phone, _ placement: PlacementID = "home") async throws -> Explanation {
        let services = server.server.services
        let install = try #require(try await services.installs.install(AppID("example"), InstallID(phone.id)))
        return try Explanation(install, placement, in: services.snapshot, pending: .nothing, nowMs: services.time.nowMs())
    }

    @Test("names the step and its arithmetic: drawn, then stored")
    func steps() async throws {
        try await ExperimentServer.run { server in
            _ = try await server.open(Self.a, placements: ["plain"])
            let before = try await Self.explanation(server, Self.a)
            let answer = try await server.paywall(Self.a)
            let after = try await Self.explanation(server, Self.a)

            #expect(before.draw?.step == .drawn && after.draw?.step == .stored)
            for draw in [before.draw, after.draw] {
                #expect(draw?.namespace == "experiment" && draw?.salt == "spring-price#1" && draw?.unit == Self.a.id)
                #expect(draw?.bucket == answer.assignment?.bucket && draw?.from == 0 && draw?.to == 500_000)
            }
            #expect(after.chosen == .init(audience: "everyone", paywall: "default", experiment: "spring-price", variation: "A"))
            #expect(try await Self.explanation(server, Self.a, "plain").draw == nil)
        }
    }

    @Test(
        "says that an override, the holdout or the layer decided",
        arguments: [
            ("overrides: { PHONE: B }", Explanation.Drawing.Step.override, "experiment", "B"), ("holdout: h", .holdout, "holdout", "A"),
            ("layer: { name: main, from: 0%, to: 0.0001% }", .layer, "layer", nil),
        ] as [(String, Explanation.Drawing.Step, String, String?)])
    func others(more: String, step: Explanation.Drawing.Step, namespace: String, variation: String?) async throws {
        let yaml = ExperimentServer.yaml(more: more.replacing("PHONE", with: Self.a.id)) + "holdouts: { h: { share: 100% } }\n"
        try await ExperimentServer.run(yaml) { server in
            _ = try await server.open(Self.a, placements: ["plain"])

            let explanation = try await Self.explanation(server, Self.a)

            #expect(explanation.draw?.step == step && explanation.draw?.namespace == namespace)
            #expect(explanation.chosen.experiment == "spring-price" && explanation.chosen.variation == variation)
        }
    }
}
