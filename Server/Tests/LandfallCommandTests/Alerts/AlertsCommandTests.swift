// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallCommand
@testable import LandfallServer

@Suite("Alerts in the terminal", .timeLimit(.minutes(2)))
struct AlertsCommandTests {
    @Test("have a line with since when, one with what, and one with what to do")
    func lines() throws {
        let alerts = try JSONDecoder().decode(
            [FiringAlert].self,
            from: Data(
                #"[{"rule":"certificate","host":"go.example.com","sinceMilliseconds":1795348800000,"value":3,"limit":14,"unit":"days","message":"It ends.","action":"Renew it."}]"#.utf8))

        #expect(AlertListCommand.lines(of: alerts) == ["certificate (go.example.com) since 2026-11-22T12:00:00Z", "  It ends.", "  Renew it."])
        #expect(AlertListCommand.lines(of: []) == ["No alert fires."])
    }

    @Test("are listed in any store; a test needs a running server, and a destination")
    func served() async throws {
        try await ServingProcess.withFolder { parent in
            let folder = parent.appending(path: "data")
            let server = try await ServingProcess.start(in: folder)
            let list = try await RunningCommand(["alerts", "list", "--json", "--data", folder.path]).completion()
            let nobody = try await RunningCommand(["alerts", "test", "--data", folder.path]).completion()
            try await server.ends()
            let alone = try await RunningCommand(["alerts", "test", "--data", folder.path]).completion()

            #expect(list.status == 0 && list.output.trimmingCharacters(in: .whitespacesAndNewlines).filter { !$0.isWhitespace } == "[]", "\(list)")
            #expect(nobody.status == 1 && nobody.errors.contains("write 'alerts.destinations'"), "\(nobody.errors)")
            #expect(alone.status == 1 && alone.errors.contains("Start it with 'landfall serve'"), "\(alone.errors)")
        }
    }
}
