// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import VirtualWorlds

@Suite("Worlds with everything in virtual time", .timeLimit(.minutes(5)))
struct PlantedErrorTests {
    @Test("In some worlds there are nodes, restores, an endpoint, purchases, wrapped links and modes, and every guarantee holds")
    func everything() async throws {
        let (status, _, errors) = try await VirtualTool.run(["--worlds", "120", "--seed", "1", "--everything", "--trace"])

        #expect(status == 0, "\(errors.suffix(4_000))")
        let signs = [
            "node2-", "hears nothing of the others", "its store is copied", "its store is what it was at", "endpoint: first_open",
            "endpoint: paywall.shown", "refused(500)", "buys ", "restores purchases", "/winter", "as expired", "click.mail.example",
            "lets the SDK collect off", "lets the SDK collect essential",
        ]
        for sign in signs { #expect(errors.contains(sign), "\(sign)") }
    }

    @Test("The guarantee that a mistake breaks finds it", arguments: [
        (PlantedError.lossyRestore, WorldParts.restores, "✘ R2"), (.forgottenEvents, .restores, "✘ R3"), (.silentNodes, .nodes, "✘ N1"),
        (.changingIDs, .webhooks, "✘ W2"), (.ignoredRefusals, .webhooks, "✘ W4"), (.endlessAccess, .purchases, "✘ P2"),
        (.endlessLinks, .wrappedLinks, "✘ L10"), (.mistypedCodes, .wrappedLinks, "✘ L7"), (.unheardModes, .collection, "✘ C1"),
    ])
    func found(planted: PlantedError, parts: WorldParts, guarantee: String) async throws {
        let arguments = ["--worlds", "400", "--seed", "1", "--plant", planted.rawValue] + parts.options
        let (status, _, errors) = try await VirtualTool.run(arguments)

        #expect(status == 1)
        #expect(errors.contains(guarantee), "\(errors.suffix(2_000))")
        #expect(errors.contains("--plant \(planted.rawValue)"), "The command that repeats it makes the mistake too.")
    }

    @Test("Every part has an option, and everything is all of them")
    func options() {
        #expect(WorldParts.all.options == WorldParts.named.map(\.option))
        #expect(WorldParts([.links, .nodes]).options == ["--links", "--nodes"])
        #expect(WorldParts().options.isEmpty)
    }
}
