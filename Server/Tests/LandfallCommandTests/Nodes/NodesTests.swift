// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import SystemCalls
import Testing

extension RealProcessTests {
    /// Several `landfall serve` on one PostgreSQL.
    @Suite(
        "Nodes that share a database", .enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed (Debian: postgresql)"),
        .timeLimit(.minutes(3)))
    struct NodesTests {
        private static let phone = RawConnection.installHeader

        /// Runs the body with as many nodes on a new database, and stops them.
        private static func run(
            _ count: Int, appleAds: Int? = nil, _ body: (PostgresServer, _ url: String, [ServingProcess]) async throws -> Void
        ) async throws {
            try await PostgresServer.with(settings: []) { server in
                let url = try await server.database()
                var nodes: [ServingProcess] = []
                for _ in 0..<count { nodes.append(try await ServingProcess.start(on: url, appleAds: appleAds)) }
                try await body(server, url, nodes)
                for node in nodes where node.command.isRunning { try await node.ends() }
            }
        }

        private static func ask(_ method: String, _ path: String, _ body: String? = nil, at node: ServingProcess) async throws -> RawConnection.Answer? {
            let port = node.port
            return try await onThread {
                let connection = try RawConnection(port: port)
                try connection.send(RawConnection.request(method, path, body: body.map { Data($0.utf8) }, profile: phone))
                return connection.answer()
            }
        }

        /// Asks again until the answer is as wanted; gives the last one.
        private static func ask(
            _ path: String, at node: ServingProcess, within limit: Duration, until isWanted: (String) -> Bool
        ) async throws -> String {
            let end = ContinuousClock.now + limit
            var text = ""
            while ContinuousClock.now < end {
                text = try await ask("GET", path, at: node).map { String(decoding: $0.body, as: UTF8.self) } ?? ""
                if isWanted(text) { break }
                try await Task.sleep(for: .milliseconds(50))
            }
            return text
        }

        /// Everything that a first open answers, until its end line.
        private static func open(token: String, holdMilliseconds: Int, at node: ServingProcess) async throws -> String {
            let port = node.port
            return try await onThread {
                let connection = try RawConnection(port: port)
                let body = #"{"adToken":\#(token),"placements":[{"id":"onboarding"}],"holdMilliseconds":\#(holdMilliseconds)}"#
                try connection.send(RawConnection.request("POST", "/v1/first-open", body: Data(body.utf8), profile: phone))
                var text = ""
                while !text.contains(#""type":"end""#), let more = connection.read(within: 40_000), !more.isEmpty {
                    text += String(decoding: more, as: UTF8.self)
                }
                return text
            }
        }

