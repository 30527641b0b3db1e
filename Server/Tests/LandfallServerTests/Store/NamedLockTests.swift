// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// The embedded engine has one writer and ignores locks, so these tests look at what units name and count.
@Suite("Units that would meet on an engine with several writers", .timeLimit(.minutes(1)))
struct NamedLockTests {
    private static let app = TestStore.app
    private static let now = TestStore.noon

    private static func line(_ action: AuditAction) -> AuditLine {
        AuditLine(action: action, member: "maya@example.com", subject: "", network: nil)
    }

    @Test("replace the state of the reports' days under the lock that marks of days are made under")
    func rollups() async throws {
        let store = try await TestStore(), log = LockLog(store.database)
        var configuration = Configuration.sample()
        configuration.app = App(id: Self.app, name: "", bundleID: "", teamID: nil, scheme: nil, appStoreID: nil)
        try await store.open(.mayasPhone)
        let work = RollupWork(
            database: log, configuration: LiveConfiguration(Snapshot(configuration, revision: 1)),
            time: ServerTime(nowMs: { Self.now }, sleep: { _ in }))

        while try await work.step() {}

        let units = log.units(changing: "report_state")
        #expect(units.count > 2)
        #expect(units.allSatisfy { $0.locks == [RollupState.lock(Self.app)] })
    }

    @Test("remove a link under the lock of those that change it")
    func links() async throws {
        let store = try await TestStore(), log = LockLog(store.database), links = LinkStore(log)
        let link = StoredLink(host: "go.example.com", path: LinkPath(stored: "/a"), destination: "https://example.com")
        _ = try await links.add([link], to: Self.app, nowMs: Self.now)

        _ = try await links.change([.init(old: link, new: link)], of: Self.app, noting: { _ in Self.line(.linkChanged) }, nowMs: Self.now)
        _ = try await links.remove(Self.app, host: link.host, path: link.path)

        let locks = log.units(changing: "link").suffix(2).map(\.locks)
        #expect(locks.count == 2 && locks[0] == locks[1] && locks[0].count == 1)
    }

    @Test("say nothing about a link that was removed after it was read")
    func removedLink() async throws {
        let store = try await TestStore()
        let link = StoredLink(host: "go.example.com", path: LinkPath(stored: "/a"), destination: "https://example.com")
        _ = try await store.links.add([link], to: Self.app, nowMs: Self.now)
        let overtaken = LinkStore(
            AfterReadDatabase(base: store.database, read: "SELECT destination", statement: Statement("DELETE FROM link")))

        let changed = try await overtaken.change(
            [.init(old: link, new: link)], of: Self.app, noting: { _ in Self.line(.linkChanged) }, nowMs: Self.now)

        #expect(changed == [false])
        #expect(try await store.count(of: "audit_entry") == 0)
    }

    @Test("change members, and let them in, under one lock: no session begins by a password that is being replaced")
    func members() async throws {
        let store = try await TestStore(), log = LockLog(store.database)
        let members = MemberStore(database: log, app: Self.app), sessions = SessionStore(database: log, app: Self.app)
        let invitations = Invitations(database: log, app: Self.app)
        func invite(_ email: String) async throws -> SessionToken {
            let token = SessionToken.drawn()
            let invitation = Invitation(email: MemberEmail(stored: email), role: .viewer, invitedBy: nil, expiresAtMs: Self.now + 1)
            #expect(try await invitations.invite(invitation, token, Self.line(.invited), nowMs: Self.now))
            return token
        }
        let person = JoiningPerson(email: MemberEmail(stored: "omar@example.com"), name: "Omar", password: "p")
        for _ in 0..<2 {
            let token = try await invite("omar@example.com")
            #expect(try await invitations.join(person, by: token, network: nil, nowMs: Self.now) == .joined)
        }
        let owner = Member(
            id: "m", email: MemberEmail(stored: "maya@example.com"), name: "Maya", role: .owner, password: "p", createdAtMs: Self.now)
        try await store.database.write { _ = try $0.run(owner.insertion(into: Self.app)) }
        let omar = try #require(try await members.member(email: person.email))
        _ = try await invite("zoe@example.com")

        #expect(
            try await invitations.cancel(MemberEmail(stored: "zoe@example.com"), to: .viewer, Self.line(.invitationCancelled), nowMs: Self.now))
        #expect(try await sessions.begin(.drawn(), of: omar, from: .init(agent: "", network: nil), nil, nowMs: Self.now))
        #expect(try await members.change(omar, password: "q", Self.line(.passwordChanged), nowMs: Self.now))
        #expect(try await members.change(omar.id, from: .viewer, to: .editor, Self.line(.roleChanged), nowMs: Self.now))
        #expect(try await members.remove(omar.id, as: .editor, Self.line(.memberRemoved), nowMs: Self.now))

