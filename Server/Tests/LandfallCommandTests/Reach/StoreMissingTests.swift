// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Where there is no store", .timeLimit(.minutes(1)))
struct StoreMissingTests {
    private static let install = "0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e0f"

    @Test(
        "a command that does not create one says what to do, and leaves nothing behind",
        arguments: [
            ["report", "links"], ["report", "campaigns", "--config", RunningCommand.example], ["results"], ["results", "spring-price"],
            ["plan", "--placement", "onboarding", "--metric", "trial", "--effect", "20%"],
            ["explain", "--install", install, "--placement", "onboarding"], ["versions"], ["rollback", "1"], ["export"],
            ["export-fallback"], ["diff", RunningCommand.example], ["impact", RunningCommand.example],
            ["apply", RunningCommand.example, "--dry-run"], ["forget", "--install", install], ["export-data", "--to", "out"],
        ])
    func reading(arguments: [String]) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }

        let ending = try await RunningCommand(arguments + ["--data", folder]).ending()

        #expect(ending.status == 1)
        #expect(ending.errors.contains("'\(folder)' holds no store") && ending.errors.contains("--server"), "\(ending.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("a command that publishes creates one, which other commands then read")
    func making() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }

        let applied = try await RunningCommand(["apply", RunningCommand.example, "--data", folder]).ending()
        let versions = try await RunningCommand(["versions", "--data", folder]).ending()

        #expect(applied.status == 0, "\(applied.errors)")
        #expect(versions.status == 0, "\(versions.errors)")
    }
}
