// SPDX-License-Identifier: Apache-2.0
import LandfallWire

@testable import LandfallConsole
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

extension StoreLife {
    /// The first owner, a member who is invited, renamed, given another role, signed in twice, and removed.
    static func console(_ store: TestStore) async throws {
        let database = store.database, app = TestStore.app, now = TestStore.noon
        let invitations = Invitations(database: database, app: app), members = MemberStore(database: database, app: app)
        let sessions = SessionStore(database: database, app: app), audit = AuditLog(database: database, app: app)
        func line(_ action: AuditAction) -> AuditLine { AuditLine(action: action, member: "maya@example.com", subject: "it's", network: nil) }
        func person(_ email: String) -> JoiningPerson { JoiningPerson(email: MemberEmail(stored: email), name: "it's", password: "p") }
        let first = SessionToken.drawn()
        let node = NodeName("a")
        for others in [[], [node]] as [Set<NodeName>] { _ = try await invitations.setUp(first, by: node, beside: others, nowMs: now) }
        for _ in 0..<2 { _ = try await invitations.join(person("maya@example.com"), by: first, network: nil, nowMs: now) }
        for inviter in [nil, nil, "maya@example.com"] as [String?] {
            let token = SessionToken.drawn(), email = MemberEmail(stored: "omar@example.com")
            let invitation = Invitation(email: email, role: .viewer, invitedBy: inviter, expiresAtMs: now + 1)
            _ = try await invitations.invite(invitation, token, line(.invited), nowMs: now)
            _ = try await invitations.invitation(token, nowMs: now)
            _ = try await invitations.join(person("omar@example.com"), by: token, network: "192.0.2.0/24", nowMs: now)
        }
        guard let omar = try await members.member(email: MemberEmail(stored: "omar@example.com")) else { return }
        _ = try await members.hasMember()
        let origin = SessionStore.Origin(agent: "Firefox", network: nil)
        for number in 0...ConsoleSession.most {
            _ = try await sessions.begin(.drawn(), of: omar, from: origin, number == 0 ? line(.signedIn) : nil, nowMs: now + Int64(number))
        }
        let token = SessionToken.drawn()
        _ = try await sessions.begin(token, of: omar, from: origin, nil, nowMs: now + 100)
        let found = try await sessions.find(token, nowMs: now + 2 * ConsoleSession.precisionMs)
        for session in [found?.session].compactMap(\.self) {
            let visitor = ConsoleVisitor(member: omar, session: session, token: token)
            for _ in 0..<2 { _ = try await sessions.prove(visitor, as: .drawn(), line(.confirmed), nowMs: now) }
        }
        let open = try await sessions.list(of: omar.id, nowMs: now)
        for _ in 0..<2 { _ = try await sessions.end(open[0].id, of: omar.id, line(.sessionEnded), nowMs: now) }
        try await sessions.end(token, line(.signedOut), nowMs: now)
        _ = try await members.list(nowMs: now)
        for _ in 0..<2 { _ = try await members.change(omar, password: "q", line(.passwordChanged), nowMs: now) }
        _ = try await members.endSessions(of: omar.id, as: omar.role, line(.sessionsEnded), nowMs: now)
        for id in [omar.id, "nobody"] { _ = try await members.change(id, from: omar.role, to: .editor, line(.roleChanged), nowMs: now) }
        _ = try await members.member(omar.id)
        for _ in 0..<2 { _ = try await members.remove(omar.id, as: .editor, line(.memberRemoved), nowMs: now) }
        let invited = MemberEmail(stored: "zoe@example.com")
        let invitation = Invitation(email: invited, role: .viewer, invitedBy: "maya@example.com", expiresAtMs: now + 1)
        _ = try await invitations.invite(invitation, .drawn(), line(.invited), nowMs: now)
        _ = try await invitations.open(nowMs: now)
        for _ in 0..<2 { _ = try await invitations.cancel(invited, to: .viewer, line(.invitationCancelled), nowMs: now) }
        let limits = SignInLimits(database: database, app: app)
        for isRight in [false, false, true] {
            let password = PasswordTry(email: omar.email, network: nil, line: line(.signInFailed))
            _ = try await limits.judge(password, nowMs: now) { isRight }
        }
        _ = try await audit.page(before: nil)
        _ = try await AuditTail(database: database, app: app).batch(after: "", before: "g")
        let uses = KeyUseStore(database: database, app: app), key = KeyID(SDKKey(text: "pk_it's", environment: .production, expiresAtMs: nil))
        for atMs in [now, now - 1, now + 1] { try await uses.write([key: atMs]) }
        _ = try await uses.lastUses(of: [key])
        for bytes in [1, 2] as [Int64] { try await database.write { try BackupMade(atMs: now, bytes: bytes).store($0) } }
        _ = try await database.read { try BackupMade.last($0) }
        let feed = LiveFeed()
        try await LiveHistory(database: database, app: app).fill(feed)
        _ = try await LiveHistory(database: database, app: app).facts(sinceMs: 0, most: 9, changed: .init(installs: [InstallID("it's")]))
        _ = try await LivePeople(database: database, app: app).present(
            [LiveRow(id: 1, kind: .firstOpen, atMs: now, subject: "ios", details: [.init(.install, "it's")])], in: feed)
        let hiding = HiddenSetup(database: database, app: app)
        for _ in 0..<2 { try await hiding.hide(line(.checklistHidden), nowMs: now) }
        _ = try await Setup(database: database, app: app).checklist()
        try await hiding.show(line(.checklistShown), nowMs: now)
    }
}