        let units = ["member", "console_session", "console_invitation"].map { log.units(changing: $0) }
        #expect(units.map(\.count) == [5, 5, 8])
        #expect(units.joined().allSatisfy { $0.locks.contains(MemberStore.lock) })
    }

    @Test("only add rows for a click that waits by address: clicks of a period do not take turns")
    func addressedClicks() async throws {
        let store = try await TestStore(), log = LockLog(store.database), clicks = SQLClickStore(log), keys = AddressKeys(log)
        let matching = AddressMatching()
        for number in 1...3 {
            let key = try await keys.prepared(nowMs: Self.now)
            let place = try #require(AddressPlace(ClientAddress("192.0.2.\(number)"), matching))
            let click = Click(
                id: UUIDv7.make(nowMs: Self.now), atMs: Self.now, kind: .person, platform: .ios, host: "h", path: LinkPath(stored: "/a"),
                outcome: .store, visitor: 1, country: nil, labels: LinkLabels())
            let waiting = AddressedClick(place: place, key: key, original: "https://h/a", resolved: "r")
            try await clicks.record(click, handing: [], waiting: waiting, of: Self.app)
        }

        let units = log.units(changing: "address_click")
        #expect(log.units.count == 4 && units.count == 3)
        #expect(units.allSatisfy { $0.locks.isEmpty && $0.texts.count == 2 && $0.texts.allSatisfy { $0.hasPrefix("INSERT INTO ") } })
    }

    @Test("leave a waiting click alone if another visitor clicked at its address after it was read")
    func sharedAddress() async throws {
        let store = try await TestStore()
        var device = DeviceFacts()
        device.platform = "ios"
        let place = try #require(AddressPlace(ClientAddress("192.0.2.7"), AddressMatching()))
        let click = Click(
            id: UUIDv7.make(nowMs: Self.now), atMs: Self.now, kind: .person, platform: .ios, host: "h", path: LinkPath(stored: "/a"),
            outcome: .store, visitor: 1, country: nil, labels: LinkLabels())
        let key = try await AddressKeys(store.database).prepared(nowMs: Self.now)
        try await store.clicks.record(
            click, handing: [], waiting: AddressedClick(place: place, key: key, original: "https://h/a", resolved: "r"), of: Self.app)
        try await store.open(.mayasPhone, device: device)
        let other = Statement("UPDATE address_click SET is_shared = 1, click_id = $1", [.text(UUIDv7.make(nowMs: Self.now))])
        let overtaken = SQLInstallStore(
            AfterReadDatabase(base: store.database, read: "SELECT period, mark", statement: other), store.mark)
        let claim = DeferredClaim(tokenHash: nil, windows: AttributionWindows(), place: place)

        await #expect(throws: DatabaseError.retry("another call changed the same install")) {
            try await overtaken.claim(Self.app, .mayasPhone, claim, nowMs: Self.now)
        }
    }

    @Test("are one if they are added twice: an engine that lost its connection does not know whether a click is there")
    func addedTwice() async throws {
        let store = try await TestStore()
        let click = Click(
            id: UUIDv7.make(nowMs: Self.now), atMs: Self.now, kind: .person, platform: .ios, host: "h", path: LinkPath(stored: "/a"),
            outcome: .page, visitor: 1, country: nil, labels: LinkLabels())
        let key = try await AddressKeys(store.database).prepared(nowMs: Self.now)
        let place = try #require(AddressPlace(ClientAddress("192.0.2.7"), AddressMatching()))
        let handed = DeferredClick(token: .code(), original: "o", resolved: "r")
        let waiting = AddressedClick(place: place, key: key, original: "o", resolved: "r")
        let entry = Self.line(.checklistHidden).insertion(into: Self.app, id: UUIDv7.make(nowMs: Self.now), nowMs: Self.now)

        for _ in 0..<2 {
            try await store.clicks.record(click, handing: [handed], waiting: waiting, of: Self.app)
            try await store.database.append([entry])
        }

        for table in ["click", "deferred_link", "address_click", "audit_entry"] { #expect(try await store.count(of: table) == 1, "\(table)") }
        #expect(try await store.database.read { try $0.row("SELECT is_shared FROM address_click")?.flag("is_shared") } == false)
    }
}
