// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemCalls
import Testing

@Suite("landfall init", .timeLimit(.minutes(1)))
struct InitTests {
    private static let everything = [
        "--bundle-id", "com.acme.shop", "--team", "ZYXWV98765", "--app-store-id", "987654321", "--scheme", "acme",
        "--name", "Acme: \"Shop\" #1", "--brand", "links.acme.test", "--universal", "acme.test", "--api", "api.acme.test",
        "--product", "com.acme.shop.yearly", "--address", "192.0.2.7", "--address", "2001:db8::7",
    ]

    private func initialise(_ arguments: [String], in folder: URL) async throws -> (status: Int32, errors: String) {
        try await RunningCommand(["init", "--out", folder.path] + arguments).ending()
    }

    private func text(_ name: String, in folder: URL) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    @Test(
        "writes a configuration that can be served, from all options and from the bundle id alone",
        arguments: [everything, ["--bundle-id", "com.acme.shop"], ["--bundle-id", "com.acme.shop", "--api", "api.acme.test"]])
    func passesCheck(arguments: [String]) async throws {
        try await ServingProcess.withFolder { parent in
            let folder = parent.appending(path: "new")

            let ending = try await initialise(arguments, in: folder)
            let check = try await RunningCommand(["check", folder.appending(path: "landfall.yaml").path]).ending()
            let serving = try await ServingProcess.start(
                in: parent.appending(path: "data"), configuration: folder.appending(path: "landfall.yaml").path)

            #expect(ending.status == 0, "\(ending.errors)")
            #expect(check.status == 0, "\(check.errors)")
            try await serving.ends()
        }
    }

    @Test("writes the given values, no example values, and a new key each time")
    func noExamples() async throws {
        try await ServingProcess.withFolder { folder in
            for number in 1...2 { _ = try await initialise(Self.everything, in: folder.appending(path: "\(number)")) }
            let first = folder.appending(path: "1")
            let names = try FileManager.default.contentsOfDirectory(atPath: first.path).sorted()

            #expect(names == ["Landfall.swift", "dns.txt", "landfall.entitlements", "landfall.yaml", "nginx.conf"])
            let all = try names.map { try text($0, in: first) }.joined()
            for example in ["example.com", "ABCDE12345", "1234567890", "pk_demo", "go.link"] { #expect(!all.contains(example)) }
            let keys = try ["1", "2"].map { number in
                try text("landfall.yaml", in: folder.appending(path: number)).firstMatch(of: /pk_[0-9a-f]{32}/).map { $0.output }
            }
            #expect(keys[0] != nil && keys[1] != nil && keys[0] != keys[1])
            #expect(try text("Landfall.swift", in: first).contains(try #require(keys[0])))
        }
    }

    @Test("writes the app's files: entitlements as a property list, and Swift lines with the app's own hosts")
    func appSide() async throws {
        try await ServingProcess.withFolder { folder in
            _ = try await initialise(Self.everything, in: folder)

            let plist = try PropertyListSerialization.propertyList(
                from: Data(try text("landfall.entitlements", in: folder).utf8), format: nil) as? [String: [String]]

            #expect(plist == ["com.apple.developer.associated-domains": ["applinks:links.acme.test", "applinks:acme.test"]])
            let swift = try text("Landfall.swift", in: folder)
            #expect(swift.contains(#"let server = URL(string: "https://api.acme.test")!"#))
            #expect(swift.contains(#"let server = URL(string: "http://127.0.0.1:8080")!"#))
            #expect(
                swift.contains(#"LinkDomains(brand: ["links.acme.test"], universal: ["acme.test"], schemes: ["acme"])"#))
            let dns = try text("dns.txt", in: folder).split(separator: "\n").map(String.init)
            #expect(dns.prefix(4) == [
                "api.acme.test. 300 IN A 192.0.2.7", "api.acme.test. 300 IN AAAA 2001:db8::7",
                "links.acme.test. 300 IN A 192.0.2.7", "links.acme.test. 300 IN AAAA 2001:db8::7",
            ])
        }
    }

