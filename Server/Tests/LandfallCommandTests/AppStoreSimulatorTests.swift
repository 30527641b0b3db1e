// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension RealProcessTests {
    @Suite("The simulated App Store as a command", .timeLimit(.minutes(5)))
    struct AppStoreSimulatorTests {
        @Test("sells, and the chain of what it signs is valid below the root that it wrote, as openssl says", .enabled(if: Self.hasOpenSSL))
        func verified() async throws {
            let folder = try Folder()
            defer { folder.remove() }
            let simulator = try RunningCommand(folder.arguments(port: 0))
            let port = try #require(await simulator.port())

            let bought = try buy("sim.trial=7d", port)
            let header = try #require(bought["jws"]?.split(separator: ".").first)
            let chain = try JSONDecoder().decode(Header.self, from: Data(base64URL: header)).x5c
            try #require(chain.count == 3)
            for (name, certificate) in zip(["leaf", "intermediate"], chain) {
                try "-----BEGIN CERTIFICATE-----\n\(certificate)\n-----END CERTIFICATE-----\n"
                    .write(toFile: folder.path(name), atomically: true, encoding: .utf8)
            }
            let line = ["verify", "-purpose", "any", "-CAfile", folder.path("root.pem"), "-untrusted", folder.path("intermediate"), folder.path("leaf")]
            let now = try await RunningCommand(line, program: Self.openSSL).completion()
            let late = try await RunningCommand(line + ["-attime", "2400000000"], program: Self.openSSL).completion()

            #expect(now.status == 0, "\(now)")
            #expect(late.status != 0)
            simulator.stop()
            #expect(await simulator.ending().status == 0)
        }

        @Test("gives the same ids in the same order for the same seed")
        func seeded() async throws {
            var ids: [[String]] = []
            for seed in ["7", "7", "8"] {
                let folder = try Folder()
                defer { folder.remove() }
                let simulator = try RunningCommand(folder.arguments(port: 0) + ["--seed", seed])
                let port = try #require(await simulator.port())
                var seen: [String] = []
                for id in ["sim.", "sim.type=consumable"] { seen.append(try #require(try buy(id, port)["transactionId"])) }
                ids.append(seen)
                simulator.stop()
                _ = await simulator.ending()
            }

            #expect(ids[0] == ids[1])
            #expect(Set(ids[0]).isDisjoint(with: ids[2]))
        }

        @Test("says when nobody takes its notifications, and goes on")
        func nobody() async throws {
            let folder = try Folder()
            defer { folder.remove() }
            let simulator = try RunningCommand(folder.arguments(port: 0))
            let port = try #require(await simulator.port())

            _ = try buy("sim.type=consumable", port)
            try await Task.sleep(for: .milliseconds(500))
            let again = try buy("sim.type=consumable", port)
            simulator.stop()
            let ending = await simulator.ending()

            #expect(again["transactionId"] != nil)
            #expect(ending.status == 0)
            #expect(ending.errors.contains("A notification was not answered. Is a server listening there?"), "\(ending.errors)")
        }

        @Test("in use, its port is explained, and the root of the one that listens stays")
        func taken() async throws {
            let folder = try Folder()
            defer { folder.remove() }
            let first = try RunningCommand(folder.arguments(port: 0))
            let port = try #require(await first.port())
            let root = try String(contentsOfFile: folder.path("root.pem"), encoding: .utf8)

            let ending = try await RunningCommand(folder.arguments(port: port)).ending()

            #expect(ending.status == 1)
            #expect(ending.errors.contains("Could not listen on http://127.0.0.1:\(port)"))
            #expect(try String(contentsOfFile: folder.path("root.pem"), encoding: .utf8) == root)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["root.pem"])
            first.stop()
            #expect(await first.ending().status == 0)
        }

        @Test(
            "explains what is missing or wrong",
            arguments: [
                (["--root-out", "root.pem"], 64, "--notify is missing. Write the server's address"),
                (["--notify", "ftp://127.0.0.1/", "--root-out", "root.pem"], 64, "--notify is 'ftp://127.0.0.1/'"),
                (["--notify", "http://127.0.0.1:9/"], 64, "--root-out is missing. Name a file"),
                (["--notify", "http://127.0.0.1:9/", "--root-out", "/nowhere/root.pem"], 1, "cannot be written to '/nowhere/root.pem'"),
                (["--notify", "http://127.0.0.1:9/", "--root-out", "root.pem", "--day", "0"], 64, "--day is 0.0"),
                (["--notify", "http://127.0.0.1:9/", "--root-out", "root.pem", "--seed", "x"], 64, "seed"),
            ] as [([String], Int32, String)]
        )
        func wrong(arguments: [String], status: Int32, sentence: String) async throws {
            let ending = try await RunningCommand(["app-store-simulator", "--port", "0"] + arguments).ending()

            #expect(ending.status == status)
            #expect(ending.errors.contains(sentence), "\(ending.errors)")
        }

        private struct Header: Decodable { let x5c: [String] }

        private static let openSSL = "/usr/bin/openssl"
        private static var hasOpenSSL: Bool { FileManager.default.isExecutableFile(atPath: openSSL) }

        private func buy(_ id: String, _ port: Int) throws -> [String: String] {
            let order = Data(#"{"productId":"\#(id)","storefront":"USA","priceMilliunits":9990,"currency":"USD"}"#.utf8)
            let connection = try RawConnection(port: port)
            try connection.send(RawConnection.request("POST", "/sim/purchases", body: order, profile: ""))
            return try JSONDecoder().decode([String: String].self, from: #require(connection.answer(within: 60_000)).body)
        }
    }
}

/// A folder of one test.
private struct Folder {
    let url = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    func remove() { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func arguments(port: Int) -> [String] {
        ["app-store-simulator", "--port", "\(port)", "--notify", "http://127.0.0.1:9/", "--root-out", path("root.pem")]
    }
}

extension Data {
    fileprivate init(base64URL text: Substring) throws {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        self = try #require(Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)))
    }
}
