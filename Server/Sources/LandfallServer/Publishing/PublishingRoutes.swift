// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import Hummingbird
import LandfallRules
import LandfallStore
import LandfallWire
import NIOCore

/// `/v1/configuration`: the calls on versions, for a server key with `configuration` and for commands.
package struct PublishingRoutes: Sendable {
    package static let path = "/v1/configuration"
    package static let versionsPath = path + "/versions"
    package static let rollbackPath = path + "/rollback"
    package static let scheduledPath = path + "/scheduled"
    static let usualPage = 100
    static let longestPage = 1_000
    static let bodyLimit = 16 * 1024

    package let publishing: VersionPublisher

    package init(publishing: VersionPublisher) {
        self.publishing = publishing
    }

    /// `POST ?dryRun=&atMilliseconds=` with a file: publishes it, now or later, or shows what it would change.
    @Sendable package func publish(_ request: Request, context: AppContext) async throws -> Answer<PublishingAnswer> {
        let query = request.uri.queryParameters
        let author = try context.requireCaller().author(request), message = try request.message()
        let atMs = try query.number("atMilliseconds", in: 0...Int64.max), nowMs = publishing.time.nowMs()
        let line = author.line(atMs == nil ? .versionPublished : .versionScheduled, message)
        let order = VersionPublisher.Order(
            text: try await request.text(upTo: ConfigurationText.largest), base: try request.base(), author: author, message: message,
            atMs: atMs, scheduling: [line.insertion(into: context.snapshot.app.id, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)],
            isDry: try query.flag("dryRun"), further: line.insertion(into: context.snapshot.app.id, nowMs: nowMs))
        return Answer(try await publishing.carryOut(order, context.namedLogger))
    }

    /// `GET`: the file of the newest version, byte for byte apart from the epochs that the server counts.
    @Sendable package func export(_ request: Request, context: AppContext) async throws -> Response {
        guard let newest = try await publishing.store.newest() else { throw RequestError.noVersion }
        return try await file(newest)
    }

    /// `GET …/versions?before=&limit=`: newest first. The first page begins with versions that are or were scheduled.
    @Sendable package func versions(_ request: Request, context: AppContext) async throws -> Answer<[VersionEntry]> {
        let query = request.uri.queryParameters
        let before = try query.number("before", in: 1...Int64.max)
        let limit = try query.number("limit", in: 1...Int64(Self.longestPage)) ?? Int64(Self.usualPage)
        let scheduled = before == nil ? try await publishing.schedule.list() : []
        let versions = try await publishing.store.summaries(before: before ?? .max, limit: Int(limit))
        return Answer(scheduled.map(VersionEntry.init) + versions.map(VersionEntry.init))
    }

    /// `GET …/versions/N`: the file of that version.
    @Sendable package func version(_ request: Request, context: AppContext) async throws -> Response {
        let text = try context.parameters.require("number")
        guard let number = Int64(text), let version = try await publishing.store.version(number) else {
            throw RequestError(.notFound, "There is no version '\(text.shortened)' of the configuration. The list has their numbers.")
        }
        return try await file(version)
    }

    /// `POST …/rollback`: the file of an older version becomes the newest one.
    @Sendable package func rollBack(_ request: Request, context: AppContext) async throws -> Answer<PublishingAnswer> {
        let order = try await request.decoded(as: Rollback.self, upTo: Self.bodyLimit)
        guard order.version > 0 else { throw RequestError.invalid("version", "the number of a version.") }
        let message = try Self.line(order.message ?? "", "message")
        let author = try context.requireCaller().author(request)
        let line = author.line(.versionRolledBack, "\(order.version)" + (message.isEmpty ? "" : ", \(message)"))
        return Answer(
            try await publishing.rollBack(
                to: order.version, base: try request.base(), by: author, message: message,
                with: line.insertion(into: context.snapshot.app.id, nowMs: publishing.time.nowMs()), context.namedLogger))
    }

    /// `DELETE …/scheduled/ID`: the version will not be published. A repeated call is not an error.
    @Sendable package func cancel(_ request: Request, context: AppContext) async throws -> Answer<Cancelled> {
        let id = try context.parameters.require("id")
        guard let scheduled = try await publishing.schedule.find(id) else {
            throw RequestError(.notFound, "No version is scheduled under this id. The list of versions has their ids.")
        }
        let line = try context.requireCaller().author(request).line(.versionCancelled, scheduled.draft.message)
        let nowMs = publishing.time.nowMs()
        let entry = line.insertion(into: context.snapshot.app.id, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        let cancelled = try await publishing.schedule.cancel(scheduled.id, with: [entry])
        return Answer(Cancelled(cancelled: cancelled))
    }

    /// - Throws: `invalid_value` for what is not a message.
    fileprivate static func line(_ text: String, _ field: String) throws -> String {
        guard VersionPublisher.isMessage(text) else {
            throw RequestError.invalid(field, "at most \(VersionPublisher.longestMessage) bytes in one line.")
        }
        return text
    }

    struct Rollback: Codable {
        let version: Int64
        var message: String?
    }

    package struct Cancelled: Codable { let cancelled: Bool }

    private func file(_ version: ConfigurationStore.Version) async throws -> Response {
        let text = try await publishing.store.exported(version)
        return Response(
            status: .ok,
            headers: [.contentType: "application/yaml", .cacheControl: "no-store", .eTag: "\"\(version.number)\""],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

extension Request {
    /// The version that the caller's file was made from: `If-Match: "N"`. Nil without the header and for `*`.
    fileprivate func base() throws -> Int64? {
        guard let field = headers[.ifMatch], field != "*" else { return nil }
        let digits = field.hasPrefix("\"") && field.hasSuffix("\"") ? String(field.dropFirst().dropLast()) : field
        guard let number = Int64(digits), number >= 0, digits.allSatisfy(\.isNumber) else {
            throw RequestError.invalid("If-Match", "the number of a version in quotes, such as \"12\".")
        }
        return number
    }

    fileprivate func message() throws -> String {
        try PublishingRoutes.line(headers[.landfallMessage] ?? "", "Landfall-Message")
    }
}

extension Caller {
    /// Only an operator can give a name. The author of a call with a server key is the key's variable.
    fileprivate func author(_ request: Request) throws -> VersionPublisher.Author {
        guard isOperator else { return .init(name: "key \(serverKey ?? "")", mayChangeEverything: false, seesPeople: seesPeople) }
        let name = try PublishingRoutes.line(request.headers[.landfallAuthor] ?? "operator", "Landfall-Author")
        return .init(name: Self.isUserName(name) ? name : ("operator " + name).cut(toBytes: 200), mayChangeEverything: true, seesPeople: true)
    }

    /// False for a name that looks like a member's address, a key or the server itself.
    private static func isUserName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: "._-".utf8.contains(byte)
                }
            }
    }
}

extension VersionPublisher.Author {
    /// The line of the audit log about what this key or operator did.
    fileprivate func line(_ action: AuditAction, _ subject: String) -> AuditLine {
        AuditLine(action: action, member: name, subject: subject, network: nil)
    }
}

extension Parameters {
    /// Nil if it is absent or empty.
    package func number(_ name: String, in range: ClosedRange<Int64>) throws -> Int64? {
        guard let text = self[Substring(name)], !text.isEmpty else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw RequestError.invalid(
                name, range.upperBound == .max ? "a whole number, \(range.lowerBound) or more." : "a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// False if it is absent or empty.
    func flag(_ name: String) throws -> Bool {
        switch self[Substring(name)] ?? "" {
        case "", "false", "0": return false
        case "true", "1": return true
        default: throw RequestError.invalid(name, "true or false.")
        }
    }
}

extension HTTPField.Name {
    static let landfallMessage = HTTPField.Name("Landfall-Message")!
    static let landfallAuthor = HTTPField.Name("Landfall-Author")!
}

extension RequestError {
    fileprivate static let noVersion = RequestError(
        .notFound, "The store has no version of the configuration. Publish one: 'landfall apply landfall.yaml'.")
}