    @Test("writes a placement that shows people from Apple Ads a paywall of their own, and files that end with one newline")
    func targeting() async throws {
        try await ServingProcess.withFolder { folder in
            _ = try await initialise(Self.everything, in: folder)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)

            let yaml = try text("landfall.yaml", in: folder)
            #expect(yaml.contains("  apple-ads:\n    attribution.source: { is: apple_search_ads }\n"))
            #expect(yaml.hasSuffix("    - audience: apple-ads\n      paywall: apple-ads\n    - audience: everyone\n      paywall: default\n"))
            #expect(yaml.components(separatedBy: "      - com.acme.shop.yearly\n").count == 3)
            for name in names {
                let text = try text(name, in: folder)
                #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"), "\(name)")
            }
        }
    }

    @Test("writes the Swift file that the page on an app of one's own shows, apart from the key")
    func page() async throws {
        try await ServingProcess.withFolder { folder in
            _ = try await initialise(["--bundle-id", "com.acme.shop", "--scheme", "acme", "--api", "api.acme.test"], in: folder)
            let here = URL(filePath: #filePath).deletingLastPathComponent()
            let page = try String(contentsOf: here.appending(path: "../../../../docs/setting-up/your-app.md"), encoding: .utf8)

            let written = try text("Landfall.swift", in: folder).replacing(/pk_[0-9a-f]{32}/, with: "pk_…")

            #expect(page.contains("```swift\n" + written + "```"))
        }
    }

    @Test("writes the proxy file of Examples/SelfHost, for the given names")
    func template() async throws {
        try await ServingProcess.withFolder { folder in
            let arguments = [
                "--bundle-id", "com.acme.shop", "--api", "api.example.com", "--brand", "brandname.go.link",
                "--certificate", "/etc/ssl/landfall/fullchain.pem", "--certificate-key", "/etc/ssl/landfall/privkey.pem",
            ]
            _ = try await initialise(arguments, in: folder)

            let example = URL(filePath: RunningCommand.example).deletingLastPathComponent().appending(path: "nginx.conf")
            #expect(try text("nginx.conf", in: folder) == String(contentsOf: example, encoding: .utf8))
        }
    }

    @Test("gives each new brand domain a page with a button for the app, if the app has a scheme")
    func ways() async throws {
        let withoutScheme = ["--bundle-id", "com.acme.shop", "--brand", "links.acme.test"]
        try await ServingProcess.withFolder { folder in
            let (first, second) = (folder.appending(path: "1"), folder.appending(path: "2"))
            _ = try await initialise(Self.everything + ["--brand", "go.acme.test"], in: first)
            _ = try await initialise(withoutScheme, in: second)

            let lines = try text("landfall.yaml", in: first).split(separator: "\n")
            #expect(lines.count { $0.hasPrefix("      ios: [app, store]   # ") } == 2)
            #expect(lines.count { $0.hasPrefix("    - host: ") } == 2)
            #expect(try !text("landfall.yaml", in: second).contains("ios:"))
            #expect(try text("landfall.yaml", in: second).contains("    - host: links.acme.test\n"))
        }
    }

    @Test("leaves out files without content")
    func least() async throws {
        try await ServingProcess.withFolder { folder in
            _ = try await initialise(["--bundle-id", "com.acme.shop"], in: folder)

            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["Landfall.swift", "landfall.yaml"])
            #expect(try text("Landfall.swift", in: folder).contains("http://127.0.0.1:8080"))
        }
    }

    @Test("overwrites nothing without --force")
    func overwriting() async throws {
        try await ServingProcess.withFolder { folder in
            let mine = folder.appending(path: "nginx.conf")
            try Data("mine".utf8).write(to: mine)

            let refused = try await initialise(Self.everything, in: folder)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let forced = try await initialise(Self.everything + ["--force"], in: folder)

            #expect(refused.status == 1)
            #expect(refused.errors.contains("'\(mine.path)' is there already, and nothing was written"))
            #expect(names == ["nginx.conf"])
            #expect(forced.status == 0)
            #expect(try text("nginx.conf", in: folder) != "mine")
        }
    }

    @Test(
        "refuses values that no configuration can contain with the status of a usage error, and writes nothing",
        arguments: [
            [], ["--bundle-id", "not a bundle"], ["--bundle-id", "a.b", "--team", "short"], ["--bundle-id", "a.b", "--brand", "x"],
            ["--bundle-id", "a.b", "--scheme", "https"], ["--bundle-id", "a.b", "--brand", "a.test", "--universal", "a.test"],
            ["--bundle-id", "a.b", "--address", "here"], ["--bundle-id", "a.b", "--api", "api.test; }\n"],
            ["--bundle-id", "a.b", "--api", "api.acme.test", "--certificate", "/x\"; evil"],
        ])
    func usage(arguments: [String]) async throws {
        try await ServingProcess.withFolder { folder in
            let ending = try await initialise(arguments, in: folder)

            #expect(ending.status == 64)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }

    @Test("names its files in one JSON document")
    func json() async throws {
        struct Written: Decodable {
            struct File: Decodable { let path: String }
            let sdkKey: String
            let files: [File]
        }
        try await ServingProcess.withFolder { folder in
            let command = try RunningCommand(["init", "--json", "--out", folder.path] + Self.everything)
            let text = await command.lines.reduce(into: "") { $0 += $1 }

            let written = try JSONDecoder().decode(Written.self, from: Data(text.utf8))

            #expect(written.sdkKey.hasPrefix("pk_"))
            #expect(written.files.count == 5)
            #expect(written.files.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
        }
    }

    private static let nginx = "/usr/sbin/nginx"
    private static let openssl = "/usr/bin/openssl"
    private static let canTryProxy = [nginx, openssl].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    @Test("writes a proxy file that nginx accepts", .enabled(if: canTryProxy, "nginx or openssl is not installed"))
    func proxy() async throws {
        try await ServingProcess.withFolder { folder in
            let (certificate, key) = (folder.appending(path: "c.pem").path, folder.appending(path: "k.pem").path)
            try await run(
                Self.openssl,
                ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=t", "-days", "2", "-keyout", key, "-out", certificate])
            _ = try await initialise(Self.everything + ["--certificate", certificate, "--certificate-key", key], in: folder)
            // As any user, beside whatever has these ports, with IPv6 or without.
            var file = try text("nginx.conf", in: folder).replacing("443 ssl", with: "18443 ssl").replacing(":80;", with: ":18080;")
                .replacing("listen 80;", with: "listen 18080;").replacing("/var/log/nginx", with: folder.path)
            if !FileManager.default.fileExists(atPath: "/proc/net/if_inet6") {
                file = file.split(separator: "\n").filter { !$0.contains("[::]") }.joined(separator: "\n")
            }
            try Data(file.utf8).write(to: folder.appending(path: "tried.conf"))
            let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder.path)/t-\($0);" }
            let whole = """
                pid \(folder.path)/nginx.pid;
                error_log stderr;
                events {}
                http { access_log off; \(temporary.joined(separator: " ")) include \(folder.path)/tried.conf; }
                """
            try Data(whole.utf8).write(to: folder.appending(path: "whole.conf"))

            let said = try await run(Self.nginx, ["-t", "-c", folder.appending(path: "whole.conf").path])

            #expect(said.contains("test is successful"), "\(said)")
        }
    }

    /// - Returns: its output on standard error.
    @discardableResult
    private func run(_ program: String, _ arguments: [String]) async throws -> String {
        try await SpawnedProcess.completion(of: [program] + arguments).errors
    }
}
