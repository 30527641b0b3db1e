// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Every command about versions, as a process: against a running server by its folder and by its address, and on a folder alone.
@Suite("landfall diff, apply, versions, rollback, export", .timeLimit(.minutes(2)))
struct PublishingCommandTests {
    enum Place: String, CaseIterable, Sendable { case serverByFolder, serverByAddress, folder }

    private static let key = "sk_" + String(repeating: "k", count: 32)

    private static func yaml(_ paywall: String = "default", more: String = "") -> String {
        """
        # The team's file.
        app: { id: example, bundleId: com.example.app }
        keys: [{ sdk: pk_test }, { serverFrom: LANDFALL_SERVER_KEY, may: [configuration] }]
        paywalls:
          default: { products: [year] }
          special: { products: [month] }

        placements: { onboarding: [{ audience: everyone, paywall: \(paywall) }] }
        \(more)
        """
    }

    private static func ready(_ port: Int) async throws -> String {
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/readyz"))
        return String(decoding: try await URLSession.shared.data(from: url).0, as: UTF8.self)
    }

    /// Where the commands of one test work, after version 1 was published.
    private struct Site {
        let parent: URL
        let port: Int?
        let place: [String]
        let environment: [String: String]

        func write(_ text: String) throws -> String {
            let file = parent.appending(path: "next.yaml")
            try Data(text.utf8).write(to: file)
            return file.path
        }

        func run(_ arguments: String...) async throws -> (status: Int32, output: String, errors: String) {
            try await RunningCommand(arguments + place, environment: environment).completion()
        }

        /// The document of a command that ends with this status.
        func json(_ arguments: String..., status: Int32 = 0) async throws -> JSONValue {
            let done = try await RunningCommand(arguments + ["--json"] + place, environment: environment).completion()
            #expect(done.status == status, "\(done.errors)")
            return try JSONDecoder().decode(JSONValue.self, from: Data(done.output.utf8))
        }
    }

    private func at(_ place: Place, _ body: (Site) async throws -> Void) async throws {
        try await ServingProcess.withFolder { parent in
            let folder = parent.appending(path: "data")
            let file = parent.appending(path: "first.yaml")
            try Data(Self.yaml().utf8).write(to: file)
            let environment = ["LANDFALL_SERVER_KEY": Self.key, "LANDFALL_LOG_LEVEL": "critical"]
            if place == .folder {
                let site = Site(parent: parent, port: nil, place: ["--data", folder.path], environment: environment)
                let first = try await site.run("apply", file.path)
                #expect(first.status == 0, "\(first.errors)")
                #expect(first.output.hasSuffix("Version 1 is published.\n"))
                return try await body(site)
            }
            let server = try RunningCommand(
                ["serve", "--port", "0", "--data", folder.path, "--config", file.path, "--apple-ads", "http://127.0.0.1:9"],
                environment: environment)
            let port = try #require(await server.port())
            let where_ = place == .serverByFolder ? ["--data", folder.path] : ["--server", "http://127.0.0.1:\(port)", "--key", Self.key]
            try await body(Site(parent: parent, port: port, place: where_, environment: environment))
            server.stop()
            #expect(await server.ending().status == 0)
        }
    }

