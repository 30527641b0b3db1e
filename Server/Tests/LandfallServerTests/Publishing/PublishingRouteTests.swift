// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import NIOCore
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("Publishing a configuration over the API", .timeLimit(.minutes(1)))
struct PublishingRouteTests {
    @Test("answers with the changes, and the new version answers the next request")
    func publishes() async throws {
        try await PublishingServer.run { publisher in
            let text = PublishingServer.yaml("special", title: "Open")
            let answer = try await publisher.publish(text, base: 1, message: "Frühling für alle").answer

            #expect(answer.base == 1)
            #expect(answer.version == 2)
            #expect(answer.changes.map(\.sentence) == [
                "paywall default: remote config en.title changes from \"Unlock\" to \"Open\"",
                "placement home: everyone now sees paywall special instead of paywall default",
            ])
            #expect(answer.changes.map(\.path) == ["paywalls.default.remoteConfig.en.title", "placements.home.everyone.paywall"])
            #expect(try await publisher.shown() == "special, 2")
            let entry = try #require(try await publisher.versions().first)
            #expect(entry.version == 2)
            #expect(entry.author == "key LANDFALL_CI_KEY")
            #expect(entry.message == "Frühling für alle")
            #expect(entry.hash == ConfigurationStore.hash(of: text))
            let line = try #require(try await publisher.server.audit.page(before: nil).first?.entry)
            #expect(line.action == "version_published" && line.member == "key LANDFALL_CI_KEY")
            #expect(line.subject == "2: Frühling für alle")
        }
    }

    @Test(
        "writes no line under the name of a member, of a key or of the server itself, whatever name an operator gives",
        arguments: [
            ("root", "root"), ("_www", "_www"), (nil, "operator"), ("maya@example.com", "operator maya@example.com"),
            ("key LANDFALL_CI_KEY", "operator key LANDFALL_CI_KEY"), ("landfall serve", "operator landfall serve"),
            ("maya\u{FF20}example.com", "operator maya\u{FF20}example.com"),
        ] as [(String?, String)])
    func operatorsName(given: String?, written: String) async throws {
        try await PublishingServer.run { publisher in
            try await Application(router: Routes.commandRouter(publisher.server.services)).test(.router) { client in
                var fields: HTTPFields = [:]
                fields[.landfallAuthor] = given
                let answer = try await client.execute(
                    uri: PublishingRoutes.path, method: .post, headers: fields, body: ByteBuffer(string: PublishingServer.yaml("special"))
                ) { $0 }
                #expect(answer.status == .ok)
            }

            #expect(try await publisher.versions().first?.author == written)
            #expect(try await publisher.server.audit.page(before: nil).map(\.entry.member) == [written])
        }
    }

    @Test("answers with the same changes in a dry run, and publishes nothing", arguments: ["?dryRun=true", "?dryRun=1&atMilliseconds="])
    func dryRun(query: String) async throws {
        try await PublishingServer.run { publisher in
            let answer = try await publisher.publish(PublishingServer.yaml("special"), query).answer

            #expect(answer.version == nil)
            #expect(answer.changes.count == 1)
            #expect(try await publisher.shown() == "default, 1")
            #expect(try await publisher.versions().count == 1)
            #expect(try await publisher.server.actions() == [])
        }
    }

    @Test("says how many stored installs lack a value that a negative comparison reads", arguments: ["", "?dryRun=true"])
    func lacking(query: String) async throws {
        try await PublishingServer.run { publisher in
            let text = PublishingServer.yaml("special").replacing("spring: { country: { is: DE } }", with: "spring: { country: { isNot: DE } }")
            let none = try await publisher.publish(text, "?dryRun=true").answer
            for (number, locale) in ["de-DE", "fr-FR", "fr", "en", ""].enumerated() {
                let device = locale.isEmpty ? "{}" : #"{"locale":"\#(locale)"}"#
                _ = try await publisher.server.firstOpen(#"{"device":\#(device)}"#, phone: Phone(number, secret: UInt8(number)))
            }

            let few = try await publisher.publish(text, "?dryRun=true").answer
            let answer = try await publisher.publish(text, query, key: PublishingServer.fullKey).answer

            #expect(few.warnings.map(\.lacking) == [nil] && few.warnings[0].message.contains("fewer than 10"), "This key may not see people.")
            let warning = try #require(answer.warnings.first)
            #expect(answer.warnings.count == 1 && warning.path == "audiences.spring.country.isNot")
            #expect(warning.lacking == ConfigurationRemark.Lacking(attribute: "country", installs: 3, sampled: 5))
            #expect(warning.message.hasSuffix(" It is missing in 3 of 5 sampled installs."))
            #expect(none.warnings.map(\.lacking) == [nil], "Nobody could be looked at.")
        }
    }

    @Test("refuses a stale base with both sides, and publishes nothing")
    func stale() async throws {
        try await PublishingServer.run { publisher in
            _ = try await publisher.publish(PublishingServer.yaml(title: "Open"), base: 1)

            let response = try await publisher.publish(PublishingServer.yaml("special"), base: 1)

            #expect(response.status == .conflict)
            #expect(response.problem?.code == .configurationStale)
            let object = try response.object
            #expect(object["base"] == 1)
            #expect(object["newest"] == 2)
            #expect(object["changes"]?[0]?["path"] == "paywalls.default.remoteConfig.en.title")
            #expect(object["proposed"]?[0]?["path"] == "placements.home.everyone.paywall")
            #expect(try await publisher.shown() == "default, 2")
        }
    }

    @Test("refuses an invalid base, and a base that does not exist", arguments: [("x", 400), ("\"-1\"", 400), ("\"9\"", 404), ("W/\"1\"", 400)])
    func bases(field: String, status: Int) async throws {
        try await PublishingServer.run { publisher in
            let response = try await publisher.send(.post, "", PublishingServer.yaml("special"), fields: [.ifMatch: field])

            #expect(Int(response.status.code) == status)
            #expect(response.problem != nil)
        }
    }

    @Test("lists every problem of a file that cannot be served, with line, column and path")
    func invalid() async throws {
        try await PublishingServer.run { publisher in
            let response = try await publisher.publish(PublishingServer.yaml("absent", more: "nonsense: 1"))

            #expect(response.status == .badRequest)
            #expect(response.problem?.code == .configurationInvalid)
            let problems = try response.object["problems"]?.array ?? []
            #expect(problems.map { $0["path"] } == ["placements.home[1].paywall", "nonsense"])
            #expect(problems.allSatisfy { $0["line"] != nil && $0["column"] != nil && $0["message"] != nil })
            #expect(try await publisher.shown() == "default, 1")
        }
    }

    @Test("refuses a file for another app, bytes that are not text, and a file that is too large")
    func refused() async throws {
        try await PublishingServer.run { publisher in
            let other = try await publisher.publish(PublishingServer.yaml().replacing("id: sample", with: "id: other"))
            let large = try await publisher.publish(String(repeating: "#", count: ConfigurationText.largest + 1))
            let empty = try await publisher.publish("")

            #expect(other.problem?.code == .configurationInvalid)
            #expect(try other.object["problems"]?[0]?["path"] == "app.id")
            #expect(large.problem?.code == .bodyTooLarge)
            #expect(empty.problem?.code == .configurationInvalid)
        }
    }

    @Test(
        "by a server key never changes protected sections, and a dry run says so",
        arguments: [
            "retention: { clickDays: 30 }", "appleAds: { enabled: false }", "domains: { universal: [example.com] }",
            "identity: { keys: [{ algorithm: HS256, secretFrom: LANDFALL_CI_KEY }] }",
        ])
    func protected(more: String) async throws {
        try await PublishingServer.run { publisher in
            let text = PublishingServer.yaml("special", more: more)
            let response = try await publisher.publish(text)
            let dry = try await publisher.publish(text, "?dryRun=true").answer

            #expect(response.status == .forbidden)
            #expect(response.problem?.code == .configurationProtected)
            #expect(dry.warnings.first?.message.hasPrefix("It would not be published. A server key may not change") == true)
            #expect(try await publisher.shown() == "default, 1")
        }
    }

    @Test("by a server key adds no second entry to its keys, by whatever name, and schedules none", arguments: ["", "?atMilliseconds=4000000000000"])
    func secondEntry(query: String) async throws {
        try await PublishingServer.run { publisher in
            for (line, code) in [
                ("  - { serverFrom: LANDFALL_CI_KEY, may: [reports, erase] }\n", ErrorCode.configurationInvalid),
                ("  - { serverFrom: LANDFALL_THIRD_KEY, may: [reports, erase] }\n", .configurationProtected),
            ] {
                let text = PublishingServer.yaml("special").replacing("paywalls:\n", with: line + "paywalls:\n")
                let response = try await publisher.publish(text, query)

                #expect(response.problem?.code == code)
            }
            #expect(try await publisher.shown() == "default, 1")
            #expect(try await publisher.server.services.publishing.schedule.list().isEmpty)
        }
    }

    @Test("needs the scope", arguments: ["", "/versions", "/versions/1"])
    func scope(path: String) async throws {
        try await PublishingServer.run { publisher in
            for (key, code) in [(PublishingServer.weakKey, ErrorCode.scopeMissing), ("pk_test", .invalidKey), (nil, .invalidKey)] {
                #expect(try await publisher.send(.get, path, key: key).problem?.code == code)
            }
            let post = try await publisher.send(.post, "", PublishingServer.yaml("special"), key: PublishingServer.weakKey)
            #expect(post.problem?.code == .scopeMissing)
        }
    }

    @Test("of exactly the served file makes no version; other comments make a version without changes")
    func unchanged() async throws {
        try await PublishingServer.run { publisher in
            let same = try await publisher.publish(PublishingServer.yaml()).answer
            let back = try await publisher.send(.post, "/rollback", #"{"version":1}"#).answer
            #expect(try await publisher.server.actions() == [], "Nothing was published.")
            let commented = try await publisher.publish(PublishingServer.yaml() + "# new\n").answer

            #expect(same.version == 1)
            #expect(back.version == 1)
            #expect(commented.version == 2)
            #expect(commented.changes.isEmpty)
            #expect(try await publisher.server.actions() == ["version_published"])
        }
    }

    @Test("and exporting gives the same bytes, and applying these bytes changes nothing")
    func roundTrip() async throws {
        try await PublishingServer.run { publisher in
            let text = PublishingServer.yaml("special", title: "'Öffnen'") + "# a comment\n"
            _ = try await publisher.publish(text)

            let newest = try await publisher.send(.get, ""), second = try await publisher.send(.get, "/versions/2")

            #expect(String(buffer: newest.body) == text)
            #expect(String(buffer: second.body) == text)
            #expect(newest.headers[.eTag] == "\"2\"")
            let again = try await publisher.publish(String(buffer: newest.body), base: 2).answer
            #expect(again.changes.isEmpty)
            #expect(again.version == 2)
        }
    }

    @Test("goes back to an older version: its file becomes the newest version")
    func rollback() async throws {
        try await PublishingServer.run { publisher in
            _ = try await publisher.publish(PublishingServer.yaml("special"))

            let back = try await publisher.send(.post, "/rollback", #"{"version":1,"message":"too early"}"#).answer
            #expect(try await publisher.server.actions().contains("version_rolled_back"))

            #expect(back.base == 2)
            #expect(back.version == 3)
            #expect(back.changes.map(\.sentence) == ["placement home: everyone now sees paywall default instead of paywall special"])
            #expect(try await publisher.shown() == "default, 3")
            #expect(try await publisher.versions().map(\.message) == ["too early", "", ""])
        }
    }

    @Test(
        "does not go back to a version that does not exist",
        arguments: [#"{"version":9}"#, #"{"version":0}"#, #"{"version":-1}"#, #"{}"#, #"{"version":"1"}"#, "["])
    func noRollback(body: String) async throws {
        try await PublishingServer.run { publisher in
            let response = try await publisher.send(.post, "/rollback", body)

            #expect([400, 404].contains(response.status.code))
            #expect(response.problem != nil)
        }
    }

    @Test("by two callers at the same time makes two versions; with the same base only one caller succeeds")
    func together() async throws {
        try await PublishingServer.run { publisher in
            let free = try await withThrowingTaskGroup(of: Int64?.self) { group in
                for number in 0..<6 {
                    group.addTask { try await publisher.publish(PublishingServer.yaml(title: "T\(number)")).answer.version }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let bound = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<6 {
                    group.addTask { Int(try await publisher.publish(PublishingServer.yaml(title: "B\(number)"), base: 7).status.code) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(free.compactMap(\.self).sorted() == [2, 3, 4, 5, 6, 7])
            #expect(bound.sorted() == [200, 409, 409, 409, 409, 409])
            #expect(try await publisher.shown() == "default, 8")
        }
    }

    @Test("lists versions in pages, newest first")
    func pages() async throws {
        try await PublishingServer.run { publisher in
            for number in 2...5 { _ = try await publisher.publish(PublishingServer.yaml(title: "T\(number)")) }

            #expect(try await publisher.versions().map(\.version) == [5, 4, 3, 2, 1])
            #expect(try await publisher.versions("?limit=2").map(\.version) == [5, 4])
            #expect(try await publisher.versions("?limit=2&before=4").map(\.version) == [3, 2])
            for query in ["?limit=0", "?limit=1001", "?limit=x", "?before=0", "?before=1.5"] {
                #expect(try await publisher.send(.get, "/versions" + query).problem?.code == .invalidValue)
            }
            for number in ["0", "6", "x", "99999999999999999999"] {
                #expect(try await publisher.send(.get, "/versions/" + number).problem?.code == .notFound)
            }
        }
    }

    @Test("is refused on a server that publishes only its own file; a dry run says so")
    func owned() async throws {
        try await PublishingServer.run(owner: .file) { publisher in
            let response = try await publisher.publish(PublishingServer.yaml("special"))
            let rollback = try await publisher.send(.post, "/rollback", #"{"version":1}"#)
            let dry = try await publisher.publish(PublishingServer.yaml("special"), "?dryRun=true").answer

            #expect(response.problem?.code == .configurationOwned)
            #expect(rollback.problem?.code == .configurationOwned)
            #expect(dry.warnings.count == 1)
            #expect(dry.changes.count == 1)
        }
    }

    @Test("refuses a message that is too long or has control characters")
    func messages() async throws {
        try await PublishingServer.run { publisher in
            let long = try await publisher.publish(PublishingServer.yaml("special"), message: String(repeating: "é", count: 501))
            let body = #"{"version":1,"message":"a\nb"}"#
            let control = try await publisher.send(.post, "/rollback", body)

            #expect(long.problem?.code == .invalidValue)
            #expect(control.problem?.code == .invalidValue)
        }
    }
}
