// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallWire
import Testing

@testable import VirtualWorlds

@Suite("The guarantees in virtual time", .timeLimit(.minutes(3)))
struct GuaranteeTests {
    @Test("Every guarantee holds in every world, and the document says how many there were")
    func guarantees() async throws {
        let (status, output, errors) = try await VirtualTool.run(["--phones", "300", "--seed", "1", "--json"])

        #expect(status == 0, "\(errors.suffix(4_000))")
        let document = try VirtualTool.document(output)
        #expect(document.phones >= 300)
        #expect(document.opens > document.phones)
        #expect((1..<document.opens).contains(document.assigned))
        #expect(document.failures.isEmpty)
    }

    /// 350331872: Apple's answer reached the phone twice in one instant, shortly before the end of a hold, the paywall first.
    @Test("Guarantees hold in worlds in which they once failed", arguments: [("350331872", false), ("5614", true), ("3148", true)])
    func mended(seed: String, hasLinks: Bool) async throws {
        let (status, _, errors) = try await VirtualTool.run(["--worlds", "1", "--seed", seed] + (hasLinks ? ["--links"] : []))

        #expect(status == 0, "\(errors.suffix(4_000))")
    }

    @Test("A configuration in which nobody is targeted breaks guarantees: each such world is shown, up to ten")
    func failures() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        let example = try String(contentsOfFile: "Examples/SelfHost/landfall.yaml", encoding: .utf8)
        try example.replacing("{ is: apple_search_ads }", with: "{ is: nobody }").write(
            to: file, atomically: true, encoding: .utf8)

        let (status, output, errors) = try await VirtualTool.run(["--phones", "600", "--config", file.path, "--json"])

        #expect(status == 1)
        let document = try VirtualTool.document(output)
        #expect(document.failures.count == 10)
        for failure in document.failures {
            #expect(errors.contains("landfall-virtual --phones 1 --seed \(failure.seed) --trace"))
        }
    }

    @Test("In some worlds links are used: tapped, delivered twice, left alone, killed in between, handed over by a browser")
    func links() async throws {
        let (status, _, errors) = try await VirtualTool.run(["--worlds", "90", "--seed", "1", "--links", "--trace"])

        #expect(status == 0, "\(errors.suffix(4_000))")
        let signs = [
            "through 1 hooks", "through 2 hooks", "in memory alone", "as resolved", "as notFound", "as offline", "as timedOut",
            ", again", "asks where", "is handed a link in the browser", "claims what the browser handed over",
            "is handed https://brandname.go.link/welcome as resolved", "receives example://callback",
            "paywall summer of welcome",
        ]
        for sign in signs { #expect(errors.contains(sign), "\(sign)") }
    }

    @Test("In some worlds the app sets an attribute and asks for the paywall that it decides")
    func plans() async throws {
        let (status, _, errors) = try await VirtualTool.run(["--worlds", "60", "--seed", "1", "--trace", "--attributes"])

        #expect(status == 0, "\(errors.suffix(4_000))")
        for sign in ["sets plan to pro", "sets plan to free", "paywall summer of settings", "paywall default of settings"] {
            #expect(errors.contains(sign), "\(sign)")
        }
    }

    @Test("A removed app has to send nothing more, and its exposures still count")
    func reinstalled() {
        var promises = Promises()
        promises.exposures = 2
        promises.safeExposures = 2
        promises.claims = [.init(campaign: "spring", status: .nonOrganic)]
        promises.safeClaims = promises.claims
        promises.sessions = 7

        promises.forgetInstall()

        #expect(promises.safeExposures == 0 && promises.safeClaims.isEmpty && promises.sessions == nil)
        #expect(promises.exposures == 2 && promises.mayBeAttributedByOther)
    }
}
