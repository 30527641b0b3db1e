// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallServer
@testable import LandfallStore

extension RealProcessTests {
    @Suite("--audit-log", .timeLimit(.minutes(1)))
    struct AuditLogTests {
        @Test("writes the lines after its position into the file, and LANDFALL_AUDIT_LOG names the file too")
        func writes() async throws {
            try await ServingProcess.withFolder { folder in
                let data = folder.appending(path: "data"), file = folder.appending(path: "audit.log")
                let environment = ["LANDFALL_AUDIT_LOG": file.path]
                try await ServingProcess.start(in: data, environment: environment).ends()
                #expect(try Data(contentsOf: file).isEmpty)
                // The line about the first version, made older than half a minute.
                let old = UUIDv7.make(nowMs: ServerTime.live.nowMs() - 60_000)
                let changed = try await StoredTruth(in: data).database.write { connection in
                    try connection.run("UPDATE audit_entry SET id = $1 WHERE action = 'version_published'", [.text(old)])
                }
                #expect(changed == 1)
                try Data("00000000-0000-0000-0000-000000000000\n".utf8).write(to: URL(filePath: file.path + ".position"))

                let server = try await ServingProcess.start(in: data, environment: environment)
                var text = ""
                for _ in 0..<500 where text.isEmpty {
                    try await Task.sleep(for: .milliseconds(10))
                    text = try String(contentsOf: file, encoding: .utf8)
                }
                try await server.ends()

                #expect(text.hasPrefix(#"{"action":"version_published","at":"2"#) && text.contains(old), "\(text)")
            }
        }

        @Test("with a folder that is missing refuses to start, and says which file it is")
        func refused() async throws {
            try await ServingProcess.withFolder { folder in
                let path = folder.appending(path: "missing/audit.log").path
                let ending = try await RunningCommand(
                    ["serve", "--port", "0", "--data", folder.path, "--config", RunningCommand.example, "--audit-log", path]
                ).ending(within: .seconds(20))

                #expect(ending.status == 1)
                #expect(ending.errors.contains("'\(path)' of --audit-log cannot be used: No such file or directory."), "\(ending.errors)")
            }
        }
    }
}
