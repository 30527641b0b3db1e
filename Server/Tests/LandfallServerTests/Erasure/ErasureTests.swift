// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Logging
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("An erased person", .timeLimit(.minutes(1)))
struct ErasureTests {
    private static let maya = ErasedPerson("maya", 1), omar = ErasedPerson("omar", 11)

    enum Way: CaseIterable { case profile, customer, me, installs }

    @Test("leaves no trace in any column of any table, in each way to ask for it, and others lose nothing", arguments: Way.allCases)
    func traces(way: Way) async throws {
        try await TestServer.runErasing(withExperiment: true) { server in
            for person in [Self.maya, Self.omar] { try await person.live(on: server) }
            // Maya last: what she did then waits to be counted.
            for person in [Self.omar, Self.maya] { try await person.comeBack(to: server) }
            let profile = try await Self.maya.profile(on: server)
            let before = try await StoredCells(server.services.database)
            let traces = before.places(of: Self.maya.traces + Self.maya.purchases)
            let ofPeople = try await server.services.database.read { try StoredCells.tablesOfPeople($0) }
            #expect(Set(ErasureTables.all).isSubset(of: ofPeople))
            #expect(Set(traces.map(\.table)).isSuperset(of: ofPeople + ["report_dirty"]))
            #expect(traces.contains { $0.table == "event" && $0.column == "kept" })
            #expect(traces.contains { $0.table == "report_day" }, "The version of her app is in her own words.")
            #expect(before.cells.contains { $0.table == "experiment_unit" && $0.text == "summer-price" })
            let clicks = before.cells.filter { $0.table == "click" }

            switch way {
            case .profile: _ = try await server.erase(#"{"profileId":"\#(profile)"}"#)
            case .customer: _ = try await server.erase(#"{"customerId":"maya"}"#)
            case .me:
                let answer = try await server.send(.delete, WirePath.profile, phone: Self.maya.phones[1])
                #expect(try answer.decoded(ErasureAnswer.self).installs == 2)
            case .installs:
                for phone in Self.maya.phones { _ = try await server.erase(#"{"installId":"\#(phone.id)"}"#) }
            }

            // The days that counted her by her own words are counted again.
            while try await server.services.rollups.step() {}
            let after = try await StoredCells(server.services.database)
            #expect(after.places(of: Self.maya.traces + Self.maya.purchases + [profile.rawValue]) == [])
            // Days that were counted again are other texts.
            func kept(_ cells: StoredCells) -> [StoredCells.Cell] { cells.places(of: Self.omar.traces + Self.omar.purchases).filter { !$0.table.hasPrefix("report_") } }
            #expect(kept(after) == kept(before))
            #expect(after.places(of: Self.omar.traces).contains { $0.table == "report_day" })
            #expect(after.cells.filter { $0.table == "click" } == clicks)
            // They stay counted.
            #expect(after.cells.filter { $0.table == "install_kept" && $0.column == "installs" }.compactMap { Int($0.text) }.reduce(0, +) == 2)
            #expect(after.cells.filter { $0.table == "job" && $0.column == "kind" }.allSatisfy { $0.text != "erasure" })
        }
    }

    @Test("is counted in the answer; a repeated call answers with zeros")
    func counts() async throws {
        try await TestServer.runErasing { server in
            try await Self.maya.live(on: server)
            let profile = try await Self.maya.profile(on: server)

            let first = try await server.erase(#"{"profileId":"\#(profile)"}"#)
            let second = try await server.erase(#"{"profileId":"\#(profile)"}"#)

            #expect((first.installs, first.rows["event"], first.rows["install"]) == (2, 4, 2))
            #expect(first.profiles > 0 && first.isGoingOn == nil)
            #expect((second.profiles, second.installs, second.rows.values.reduce(0, +)) == (0, 0, 0))
            #expect(second.rows["event"] == 0)
        }
    }

    @Test("loses only one phone, if only that is to be erased")
    func oneInstall() async throws {
        try await TestServer.runErasing { server in
            try await Self.maya.live(on: server)
            let profile = try await Self.maya.profile(on: server)

            let answer = try await server.erase(#"{"installId":"\#(Self.maya.phones[0].id)"}"#)

            let cells = try await StoredCells(server.services.database)
            #expect(answer.installs == 1)
            #expect(cells.places(of: [Self.maya.phones[0].id]).filter { $0.text != profile.rawValue } == [])
            let other = try await server.send(.get, WirePath.profile, phone: Self.maya.phones[1])
            #expect(try other.decoded(ProfileAnswer.self).profile.id == profile)
        }
    }

    @Test("loses the events that another install sent while it showed the profile")
    func formerInstall() async throws {
        try await TestServer.runErasing { server in
            let phone = Phone()
            _ = try await server.firstOpen("{}", phone: phone)
            _ = try await server.send(.post, WirePath.events, Self.maya.events(1), phone: phone)
            let profile = ProfileID.first(of: InstallID(phone.id))
            _ = try await server.send(.post, WirePath.logout, #"{"key":"out"}"#, phone: phone)
            _ = try await server.send(.post, WirePath.events, Self.maya.events(2), phone: phone)

            let answer = try await server.erase(#"{"profileId":"\#(profile)"}"#)

            #expect((answer.installs, answer.rows["event"]) == (0, 1))
            #expect(try await server.send(.get, WirePath.profile, phone: phone).status == .ok)
        }
    }

    @Test("gets 'erased' on every route, and a new install works", arguments: APICall.needingProfile)
    func gone(call: APICall) async throws {
        try await TestServer.runErasing { server in
            _ = try await server.firstOpen("{}")
            _ = try await server.send(.delete, WirePath.profile)
            guard call.method != .delete else { return }

            let response = try await server.send(call.method, call.path, call.body)

            #expect(response.status == .gone)
            #expect(response.problem?.code == .profileErased)
            #expect(try await server.send(call.method, call.path, call.body, phone: Phone(2)).status == .ok)
        }
    }

    @Test("ends every answer that is held for the person", arguments: ["/v1/profiles/me?after=100&wait=30000"])
    func held(path: String) async throws {
        try await TestServer.runErasing { server in
            _ = try await server.firstOpen("{}")
            async let held = server.send(.get, path)
            await server.clock.waitForSleeper()

            _ = try await server.send(.delete, WirePath.profile)

            #expect(try await held.problem?.code == .profileErased)
            #expect(server.services.holds.count == 0)
        }
    }

    @Test("is erased although the server does not know the install yet: a first open that arrives later is refused")
    func beforeItsFirstOpen() async throws {
        try await TestServer.runErasing { server in
            let phone = Self.maya.phones[0]

            let first = try await server.send(.delete, WirePath.profile, phone: phone)
            let second = try await server.send(.delete, WirePath.profile, phone: phone)
            let late = try await server.send(.post, WirePath.firstOpen, #"{"adToken":{"none":"noToken"}}"#, phone: phone)

            for answer in [first, second] {
                let answer = try answer.decoded(ErasureAnswer.self)
                #expect((answer.profiles, answer.installs, answer.rows.values.reduce(0, +)) == (0, 0, 0))
            }
            #expect(late.status == .gone)
            #expect(late.problem?.code == .profileErased)
            #expect(try await StoredCells(server.services.database).cells.allSatisfy { $0.table != "install" })
            // Who knows only the id has forgotten nobody.
            _ = try await server.send(.delete, WirePath.profile, phone: Phone(99, secret: 8))
            #expect(try await server.send(.get, WirePath.profile, phone: Phone(99)).status == .ok)
        }
    }

    @Test("cannot be erased with the id alone")
    func impostor() async throws {
        try await TestServer.runErasing { server in
            _ = try await server.firstOpen("{}")

            let impostor = try await server.send(.delete, WirePath.profile, phone: Phone(secret: 8))
            let stranger = try await server.send(.delete, WirePath.profile, phone: Phone(2))

            #expect(impostor.problem?.code == .profileMismatch)
            #expect(try stranger.decoded(ErasureAnswer.self).installs == 0)
            #expect(try await server.send(.get, WirePath.profile).status == .ok)
        }
    }

    @Test(
        "is named by one id, and the key needs the scope to erase",
        arguments: [
            ("{}", .badRequest), (#"{"profileId":"a","installId":"b"}"#, .badRequest), (#"{"customerId":""}"#, .badRequest),
            (#"{"profileId":7}"#, .badRequest), (#"{"customerId":"nobody"}"#, .ok),
        ] as [(String, HTTPResponse.Status)])
    func orders(body: String, status: HTTPResponse.Status) async throws {
        try await TestServer.runErasing { server in
            let answer = try await server.send(.post, ErasureRoutes.path, body, phone: nil, key: TestServer.eraseKey)
            let withSDKKey = try await server.send(.post, ErasureRoutes.path, body, phone: nil)

            #expect(answer.status == status)
            #expect(try await server.actions() == [], "Nobody was forgotten.")
            #expect(withSDKKey.problem?.code == .invalidKey)
        }
    }

    @Test("has a line in the audit log that says of how many installs, however they are named, and only once")
    func audited() async throws {
        try await TestServer.runErasing { server in
            let people = [ErasedPerson("maya", 1), ErasedPerson("omar", 11), ErasedPerson("zoe", 21)]
            for person in people { try await person.live(on: server) }
            let profile = try await people[0].profile(on: server)
            let orders = [#"{"profileId":"\#(profile)"}"#, #"{"customerId":"omar"}"#, #"{"installId":"\#(people[2].phones[0].id)"}"#]

            for order in orders + orders { _ = try await server.erase(order) }

            let lines = try await server.audit.page(before: nil).map(\.entry).filter { $0.action == "person_forgotten" }
            #expect(lines.count == 3)
            #expect(lines.map(\.subject).sorted() == ["installs: 1", "installs: 2", "installs: 2"])
            #expect(lines.allSatisfy { $0.member?.hasPrefix("key ") == true })
        }
    }

    @Test("is not erased by a key with other scopes")
    func scope() async throws {
        var configuration = Configuration.sample()
        configuration.serverKeys = [ServerKey(TestServer.eraseKey, scopes: [.links, .reports])!]
        try await TestServer.run(configuration: configuration) { server in
            let order = #"{"customerId":"nobody"}"#
            let answer = try await server.send(.post, ErasureRoutes.path, order, phone: nil, key: TestServer.eraseKey)

            #expect(answer.problem?.code == .scopeMissing)
        }
    }

    @Test("with many rows is deleted in batches, and all rows are counted")
    func many() async throws {
        try await TestServer.runErasing { server in
            _ = try await server.firstOpen("{}")
            for number in 1...3 {
                _ = try await server.send(.post, WirePath.events, Self.maya.events(number, count: 400))
            }

            let answer = try await server.erase(#"{"installId":"\#(Phone().id)"}"#)

            #expect((answer.rows["event"], answer.rows["event_key"]) == (1_200, 1_200))
        }
    }

    @Test("is erased completely by a job, if the call or the node was interrupted")
    func cutShort() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone)
        let events = (0..<500).map { _ in Event(id: UUIDv7.make(nowMs: 1), type: .paywallShown, ageMilliseconds: 0) }
        _ = try await store.events.record(EventBatch(events: events), TestStore.app, .mayasPhone, nowMs: TestStore.noon)
        let clock = ManualClock()
        let time = ServerTime(nowMs: { TestStore.noon }, sleep: { _ in throw CancellationError() })
        let erasing = Eraser(database: store.database, app: TestStore.app, time: time, counts: RollupErasure())
        let profile = ProfileID.first(of: Credential.mayasPhone.installID)
        try await store.database.write(.bulk, locking: ErasureSubject.profile(profile).locks(in: TestStore.app)) { connection in
            var unit = ErasureUnit(app: TestStore.app, nowMs: TestStore.noon, reportStamp: 1, counts: RollupErasure(), connection: connection)
            _ = try unit.step(.profile(profile))
            for found in unit.found {
                let name = JobName(app: TestStore.app, kind: .erasure, key: found.key)
                try connection.run(name.insertion(dueAtMs: clock.serverTime.nowMs()))
            }
        }
        #expect(try await store.count(of: "event") == 500)

        let runner = JobRunner(
            JobQueue(database: store.database), [erasing.work], time: clock.serverTime,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, metrics: PrometheusRegistry())
        let running = Task { try await runner.run() }
        defer { running.cancel() }
        while try await store.count(of: "job") > 0 {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }

        #expect(try await store.count(of: "event") == 0)
    }

    @Test("is found by indexes: no other person's rows are read", .sqlitePlans, arguments: (ErasureTables.ofInstall + ErasureTables.webhooksOfProfile).map(\.text) + [
        ErasureTables.left.text, ErasureTables.formerEventsText, ErasureTables.installsText, ErasureTables.customersText,
        ErasureTables.formerText, ErasureTables.wasShownText, ErasureTables.reinstallsText, ErasureTables.releaseText,
        ErasureTables.chainsText, ErasureTables.broughtText, ErasureTables.originText, ErasureTables.chargesText, ErasureTables.facts.text,
    ])
    func plan(text: String) async throws {
        let store = try await TestStore()

        let plan = try await store.database.read { connection in
            try connection.rows("EXPLAIN QUERY PLAN " + text, Array(repeating: .integer(1), count: 4))
                .map { try $0.text("detail") }
        }

        let searches = plan.filter { $0.hasPrefix("SEARCH") }
        #expect(!searches.isEmpty, "\(plan)")
        // By the app alone would be by nothing.
        #expect(searches.allSatisfy { $0.contains(" USING ") && $0.contains(" AND ") }, "\(plan)")
        #expect(plan.allSatisfy { !$0.hasPrefix("SCAN") }, "\(plan)")
    }
}
