// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import LandfallServer
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension RealProcessTests {
    @Suite("SIGHUP", .timeLimit(.minutes(1)))
    struct HangUpTests {
        private func text(_ path: String, _ port: Int, key: String? = nil) async throws -> String {
            var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)\(path)")))
            if let key { request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization") }
            return String(decoding: try await URLSession.shared.data(for: request).0, as: UTF8.self)
        }

        /// Waits until the server has handled the signal.
        private func wait(for text: String, at port: Int) async throws {
            for _ in 0..<500 {
                if try await self.text("/metrics", port).contains(text) { return }
                try await Task.sleep(for: .milliseconds(10))
            }
            Issue.record("The metrics do not say \(text)")
        }

        @Test("A broken file stops no restart: the store's version is served, and metric, doctor and reload say why")
        func broken() async throws {
            try await ServingProcess.withFolder { folder in
                let (file, data) = (folder.appending(path: "landfall.yaml"), folder.appending(path: "data"))
                let example = try String(contentsOfFile: RunningCommand.example, encoding: .utf8)
                try Data(example.utf8).write(to: file)
                try await ServingProcess.start(in: data, configuration: file.path).ends()
                try Data((example + "nonsense: 1\n").utf8).write(to: file)

                let server = try await ServingProcess.start(
                    in: data, configuration: file.path, environment: ["LANDFALL_LOG_LEVEL": "error"])
                #expect(try await text("/readyz", server.port) == "ok\nconfiguration 1\n")
                #expect(try await text("/metrics", server.port).contains("landfall_configuration_file_refused 1\n"))
                let doctor = try await DoctorTests.doctor(["--data", data.path])
                let refused = try await RunningCommand(["reload", "--data", data.path]).ending()
                try Data((example + "# good again\n").utf8).write(to: file)
                let (status, output, _) = try await RunningCommand(["reload", "--data", data.path]).completion()
                #expect(try await text("/metrics", server.port).contains("landfall_configuration_file_refused 0\n"))
                server.command.stop()
                let ending = await server.command.ending()
                let stopped = try await RunningCommand(["reload", "--data", data.path]).ending()

                #expect(doctor.findings.first { $0.check == "file" }?.message.contains("has no 'nonsense'") == true)
                #expect(refused.status == 1 && refused.errors.contains("has no 'nonsense'"), "\(refused.errors)")
                #expect(status == 0 && output.contains("version 2 is served"), "\(output)")
                #expect(ending.errors.contains("The configuration file cannot be served: the store's version is."))
                #expect(stopped.status == 1 && stopped.errors.contains("No server answers"), "\(stopped.errors)")
            }
        }

        @Test("publishes the changed file; an invalid file is refused with line and column, and the server continues")
        func reads() async throws {
            try await ServingProcess.withFolder { folder in
                let file = folder.appending(path: "landfall.yaml")
                let example = try String(contentsOfFile: RunningCommand.example, encoding: .utf8)
                try Data(example.utf8).write(to: file)
                let server = try await ServingProcess.start(
                    in: folder.appending(path: "data"), configuration: file.path, environment: ["LANDFALL_LOG_LEVEL": "notice"])

                try Data((example + "nonsense: 1\n").utf8).write(to: file)
                server.command.hangUp()
                try await wait(for: "publications_total{outcome=\"refused\"} 1", at: server.port)
                #expect(try await text("/readyz", server.port) == "ok\nconfiguration 1\n")

                let changed = example.replacing("sdk: pk_demo", with: "sdk: pk_changed")
                try Data(changed.utf8).write(to: file)
                server.command.hangUp()
                try await wait(for: "landfall_configuration_version 2", at: server.port)
                let path = "/v1/placements/onboarding/paywall?audience=default"
                #expect(try await text(path, server.port, key: "pk_changed").contains("\"revision\":2"))
                #expect(try await text(path, server.port, key: "pk_demo").contains("invalid_key"))

                server.command.stop()
                let ending = await server.command.ending()
                #expect(ending.status == 0)
                let line = example.split(separator: "\n", omittingEmptySubsequences: false).count
                #expect(ending.errors.contains("landfall.yaml:\(line):1: The configuration has no 'nonsense'."))
                #expect(ending.errors.contains("keys.changed=2"))
            }
        }
    }
}
