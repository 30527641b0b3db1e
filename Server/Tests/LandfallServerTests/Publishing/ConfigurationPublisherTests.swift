// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Logging
import NIOCore
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("A new version of the configuration", .timeLimit(.minutes(1)))
struct ConfigurationPublisherTests {
    /// `home` waits for Apple, `settings` shows the same paywall to all installs.
    static func yaml(home: String = "special", settings: String = "default", more: String = "") -> String {
        """
        app: { id: sample, bundleId: com.example.sample }
        keys: [{ sdk: pk_test }]
        domains: { brand: [{ host: go.example }], universal: [app.example] }
        links: [{ url: https://go.example/\(settings), to: https://app.example/ }]
        paywalls:
          default: { products: [yearly] }
          special: { products: [monthly] }
          other: { products: [weekly] }
        audiences: { apple: { attribution.source: { is: apple_search_ads } } }
        placements:
          home: [{ audience: apple, paywall: special }, { audience: everyone, paywall: \(home) }]
          settings: [{ audience: everyone, paywall: \(settings) }]
        \(more)
        """
    }

    /// A node that has published this text as version 1, and the part that publishes further versions.
    private func run(
        isShared: Bool = false, environment: [String: String] = [:],
        _ body: @Sendable (TestServer, Publisher) async throws -> Void
    ) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        let configuration = try Configuration(yaml: Self.yaml())
        try await TestServer.run(configuration: configuration, revision: 1, isShared: isShared) { server in
            let store = ConfigurationStore(server.services.database)
            _ = try await store.publish(Self.yaml(), nowMs: 0)
            var services = server.services
            services.secrets = SecretEnvironment(value: { environment[$0] })
            let publishing = ConfigurationPublisher(
                services.publishing, database: services.database, file: file.path, news: services.versionNews, logger: .silent)
            try await body(server, Publisher(file: file, store: store, publishing: publishing))
        }
    }

    @Test("answers the next request: paywalls, keys and links")
    func served() async throws {
        try await run { server, publisher in
            let paths = ["/v1/placements/settings/paywall", "/v1/placements/settings/paywall?audience=default"]
            for path in paths { #expect(try await server.paywall(path) == "default, 1") }
            #expect(try await links(server) == ["default"])

            try await publisher.publish(Self.yaml(settings: "other").replacing("pk_test", with: "pk_new"))

            for path in paths {
                #expect(try await server.send(.get, path).status == .unauthorized)
                #expect(try await server.paywall(path, key: "pk_new") == "other, 2")
            }
            #expect(try await links(server) == ["other"])
            #expect(String(buffer: try await server.send(.get, "/readyz").body) == "ok\nconfiguration 2\n")
        }
    }

    @Test("that is invalid, cannot be read or is for another app changes nothing, and is counted")
    func refused() async throws {
        try await run { server, publisher in
            for text in ["placements: {}\n", Self.yaml().replacing("id: sample", with: "id: another")] {
                try await publisher.publish(text)
            }
            try FileManager.default.removeItem(at: publisher.file)
            await publisher.publishing.publishFile()

            #expect(try await publisher.store.newest()?.number == 1)
            #expect(try await server.paywall("/v1/placements/settings/paywall") == "default, 1")
            #expect(server.metrics.contains("landfall_configuration_publications_total{outcome=\"refused\"} 3\n"))
            #expect(server.metrics.contains("landfall_configuration_behind 0\n"))
            #expect(server.metrics.contains("landfall_configuration_file_refused 1\n"))
            #expect(server.services.configuration.fileRefusal?.contains("cannot be read") == true)

            try await publisher.publish(Self.yaml())
            #expect(server.metrics.contains("landfall_configuration_file_refused 0\n"))
        }
    }

    @Test("of a file is reported to the command that reloads: published, refused with the place, or not used because another version was published")
    func reloaded() async throws {
        try await run { server, publisher in
            let router = Routes.commandRouter(server.services, reloading: publisher.publishing)
            try await Application(router: router).test(.router) { client in
                func reload(_ text: String) async throws -> (status: Int, body: String) {
                    try Data(text.utf8).write(to: publisher.file)
                    return try await client.execute(uri: ReloadRoutes.path, method: .post) { (Int($0.status.code), String(buffer: $0.body)) }
                }

                let good = try await reload(Self.yaml(settings: "other"))
                #expect(good.status == 200 && good.body.contains(#""version":2"#), "\(good)")
                let bad = try await reload("placements: {}\n")
                #expect(bad.status == 400 && bad.body.contains("configuration_invalid") && bad.body.contains(":1:"), "\(bad)")
                let draft = ConfigurationStore.Draft(text: Self.yaml(home: "other"))
                _ = try await publisher.store.publish(draft, after: 2, nowMs: 5)
                let late = try await reload(Self.yaml(settings: "special"))
                #expect(late.status == 409 && late.body.contains("configuration_stale"), "\(late)")
            }
            #expect(try await server.send(.post, ReloadRoutes.path, phone: nil, key: nil).status == .notFound)
        }
    }

    @Test("of a file that another node has replaced is not published by a reload, unless the file has changed while the node ran", arguments: [true, false])
    func replaced(isShared: Bool) async throws {
        try await run(isShared: isShared) { server, publisher in
            let file = Self.yaml(settings: "other")
            try await publisher.publish(file)
            // Of another node.
            _ = try await publisher.store.publishFile(Self.yaml(home: "other"), nowMs: 1)

            try await publisher.publish(file)
            #expect(try await publisher.store.newest()?.number == (isShared ? 3 : 4))
            try Data((file + "# changed\n").utf8).write(to: publisher.file)
            await publisher.publishing.publishFile()
            try await publisher.publish(file)

            #expect(try await publisher.store.newest()?.number == (isShared ? 5 : 6))
            #expect(try await publisher.store.newest()?.text == file)
        }
    }

    @Test("that equals the served version is not stored again")
    func unchanged() async throws {
        try await run { server, publisher in
            try await publisher.publish(Self.yaml())

            #expect(try await publisher.store.newest()?.number == 1)
            #expect(server.metrics.contains("landfall_configuration_publications_total{outcome=\"unchanged\"} 1\n"))
            #expect(try await server.actions() == [])
        }
    }

    @Test("of a file has its line in the audit log")
    func audited() async throws {
        try await run { server, publisher in
            for _ in 0..<2 { try await publisher.publish(Self.yaml(settings: "other")) }

            let lines = try await server.audit.page(before: nil).map(\.entry)
            #expect(lines.map(\.action) == ["version_published"])
            #expect(lines.first?.member == "landfall serve" && lines.first?.subject == "2")
        }
    }

    @Test("neither ends nor wakes a stream that it does not concern")
    func unconcerned() async throws {
        try await run { server, publisher in
            async let lines = server.firstOpen(Self.open("home"))
            await server.clock.waitForSleeper()
            let database = try #require(server.services.database as? RecordingDatabase)
            func reads() -> Int { database.recorded.count { $0.statement.text.contains("FROM install") } }
            let before = reads()
            try await publisher.publish(Self.yaml(settings: "other"))
            server.clock.advance(by: .seconds(3))

            #expect(try await lines.told == ["home: special, 1"])
            #expect(try await lines.last == .end(.holdOver))
            #expect(reads() == before)
        }
    }

    @Test("reaches a stream that it concerns; the stream continues, and a final paywall stays final")
    func concerned() async throws {
        try await run { server, publisher in
            async let lines = server.firstOpen(Self.open("home", "settings"))
            await server.clock.waitForSleeper()
            try await publisher.publish(Self.yaml(home: "other", settings: "other"))
            server.clock.advance(by: .seconds(3))

            // The stream may look before the end of the hold, or at its end, when it no longer waits for anything.
            let told = try await lines.told
            #expect(told.dropLast() == ["home: special, 1", "settings: default, 1 final"])
            #expect(["home: other, 2", "home: other, 2 final"].contains(told.last))
        }
    }

    @Test("that removes the reason for waiting ends the stream or the wait")
    func ends() async throws {
        try await run { server, publisher in
            async let lines = server.firstOpen(Self.open("home"))
            await server.clock.waitForSleeper()
            async let wait = server.send(.get, "/v1/placements/home/paywall?wait=30000")
            await server.clock.waitForSleepers(2)
            try await publisher.publish(
                Self.yaml().replacing("{ audience: apple, paywall: special }, ", with: ""))

            #expect(try await lines.told == ["home: special, 1", "home: special, 2 final"])
            #expect(try await lines.last == .end(.final))
            #expect(try await wait.decoded(PaywallAnswer.self).revision == 2)
        }
    }

    @Test("without a stream's placement keeps the last paywall of the stream, and ends the stream")
    func removed() async throws {
        try await run { server, publisher in
            async let lines = server.firstOpen(Self.open("home"))
            await server.clock.waitForSleeper()
            let text = Self.yaml().split(separator: "\n").filter { !$0.hasPrefix("  home:") }.joined(separator: "\n")
            try await publisher.publish(text)

            #expect(try await lines.told == ["home: special, 1", "home: special, 1 final"])
            #expect(try await lines.last == .end(.final))
        }
    }

    @Test("of another process is served as soon as it is told, if the store is shared")
    func shared() async throws {
        try await run(isShared: true) { server, publisher in
            let watching = Task { try await publisher.publishing.run() }
            defer { watching.cancel() }
            _ = try await publisher.store.publish(Self.yaml(settings: "other"), nowMs: 1)

            while server.services.configuration.snapshot.revision < 2 { await Task.yield() }

            #expect(try await server.paywall("/v1/placements/settings/paywall") == "other, 2")
        }
    }

    @Test("that cannot be built here makes the node report that it is behind, until a version arrives that can be built")
    func behind() async throws {
        try await run { server, publisher in
            let unbuilt = Self.yaml().replacing("[{ sdk: pk_test }]", with: "[{ sdk: pk_test }, { serverFrom: LANDFALL_ABSENT }]")
            _ = try await publisher.store.publish(unbuilt, nowMs: 1)
            await publisher.publishing.look()
            await publisher.publishing.look()

            #expect(try await server.paywall("/v1/placements/settings/paywall") == "default, 1")
            #expect(server.metrics.contains("landfall_configuration_behind 1\n"))
            #expect(server.metrics.contains("landfall_configuration_publications_total{outcome=\"refused\"} 1\n"))
            #expect(String(buffer: try await server.send(.get, "/readyz").body) == "ok\nconfiguration 1, behind 2\n")

            _ = try await publisher.store.publish(Self.yaml(settings: "other"), nowMs: 2)
            await publisher.publishing.look()

            #expect(try await server.paywall("/v1/placements/settings/paywall") == "other, 3")
            #expect(server.metrics.contains("landfall_configuration_behind 0\n"))
        }
    }

    /// Which of the two links lead somewhere.
    private func links(_ server: TestServer) async throws -> [String] {
        var found: [String] = []
        for name in ["default", "other"] {
            let answer = try await Browser.onDesktop.open("https://go.example/\(name)", in: server)
            if answer.status != 404 { found.append(name) }
        }
        return found
    }

    private static func open(_ placements: String...) -> String {
        let wanted = placements.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        return #"{"adToken":"coming","holdMilliseconds":3000,"placements":[\#(wanted)]}"#
    }
}

private struct Publisher: Sendable {
    let file: URL
    let store: ConfigurationStore
    let publishing: ConfigurationPublisher

    func publish(_ text: String) async throws {
        try Data(text.utf8).write(to: file)
        await publishing.publishFile()
    }
}

extension TestServer {
    fileprivate var metrics: String {
        services.nodeTelemetry(StoreWatch(services.database, time: services.time, logger: .silent)).report()
        return services.metrics.text()
    }

    fileprivate func paywall(_ path: String, key: String = "pk_test") async throws -> String {
        let answer: PaywallAnswer = try await send(.get, path, key: key).decoded()
        return "\(answer.paywall?.name.rawValue ?? "nothing"), \(answer.revision)"
    }
}

extension [FirstOpenLine] {
    fileprivate var told: [String] {
        compactMap {
            guard case .paywall(let answer) = $0 else { return nil }
            return "\(answer.placement.rawValue): \(answer.paywall?.name.rawValue ?? "nothing"), \(answer.revision)" + (answer.final ? " final" : "")
        }
    }
}
