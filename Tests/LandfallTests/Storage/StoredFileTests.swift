// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("A file of a later release", .timeLimit(.minutes(1)))
struct StoredFileTests {
    let log = LogNotebook()

    private func members(_ data: Data?) throws -> [String: JSONValue] {
        guard case .object(let members) = try WireCoding.decode(JSONValue.self, from: try #require(data)) else { return [:] }
        return members
    }

    @Test("This release reads the members of install.json that it knows, and keeps the others when it writes")
    func install() async throws {
        let storage = MemoryStorage([
            .install: Data(#"{"format":7,"id":"anna","isDeviceIDKept":false,"keys":{"new":"x"},"secret":"s"}"#.utf8)
        ])
        let file = StoredFile<Install>(.install, in: storage)

        var install = try #require(try await file.read { log.note($0) })
        install.isToBeErased = true
        try await file.write(install)
        install.isToBeErased = nil
        try await file.write(install)

        #expect(install.id == InstallID("anna"))
        let members = try members(storage.files[.install])
        #expect(members["keys"] == .object(["new": .string("x")]))
        #expect(members["format"] == .integer(7))
        #expect(members["isToBeErased"] == nil, "A known member that is nil again leaves the file.")
        #expect(log.infos.count { $0.contains("later release") } == 1)
    }

    @Test("This release reads the members of profile.json that it knows, and keeps the others when it writes")
    func profileState() async throws {
        let storage = MemoryStorage([.profile: Data(#"{"access":[1],"collection":"essential","format":2}"#.utf8)])
        let file = StoredFile<StoredProfileState>(.profile, in: storage)

        var stored = try #require(try await file.read { log.note($0) })
        #expect(stored.collection == .essential)
        stored.collection = .off
        try await file.write(stored)

        let members = try members(storage.files[.profile])
        #expect(members["collection"] == .string("off"))
        #expect(members["access"] == .array([.integer(1)]))
    }

    @Test("A file that cannot be understood at all is set aside, not overwritten")
    func broken() async throws {
        let storage = MemoryStorage([.paywalls: Data(#"{"format":2,"entries":"elsewhere"}"#.utf8)])

        #expect(try await StoredFile<PaywallCache>(.paywalls, in: storage).read { log.note($0) } == nil)

        #expect(storage.filesSetAside[.paywalls] != nil)
        #expect(log.warnings.count == 1)
    }
}
