// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("landfall edit", .timeLimit(.minutes(1)))
struct EditTests {
    /// With the repository's example, which has comments, anchors of its own and every section.
    private func withExample(_ body: (URL) async throws -> Void) async throws {
        try await ServingProcess.withFolder { folder in
            let file = folder.appending(path: "landfall.yaml")
            try FileManager.default.copyItem(atPath: RunningCommand.example, toPath: file.path)
            try await body(file)
        }
    }

    private func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

    private static let device = "testDevices.mayas-phone={ install: 0190a5c0-7e1b-7c3a-9f00-000000000001, paywalls: { onboarding: default } }"

    @Test("changes one line of the example, and takes back byte by byte what it added")
    func oneLine() async throws {
        try await withExample { file in
            let before = try text(file)

            let titled = try await RunningCommand(
                ["edit", file.path, "--set", "paywalls.default.remoteConfig.en.title=Half price"]).completion()
            let after = try text(file)
            let added = try await RunningCommand(["edit", file.path, "--set", Self.device]).completion()
            let removed = try await RunningCommand(["edit", file.path, "--remove", "testDevices"]).completion()

            #expect(titled.output == "paywall default: remote config en.title changes from \"Unlock everything\" to \"Half price\"\n")
            #expect(after == before.replacing("title: Unlock everything", with: "title: Half price"))
            #expect(added.output == "test device mayas-phone is added: it sees paywall default in placement onboarding\n")
            #expect(removed.status == 0)
            #expect(try text(file) == after)
        }
    }

    @Test("leaves the file unchanged if the result could not be served, or in a dry run")
    func unwritten() async throws {
        try await withExample { file in
            let before = try text(file)

            let refused = try await RunningCommand(["edit", file.path, "--set", "placements.onboarding[1].paywall=nothing"]).completion()
            let asked = try await RunningCommand(["edit", file.path, "--set", Self.device, "--dry-run", "--json"]).completion()
            let usage = try await RunningCommand(["edit", file.path]).ending()

            #expect(refused.status == 1 && refused.errors.contains("There is no paywall 'nothing'."))
            let document = try JSONDecoder().decode(JSONValue.self, from: Data(asked.output.utf8))
            #expect(document["written"] == false && document["changes"]?[0]?["path"] == "testDevices.mayas-phone")
            #expect(usage.status == 64)
            #expect(try text(file) == before)
        }
    }

    @Test("keeps the file's owner and group", .enabled(if: getuid() == 0))
    func owner() async throws {
        try await withExample { file in
            try #require(chown(file.path, 1234, 4321) == 0)

            let ending = try await RunningCommand(["edit", file.path, "--set", "app.name=Other"]).ending()

            #expect(ending.status == 0)
            let found = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(found[.ownerAccountID] as? Int == 1234 && found[.groupOwnerAccountID] as? Int == 4321)
            #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).allSatisfy { !$0.hasPrefix(".") })
        }
    }

    @Test("keeps a link to the file a link, and the file's permissions")
    func place() async throws {
        try await withExample { file in
            let link = file.deletingLastPathComponent().appending(path: "link.yaml")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)

            let ending = try await RunningCommand(["edit", link.path, "--set", "app.name=Other"]).ending()

            #expect(ending.status == 0)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o640)
            #expect(try text(file).contains("Other"))
        }
    }
}
