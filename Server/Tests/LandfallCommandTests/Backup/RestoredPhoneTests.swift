// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import Testing

extension RealProcessTests {
    @Suite("landfall restore, and a phone that knew the previous store", .timeLimit(.minutes(1)))
    struct RestoredPhoneTests {
        @Test("The phone accepts the older profile of the restored store: its epoch is newer")
        func restored() async throws {
            try await ServingProcess.withFolder { parent in
                let (data, file) = (parent.appending(path: "data"), parent.appending(path: "copy.sqlite").path)
                let first = try await ServingProcess.startOnStablePort(in: data)
                let phone = RealPhone(in: parent.appending(path: "phone"))
                let saved = try await phone.set(1, at: first.port)
                let backup = try await RunningCommand(["backup", file, "--data", data.path]).ending(within: .seconds(30))
                let newest = try await phone.set(2, at: first.port)
                try await first.ends()
                let restore = try await RunningCommand(["restore", file, "--data", data.path]).ending(within: .seconds(30))

                let remembered = try await phone.launch(first.port) { try await $0.profile { $0.version > 0 } }
                let second = try await ServingProcess.start(in: data, port: first.port)
                let restored = try await phone.launch(second.port) { try await $0.profile { $0.epoch > newest.epoch } }
                try await second.ends()

                #expect(backup.status == 0, "\(backup.errors)")
                #expect(restore.status == 0, "\(restore.errors)")
                #expect(saved.epoch == newest.epoch && newest.version > saved.version)
                #expect(remembered == newest, "while no server was there")
                #expect(restored.customAttributes["n"] == .number(1))
                #expect(restored.version < newest.version)
                #expect((restored.id, restored.installID) == (newest.id, newest.installID))
            }
        }
    }
}

extension RealPhone {
    /// Sets the attribute `n`, and returns the profile when the server has it.
    fileprivate func set(_ number: Double, at port: Int) async throws -> Profile {
        try await launch(port) { client in
            let before = try await client.profile { $0.version > 0 }
            try client.setAttributes(["n": .number(number)])
            return try await client.profile { $0.version > before.version && $0.customAttributes["n"] == .number(number) }
        }
    }
}
