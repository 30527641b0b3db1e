// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import Testing

@testable import LandfallServer

/// Real stores, really damaged, before the built command.
@Suite("A damaged store", .timeLimit(.minutes(2)))
struct DamagedStoreTests {
    enum Damage: CaseIterable { case zeroedHeader, cutInHalf, flippedMiddle, zeroedTable }

    @Test("is not served, and doctor reports the damage", arguments: Damage.allCases)
    func atStart(damage: Damage) async throws {
        try await ServingProcess.withFolder { folder in
            try await ServingProcess.start(in: folder).ends()
            let file = StoredFile(in: folder)
            switch damage {
            case .zeroedHeader: try file.zeroHeader()
            case .cutInHalf: try file.cutInHalf()
            case .flippedMiddle: try file.flipMiddle()
            case .zeroedTable: try await file.zero(table: "event")
            }

            let serving = try await RunningCommand([
                "serve", "--port", "0", "--data", folder.path, "--config", RunningCommand.example,
            ]).ending(within: .seconds(20))
            let (status, findings) = try await DoctorTests.doctor(["--store", "--data", folder.path])

            #expect(serving.status == 1)
            #expect(serving.errors.contains("The store is damaged"), "\(serving.errors)")
            #expect(serving.errors.contains("landfall doctor --store"))
            #expect(status == 1)
            let store = try #require(findings.first { $0.check == "store" })
            #expect(!store.ok)
            #expect(store.fix?.contains("restore a backup") == true)
        }
    }

    @Test("gets no more traffic once a request of the running server has met the damage")
    func later() async throws {
        try await ServingProcess.withFolder { folder in
            // A second life: everything that the first one wrote is in the file, nothing of it in the log.
            try await ServingProcess.start(in: folder).ends()
            let server = try await ServingProcess.start(in: folder)
            let before = try await get("/readyz", server.port)
            try await StoredFile(in: folder).zero(table: "link")

            // A short link that the configuration does not have is looked for in the store.
            let link = try await get("/nothing", server.port, host: "brandname.go.link")
            let after = try await get("/readyz", server.port)
            let (status, findings) = try await DoctorTests.doctor(["--data", folder.path])

            #expect(before.status == 200)
            #expect(link.status == 503)
            #expect(after.status == 503)
            #expect(after.code == "store_damaged")
            #expect(status == 1)
            #expect(findings.first { $0.check == "server" }?.ok == true)
            #expect(findings.first { $0.check == "store" }?.ok == false)
            server.command.kill()
            _ = await server.command.ending()
        }
    }

    private func get(_ path: String, _ port: Int, host: String = "127.0.0.1") async throws -> RawConnection.Answer {
        let answer = try await onThread {
            let connection = try RawConnection(port: port)
            try connection.send(Data("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8))
            return connection.answer(within: 10_000)
        }
        return try #require(answer)
    }
}