        @Test("A stream on one node ends with the report that another node gets")
        func wake() async throws {
            try await Self.run(2) { _, _, nodes in
                let held = Task { try await Self.open(token: #""coming""#, holdMilliseconds: 30_000, at: nodes[0]) }
                // The stream waits: the other node knows of the announcement.
                let waiting = try await Self.ask("/v1/profiles/me", at: nodes[1], within: .seconds(20)) { $0.contains("pending") }
                #expect(waiting.contains("pending"), "\(waiting)")

                let begun = ContinuousClock.now
                let reported = try await Self.ask("POST", "/v1/profiles/me/ad-token", #"{"none":"simulator"}"#, at: nodes[1])
                let text = try await held.value

                #expect(reported?.status == 200)
                #expect(text.contains(#""type":"end""#), "\(text)")
                // Not at the end of its hold.
                #expect(ContinuousClock.now - begun < .seconds(15))
            }
        }

        @Test("A token whose node is killed is asked about by another node, long before its lease ends")
        func killed() async throws {
            let apple = try RunningCommand(["apple-ads-simulator", "--port", "0"])
            let applePort = try #require(await apple.port())
            try await Self.run(2, appleAds: applePort) { _, _, nodes in
                let body = #"{"adToken":{"value":"sim.attribution=true&delay=4000"},"placements":[{"id":"onboarding"}],"holdMilliseconds":0}"#
                let opened = try await Self.ask("POST", "/v1/first-open", body, at: nodes[0])
                #expect(opened?.status == 200)
                let begun = ContinuousClock.now
                nodes[0].command.kill()
                _ = await nodes[0].command.ending()

                let profile = try await Self.ask("/v1/profiles/me", at: nodes[1], within: .seconds(25)) { $0.contains("attributed") }

                #expect(profile.contains("apple_search_ads"), "\(profile)")
                // The lease of the dead node would have lasted 30 seconds.
                #expect(ContinuousClock.now - begun < .seconds(25))
            }
            apple.stop()
            _ = await apple.ending()
        }

        @Test("If the phone repeats its open at another node, that one asks about the token before the killed node counts as dead")
        func repeated() async throws {
            let apple = try RunningCommand(["apple-ads-simulator", "--port", "0"])
            let applePort = try #require(await apple.port())
            try await Self.run(2, appleAds: applePort) { server, url, nodes in
                let name = try #require(url.firstMatch(of: /\/\/\/(\w+)/)?.output.1)
                let token = #"{"value":"sim.attribution=true&delay=1000"}"#
                // Both have beaten.
                let both = try await Self.ask("/readyz", at: nodes[1], within: .seconds(10)) { $0.contains(#""nodes":2"#) }
                #expect(both.contains(#""nodes":2"#), "\(both)")
                _ = try await Self.open(token: token, holdMilliseconds: 0, at: nodes[0])
                nodes[0].command.kill()
                _ = await nodes[0].command.ending()

                let lines = try await Self.open(token: token, holdMilliseconds: 20_000, at: nodes[1])

                #expect(lines.contains("apple_search_ads"), "\(lines)")
                // A dead node's entry goes when its jobs are freed.
                let entries = try await server.psql("\\c \(name)\nSELECT 'entries ' || COUNT(*) FROM node;\n")
                #expect(entries.contains("entries 2"), "\(entries)")
            }
            apple.stop()
            _ = await apple.ending()
        }

        @Test("While the database is away a node stays ready, says so, and answers a phone; afterwards it works as before")
        func away() async throws {
            try await Self.run(1) { server, url, nodes in
                let name = try #require(url.firstMatch(of: /\/\/\/(\w+)/)?.output.1)
                let isThere = try await Self.ask("/readyz", at: nodes[0], within: .seconds(20)) { $0.contains(#""store":"ok""#) }
                #expect(isThere.contains(#""ready":true"#), "\(isThere)")

                _ = try await server.psql(
                    """
                    ALTER DATABASE \(name) ALLOW_CONNECTIONS false;
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)';
                    """)
                let away = try await Self.ask("/readyz", at: nodes[0], within: .seconds(30)) { $0.contains(#""store":"away""#) }
                #expect(away.contains(#""ready":true"#) && away.contains("sinceMilliseconds"), "\(away)")
                let opened = try await Self.ask(
                    "POST", "/v1/first-open", #"{"adToken":{"none":"simulator"},"placements":[{"id":"onboarding"}],"holdMilliseconds":0}"#, at: nodes[0])
                #expect(opened?.status == 200)

                _ = try await server.psql("ALTER DATABASE \(name) ALLOW_CONNECTIONS true;")
                let back = try await Self.ask("/readyz", at: nodes[0], within: .seconds(30)) { $0.contains(#""store":"ok""#) }
                #expect(back.contains(#""ready":true"#) && !back.contains("sinceMilliseconds"), "\(back)")
                let profile = try await Self.ask("POST", "/v1/first-open", #"{"adToken":{"none":"simulator"},"placements":[],"holdMilliseconds":0}"#, at: nodes[0])
                #expect(profile?.status == 200)
            }
        }

        @Test("A node that starts with an earlier file beside nodes with the later one serves the later one; alone it goes back")
        func files() async throws {
            try await Self.run(1) { server, url, nodes in
                try await ServingProcess.withFolder { folder in
                    try await server.addLivingNode(url)
                    let later = folder.appending(path: "later.yaml")
                    try Data((String(contentsOfFile: RunningCommand.example, encoding: .utf8) + "\n# later\n").utf8).write(to: later)
                    var running = nodes
                    running.append(try await ServingProcess.start(on: url, configuration: later.path))
                    running.append(try await ServingProcess.start(on: url))
                    let beside = try await Self.ask("/readyz", at: running[2], within: .seconds(10)) { $0.contains(#""configuration":2"#) }
                    #expect(beside.contains(#""configuration":2"#), "\(beside)")

                    for node in running { try await node.ends() }
                    try await server.removeLivingNode(url)
                    let alone = try await ServingProcess.start(on: url)
                    let answer = try await Self.ask("/readyz", at: alone, within: .seconds(10)) { $0.contains(#""configuration":3"#) }
                    #expect(answer.contains(#""configuration":3"#), "\(answer)")
                    try await alone.ends()
                }
            }
        }

        @Test("Two apps cannot share a database: beside nodes of one, a server of the other ends and says so")
        func apps() async throws {
            try await Self.run(1) { server, url, _ in
                try await server.addLivingNode(url)
                try await ServingProcess.withFolder { folder in
                    let file = folder.appending(path: "second.yaml")
                    let example = try String(contentsOfFile: RunningCommand.example, encoding: .utf8)
                    try Data(example.replacing("  id: example", with: "  id: second").utf8).write(to: file)
                    let ending = try await RunningCommand(["serve", "--port", "0", "--database", url, "--config", file.path])
                        .ending(within: .seconds(30))

                    #expect(ending.status == 1)
                    #expect(ending.errors.contains("'example'") && ending.errors.contains("a database of its own"), "\(ending.errors)")
                }
            }
        }

        @Test("A node whose store gets another epoch stops by itself and says why; one whose schema is too new only stops being ready")
        func replaced() async throws {
            try await Self.run(2) { server, url, nodes in
                let name = try #require(url.firstMatch(of: /\/\/\/(\w+)/)?.output.1)
                func change(_ text: String) async throws { _ = try await server.psql("\\c \(name)\n\(text);\n") }
                try await change("INSERT INTO schema_migration (id, position, older_releases) VALUES ('2099-01-01 next', 99, 'refused')")
                let refused = try await Self.ask("/readyz", at: nodes[0], within: .seconds(10)) { $0.contains("schemaIsNewer") }
                #expect(refused.contains(#""ready":false"#) && refused.contains("2099-01-01 next"), "\(refused)")

                try await change("UPDATE store SET epoch = epoch + 1 WHERE name = 'self'")
                for node in nodes {
                    let ending = await node.command.ending(within: .seconds(20))
                    #expect(ending.status == 1 && ending.errors.contains("Start it again"), "\(ending)")
                }
            }
        }

        @Test("A node whose database is away when it starts is alive and not ready, serves when it is there, and may be stopped before")
        func late() async throws {
            try await PostgresServer.with(settings: []) { server in
                let url = try await server.database(), port = Int.random(in: 15_000..<32_000)
                let name = try #require(url.firstMatch(of: /\/\/\/(\w+)/)?.output.1)
                func start(_ url: String) throws -> ServingProcess {
                    let command = try RunningCommand(
                        ["serve", "--port", "\(port)", "--database", url, "--config", RunningCommand.example, "--apple-ads", "http://127.0.0.1:9"])
                    return ServingProcess(command: command, port: port)
                }
                /// The status and the body, as soon as somebody answers.
                func answer(_ path: String, _ node: ServingProcess) async throws -> (status: Int, body: String)? {
                    let end = ContinuousClock.now + .seconds(20)
                    while ContinuousClock.now < end {
                        if let answer = try? await Self.ask("GET", path, at: node) {
                            return (answer.status, String(decoding: answer.body, as: UTF8.self))
                        }
                        try await Task.sleep(for: .milliseconds(50))
                    }
                    return nil
                }
                _ = try await server.psql("ALTER DATABASE \(name) ALLOW_CONNECTIONS false;")
                let stopped = try start(url)
                #expect(try await answer("/healthz", stopped)?.status == 200)
                stopped.command.stop()
                let ending = await stopped.command.ending(within: .seconds(10))
                #expect(ending.status == 0, "\(ending)")

                let node = try start(url)
                let ready = try await answer("/readyz", node)
                #expect(ready?.status == 503 && ready?.body.contains(#""state":"starting""#) == true, "\(String(describing: ready))")
                #expect(try await answer("/v1/first-open", node)?.status == 503)
                _ = try await server.psql("ALTER DATABASE \(name) ALLOW_CONNECTIONS true;")
                #expect(await node.command.port() == port)
                let there = try await Self.ask("/readyz", at: node, within: .seconds(10)) { $0.contains(#""ready":true"#) }
                #expect(there.contains(#""ready":true"#), "\(there)")
                node.command.stop()
                let end = await node.command.ending(within: .seconds(20))
                #expect(end.status == 0 && end.errors.contains("The database is away"), "\(end)")

                let nobody = try start(url.replacing("user=postgres", with: "user=nobody"))
                let refused = await nobody.command.ending(within: .seconds(20))
                #expect(refused.status == 1 && refused.errors.contains("takes no connection"), "\(refused)")
            }
        }

        @Test("A server that is asked to stop when its database is back, and before it serves, stops")
        func stoppedBetween() async throws {
            try await Self.run(1) { server, url, nodes in
                let name = try #require(url.firstMatch(of: /\/\/\/(\w+)/)?.output.1)
                try await nodes[0].ends()
                _ = try await server.psql("ALTER DATABASE \(name) ALLOW_CONNECTIONS false;")
                let port = Int.random(in: 15_000..<32_000)
                let command = try RunningCommand(
                    ["serve", "--port", "\(port)", "--database", url, "--config", RunningCommand.example, "--apple-ads", "http://127.0.0.1:9"])
                let node = ServingProcess(command: command, port: port), end = ContinuousClock.now + .seconds(60)
                while (try? await Self.ask("GET", "/healthz", at: node)) == nil, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(50)) }
                // What the server does next has to wait.
                let lock = Task {
                    try await server.psql(
                        "ALTER DATABASE \(name) ALLOW_CONNECTIONS true;\n\\c \(name)\nBEGIN; LOCK TABLE schema_migration; SELECT pg_sleep(60);\n")
                }
                let question = "SELECT 'waiting ' || COUNT(*) FROM pg_stat_activity WHERE datname = '\(name)' AND wait_event_type = 'Lock';"
                while try await !server.psql(question).contains("waiting 1"), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(50)) }
                #expect(ContinuousClock.now < end)

                command.stop()
                let ending = await command.ending(within: .seconds(10))

                #expect(ending.status == 0 && ending.errors.contains("The database is there"), "\(ending)")
                _ = try await server.psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)';")
                _ = await lock.result
            }
        }

        @Test("Commands work on the database beside its nodes, which serve what is published; a database without a store is not made one")
        func commands() async throws {
            try await Self.run(1) { server, url, nodes in
                let empty = try await server.database()
                let missing = try await RunningCommand(["versions", "--database", empty]).ending()
                #expect(missing.status == 1 && missing.errors.contains("holds no store"), "\(missing.errors)")

                let versions = try RunningCommand(["versions", "--json"], environment: ["LANDFALL_DATABASE": url])
                let output = await versions.lines.reduce("", +), listed = await versions.ending()
                #expect(listed.status == 0 && output.contains(#""version" : 1"#), "\(output) \(listed.errors)")

                try await ServingProcess.withFolder { folder in
                    let later = folder.appending(path: "later.yaml")
                    try Data((String(contentsOfFile: RunningCommand.example, encoding: .utf8) + "\n# later\n").utf8).write(to: later)
                    let applied = try await RunningCommand(["apply", later.path, "--database", url]).ending()
                    #expect(applied.status == 0, "\(applied.errors)")
                }
                let served = try await Self.ask("/readyz", at: nodes[0], within: .seconds(10)) { $0.contains(#""configuration":2"#) }
                #expect(served.contains(#""configuration":2"#), "\(served)")

                let both = try await RunningCommand(["versions", "--database", url, "--data", "somewhere"]).ending()
                #expect(both.status != 0 && both.errors.contains("Use one of them"), "\(both.errors)")
            }
        }

        @Test(
            "A database that does not suit is refused, with the line that mends it",
            arguments: [
                ("ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8' ICU_LOCALE 'en' LOCALE_PROVIDER icu", "CREATE DATABASE"),
                ("ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'", "CREATE DATABASE"),
            ])
        func unsuitable(options: String, remedy: String) async throws {
            try await PostgresServer.with(settings: []) { server in
                let url = try await server.database(options)
                let ending = try await RunningCommand(["serve", "--port", "0", "--database", url, "--config", RunningCommand.example])
                    .ending(within: .seconds(60))

                #expect(ending.status == 1)
                #expect(ending.errors.contains("does not suit") && ending.errors.contains(remedy), "\(ending.errors)")
            }
        }

        @Test("A replica that is none ends the start, which says what to name instead")
        func replica() async throws {
            try await PostgresServer.with(settings: []) { server in
                let url = try await server.database(), other = try await server.database()
                for (options, words) in [
                    (["--database", url, "--replica", other], "primary itself"), (["--replica", url], "--replica is for a store in PostgreSQL"),
                ] {
                    let ending = try await RunningCommand(["serve", "--port", "0", "--config", RunningCommand.example] + options)
                        .ending(within: .seconds(60))

                    #expect(ending.status != 0 && ending.errors.contains(words), "\(ending.errors)")
                }
            }
        }
    }
}

extension PostgresServer {
    /// Of a test's database.
    private func change(_ url: String, _ text: String) async throws {
        let name = try #require(url.firstMatch(of: /\/\/\/(\w+)/)?.output.1)
        _ = try await psql("\\c \(name)\n\(text);\n")
    }

    func addLivingNode(_ url: String) async throws { try await change(url, Self.livingNode) }

    func removeLivingNode(_ url: String) async throws { try await change(url, "DELETE FROM node WHERE name = 'living'") }
}
