// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("landfall plan", .timeLimit(.minutes(1)))
struct PlanCommandTests {
    private func planned(_ arguments: [String]) async throws -> [String: Any] {
        let ending = try await RunningCommand(["plan"] + arguments + ["--json"]).completion()
        #expect(ending.status == 0, "\(ending.errors)")
        return try #require(try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
    }

    @Test("says units and whole weeks, for one look and for any")
    func units() async throws {
        let last = try await planned([
            "--rate", "3%", "--effect", "20%", "--units-per-day", "1200", "--share", "80%", "--single-look",
        ])
        let any = try await planned(["--rate", "0.03", "--effect", "0.2"])

        #expect(
            last["unitsPerVariation"] as? Int == 13_911 && last["units"] as? Int == 27_822 && last["looks"] as? String == "last"
        )
        #expect(last["days"] as? Int == 35 && last["daysWithWindow"] as? Int == 49)
        #expect(any["unitsPerVariation"] as? Int == 26_638 && any["plannedUnits"] as? Int == 53_276 && any["days"] is NSNull)
    }

    @Test("accepts a negative effect, and prints a page of at most 100 columns")
    func page() async throws {
        let ending = try await RunningCommand(["plan", "--rate", "5%", "--effect", "-10%", "--units-per-day", "900"])
            .completion()

        #expect(ending.status == 0)
        #expect(
            ending.output.contains("From 5.00 % to 4.50 % (−10.0 %), valid at any look")
                && ending.output.contains("whole weeks"))
        #expect(ending.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test(
        "refuses values that cannot be planned, and names the option",
        arguments: [
            (["--rate", "0", "--effect", "10%"], "--rate"), (["--rate", "5%", "--effect", "0"], "--effect"),
            (["--rate", "5%", "--effect", "10%", "--units-per-day", "0"], "--units-per-day"),
            (["--rate", "5%", "--effect", "1%", "--units-per-day", "0.001"], "--units-per-day"),
            (["--rate", "5%", "--effect", "10%", "--variations", "1"], "--variations"),
            (["--rate", "nan", "--effect", "10%"], "--rate"),
            (["--rate", "5%", "--effect", "10%", "--power", "1"], "--power"),
            (["--rate", "5%", "--effect", "10%", "--alpha", "0"], "--alpha"),
        ])
    func refused(arguments: [String], option: String) async throws {
        let ending = try await RunningCommand(["plan"] + arguments).ending()

        #expect(ending.status == 64)
        #expect(ending.errors.contains(option), "\(ending.errors)")
    }
}
