// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// A browser on this machine: it keeps the session's cookie, and sends forms as pages of the console do.
final class ConsoleBrowser {
    static let password = "six grey herons at noon"

    let server: TestServer
    var cookie: String?
    /// What forms carry: as a page shows it after the sign-in. A confirmed password leaves it as it is.
    private(set) var formToken: String?

    init(_ server: TestServer) { self.server = server }

    func get(_ path: String, _ more: HTTPFields = [:]) async throws -> TestResponse { try await send(.get, path, nil, more) }

    /// - Parameter csrf: nil takes the one of the account page.
    func post(
        _ path: String, _ fields: [String: String] = [:], csrf: String? = nil, _ more: HTTPFields = [.secFetchSite: "same-origin"]
    ) async throws -> TestResponse {
        var fields = fields
        fields["csrf"] = csrf ?? formToken
        let body = fields.map { "\($0.key)=\(Self.encoded($0.value))" }.joined(separator: "&")
        return try await send(.post, path, body, more)
    }

    private func send(_ method: HTTPRequest.Method, _ path: String, _ body: String?, _ more: HTTPFields) async throws -> TestResponse {
        var headers = more
        if let cookie { headers[.cookie] = "__Host-landfall=" + cookie }
        let response = try await server.client.execute(
            uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        if let set = response.headers[.setCookie], set.hasPrefix("__Host-landfall=") {
            let value = set.dropFirst("__Host-landfall=".count).prefix { $0 != ";" }
            cookie = value.isEmpty ? nil : String(value)
            if path != "/console/confirm" { formToken = cookie.flatMap { SessionToken($0) }?.formToken }
        }
        return response
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { (48...57).contains($0) || (97...122).contains($0) ? String(UnicodeScalar($0)) : "%" + hex($0) }.joined()
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    /// Makes a member straight in the store and signs in.
    static func signedIn(_ server: TestServer, as role: Role, _ email: String = "maya@example.com") async throws -> ConsoleBrowser {
        try await server.addMember(email, role)
        let browser = ConsoleBrowser(server)
        let answer = try await browser.signIn(email)
        #expect(answer.status == .seeOther)
        return browser
    }

    func signIn(_ email: String, _ password: String = ConsoleBrowser.password, next: String? = nil) async throws -> TestResponse {
        var fields = ["email": email, "password": password]
        fields["next"] = next
        return try await post("/console/sign-in", fields)
    }
}

extension TestServer {
    var members: MemberStore { MemberStore(database: services.database, app: services.snapshot.app.id) }
    var invitations: Invitations { Invitations(database: services.database, app: services.snapshot.app.id) }
    var audit: AuditLog { AuditLog(database: services.database, app: services.snapshot.app.id) }

    func addMember(_ email: String, _ role: Role) async throws {
        let member = Member(
            id: "m-" + email.prefix { $0 != "@" }, email: try #require(MemberEmail(email)), name: "Maya", role: role,
            password: try PasswordHash.make(ConsoleBrowser.password, cost: .quick).text, createdAtMs: services.time.nowMs())
        let app = services.snapshot.app.id
        try await services.database.write { connection in _ = try connection.run(member.insertion(into: app)) }
    }

    /// Writes a line of the audit log.
    func note(_ line: AuditLine, nowMs: Int64) async throws {
        try await services.database.append([line.insertion(into: services.snapshot.app.id, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)])
    }

    func actions() async throws -> [String] { try await audit.page(before: nil).map(\.entry.action) }
}

extension PasswordHash.Cost {
    /// For tests that are not about its cost.
    static let quick = PasswordHash.Cost(power: 4, blockSize: 8, parallelism: 1)
}

extension TestResponse {
    var page: String { String(buffer: body) }

    /// What the first form of the page carries.
    var formToken: String? { page.firstMatch(of: /name="csrf" value="([0-9a-f]+)"/).map { String($0.1) } }
}