    @Test("compare, publish, list and export", arguments: Place.allCases)
    func life(place: Place) async throws {
        try await at(place) { site in
            let file = try site.write(Self.yaml("special"))
            let sentence = "placement onboarding: everyone now sees paywall special instead of paywall default"

            let diff = try await site.json("diff", file)
            #expect(diff["base"] == 1)
            #expect(diff["version"] == .null)
            #expect(diff["changes"]?[0]?["sentence"] == .string(sentence))
            #expect(diff["changes"]?[0]?["kind"] == "changed")
            #expect(diff["changes"]?[0]?["before"] == "default")
            #expect(diff["warnings"] == [])
            let said = try await site.run("diff", file)
            #expect(said.output == sentence + "\n")
            #expect(try await site.json("apply", file, "--dry-run")["version"] == .null)

            let applied = try await site.json("apply", file, "--message", "Für alle", "--base", "1")
            #expect(applied["version"] == 2)
            if let port = site.port { #expect(try await Self.ready(port) == "ok\nconfiguration 2\n") }

            let versions = try await site.json("versions")
            #expect(versions[0]?["version"] == 2)
            #expect(versions[0]?["message"] == "Für alle")
            let author = place == .serverByAddress ? "key LANDFALL_SERVER_KEY" : NSUserName()
            #expect(versions[0]?["author"] == .string(author))
            #expect(versions[0]?["hash"]?.string?.count == 64)
            #expect((versions[0]?["publishedAtMilliseconds"]?.integer ?? 0) > 1_700_000_000_000)
            #expect(versions[1]?["version"] == 1)

            #expect(try await exported(site, []) == Self.yaml("special"))
            #expect(try await exported(site, ["1"]) == Self.yaml())
            #expect(try await site.json("export")["yaml"] == .string(Self.yaml("special")))
            let again = try await site.json("apply", file)
            #expect(again["changes"] == [])
            #expect(again["version"] == 2)

            let back = try await site.json("rollback", "1", "--message", "too early")
            #expect(back["version"] == 3)
            #expect(try await exported(site, []) == Self.yaml())
        }
    }

    /// Byte for byte, as a shell keeps it.
    private func exported(_ site: Site, _ arguments: [String]) async throws -> String {
        let file = site.parent.appending(path: "exported.yaml")
        let export = try RunningCommand(
            ["export"] + arguments + site.place, environment: site.environment,
            launcher: ["/bin/sh", "-c", "exec \"$@\" > '\(file.path)'", "sh"])
        #expect(await export.ending().status == 0)
        return try String(contentsOf: file, encoding: .utf8)
    }

    @Test("refuse a stale base, with both sides", arguments: Place.allCases)
    func stale(place: Place) async throws {
        try await at(place) { site in
            _ = try await site.json("apply", try site.write(Self.yaml("special")))
            let file = try site.write(Self.yaml(more: "attributes: { plan: string }"))

            let document = try await site.json("apply", file, "--base", "1", status: 1)
            #expect(document["error"]?["code"] == "configuration_stale")
            #expect(document["base"] == 1)
            #expect(document["newest"] == 2)
            #expect(document["changes"]?[0]?["path"] == "placements.onboarding.everyone.paywall")
            let said = try await site.run("apply", file, "--base", "1")
            #expect(said.status == 1)
            #expect(said.errors.contains("made from version 1, and version 2 was published since"))
            #expect(said.errors.contains("attribute plan is added"))
        }
    }

    @Test("name every problem of a file, and end with 1", arguments: Place.allCases)
    func invalid(place: Place) async throws {
        try await at(place) { site in
            let file = try site.write(Self.yaml("absent", more: "nonsense: 1"))

            let document = try await site.json("apply", file, status: 1)
            #expect(document["error"]?["code"] == "configuration_invalid")
            #expect(document["problems"]?.array?.count == 2)
            let said = try await site.run("diff", file)
            #expect(said.status == 1)
            #expect(said.errors.contains("The configuration has no 'nonsense'."))
            #expect(try await site.run("apply", "/nowhere.yaml").status == 1)
        }
    }

    @Test("change protected sections only in the folder of the store")
    func protected() async throws {
        let more = "retention: { clickDays: 30 }"
        try await at(.serverByAddress) { site in
            let refused = try await site.json("apply", try site.write(Self.yaml(more: more)), status: 1)
            #expect(refused["error"]?["code"] == "configuration_protected")
        }
        try await at(.serverByFolder) { site in
            let file = try site.write(Self.yaml(more: more))
            #expect(try await site.json("apply", file)["version"] == 2)
        }
    }

    @Test("publish at a time, and cancel", arguments: [Place.serverByFolder, .folder])
    func scheduled(place: Place) async throws {
        try await at(place) { site in
            let file = try site.write(Self.yaml("special"))

            let later = try await site.json("apply", file, "--at", "2027-06-01T09:00:00+02:00")
            let versions = try await site.json("versions")
            let id = try #require(later["scheduled"]?["id"]?.string)
            #expect(later["version"] == .null)
            #expect(versions[0]?["status"] == "scheduled")
            #expect(versions[0]?["atMilliseconds"] == 1_811_833_200_000)
            #expect(try await site.json("versions", "--cancel", id)["cancelled"] == true)
            #expect(try await site.run("apply", file, "--at", "tomorrow").status == 64)
            #expect(try await site.run("apply", file, "--at", "2020-01-01T00:00:00Z").status == 1)
        }
    }

    @Test("publish by themselves when the time comes")
    func due() async throws {
        try await at(.serverByFolder) { site in
            let soon = Date().addingTimeInterval(8).formatted(.iso8601)
            _ = try await site.json("apply", try site.write(Self.yaml("special")), "--at", soon)

            for _ in 0..<200 {
                if try await site.json("versions")[0]?["version"] == 2 { break }
                try await Task.sleep(for: .milliseconds(100))
            }
            #expect(try await site.json("versions")[0]?["version"] == 2)
        }
    }

    @Test("are refused with the status of a usage error if the command line is wrong", arguments: [
        ["rollback"], ["rollback", "x"], ["apply", "a", "b"], ["export", "x"], ["apply", "--base", "x"],
    ])
    func usage(arguments: [String]) async throws {
        #expect(try await RunningCommand(arguments).ending().status == 64)
    }

    @Test("keep the store's version if the file is older, and publish the file again if the file is the owner")
    func owner() async throws {
        try await ServingProcess.withFolder { parent in
            let data = ["--data", parent.appending(path: "data").path]
            let file = parent.appending(path: "first.yaml").path, next = parent.appending(path: "next.yaml").path
            try Data(Self.yaml().utf8).write(to: URL(filePath: file))
            try Data(Self.yaml("special").utf8).write(to: URL(filePath: next))
            let environment = ["LANDFALL_SERVER_KEY": Self.key, "LANDFALL_LOG_LEVEL": "warning"]

            func serve(_ more: [String] = []) async throws -> (version: String, errors: String) {
                let server = try RunningCommand(
                    ["serve", "--port", "0", "--config", file, "--apple-ads", "http://127.0.0.1:9"] + data + more,
                    environment: environment)
                let port = try #require(await server.port())
                let ready = try await Self.ready(port)
                server.stop()
                return (ready, await server.ending().errors)
            }

            #expect(try await serve().version == "ok\nconfiguration 1\n")
            let applied = try await RunningCommand(["apply", next] + data, environment: environment).completion()
            #expect(applied.status == 0, "\(applied.errors)")
            let same = try await serve()
            #expect(same.version == "ok\nconfiguration 2\n")
            #expect(!same.errors.contains("somebody has published since"))

            try Data((Self.yaml() + "# changed\n").utf8).write(to: URL(filePath: file))
            let kept = try await serve()
            #expect(kept.version == "ok\nconfiguration 2\n")
            #expect(kept.errors.contains("somebody has published since"))
            #expect(try await serve(["--config-owner", "file"]).version == "ok\nconfiguration 3\n")
        }
    }
}
