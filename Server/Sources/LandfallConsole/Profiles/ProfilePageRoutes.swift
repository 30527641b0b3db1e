// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallServer
import LandfallStore
import LandfallWire
import NIOCore

/// People: found by an id, and shown with everything that is kept of them.
struct ProfilePageRoutes: Sendable {
    let search: ProfileSearch
    let reading: ProfileReader
    let erasing: Eraser

    /// `GET /console/profiles?q=&test=`
    @Sendable func list(_ call: ConsoleCall) async throws -> Response {
        let (query, isTest) = Self.question(call)
        let forgotten = call.query("forgotten").flatMap { $0 == "yes" ? true : $0 == "soon" ? false : nil }
        return ConsoleAnswer.page(
            ProfilesPage(
                frame: try call.frame, query: query, isTest: isTest, found: try await found(call), forgotten: forgotten
            ).html)
    }

    @Sendable func listJSON(_ call: ConsoleCall) async throws -> Response { try ConsoleAnswer.document(try await found(call)) }

    private func found(_ call: ConsoleCall) async throws -> FoundProfiles {
        let (query, isTest) = Self.question(call), snapshot = call.context.snapshot
        if !query.isEmpty { return try await search.find(query, snapshot) }
        return try await isTest ? search.testDevices(snapshot) : search.newest(snapshot)
    }

    /// What was searched, without spaces around it and not longer than an id can be.
    private static func question(_ call: ConsoleCall) -> (query: String, isTest: Bool) {
        var text = (call.query("q") ?? "").unicodeScalars[...]
        while text.first?.properties.isWhitespace == true { text.removeFirst() }
        while text.last?.properties.isWhitespace == true { text.removeLast() }
        let query = String(text).cut(toBytes: 2_000)
        return (query, query.isEmpty && call.query("test") == "only")
    }

    /// `GET /console/profiles/{id}?install=&before=`: the id of a profile, or of an install that shows it.
    @Sendable func page(_ call: ConsoleCall) async throws -> Response {
        guard let person = try await person(call) else { return try await profileOfInstall(call) }
        let before = call.query("before").flatMap { TimelineCursor($0) }
        return ConsoleAnswer.page(
            ProfilePage(frame: try call.frame, profile: try await document(of: person, call), isNewest: before == nil).html)
    }

    @Sendable func pageJSON(_ call: ConsoleCall) async throws -> Response {
        guard let person = try await person(call) else { throw RequestError.notFound }
        return try ConsoleAnswer.document(try await document(of: person, call))
    }

    /// `POST /console/profiles/{id}/forget`: erases the person, if their id was typed.
    @Sendable func forget(_ call: ConsoleCall) async throws -> Response {
        guard let person = try await person(call) else { throw RequestError.notFound }
        let typed = call.field("typed")
        guard typed.utf8.elementsEqual(person.profile.rawValue.utf8) else {
            var page = ProfilePage(frame: try call.frame, profile: try await document(of: person, call), isNewest: true)
            page.typed = typed.cut(toBytes: 200)
            page.problems = [FieldProblem("typed", call.words.wrongID)]
            return ConsoleAnswer.page(page.html, .unprocessableContent)
        }
        // The log must not keep what is erased: it says who forgot somebody and when, not whom.
        let id = UUIDv7.make(nowMs: call.nowMs), app = reading.app
        let answer = try await erasing.erase(.profile(person.profile)) { installs in
            call.line(.personForgotten, AuditLine.subject(ofInstalls: installs)).insertion(into: app, id: id, nowMs: call.nowMs)
        }
        answer.log(by: "console", call.context)
        return ConsoleAnswer.see(Place("/console/profiles", query: [("forgotten", answer.isGoingOn == true ? "soon" : "yes")]))
    }

    private func person(_ call: ConsoleCall) async throws -> ProfileReader.Person? {
        try await reading.person(ProfileID(try Self.id(call)))
    }

    private func profileOfInstall(_ call: ConsoleCall) async throws -> Response {
        let install = InstallID(try Self.id(call))
        guard let profile = try await reading.profile(of: install) else { throw RequestError.notFound }
        return ConsoleAnswer.see(Place("/console/profiles", [profile.rawValue], query: [("install", install.rawValue)]))
    }

    private func document(of person: ProfileReader.Person, _ call: ConsoleCall) async throws -> ProfileDocument {
        try await reading.document(
            of: person, chosen: Self.install(call), before: call.query("before").flatMap { TimelineCursor($0) }, call.context.snapshot,
            nowMs: call.nowMs)
    }

    /// Ids have letters, digits, `-` and `_` only.
    /// - Throws: `not_found` for a text that cannot be one.
    static func id(_ call: ConsoleCall) throws -> String {
        let id = call.context.parameters.get("id") ?? ""
        guard (1...Limits.customerID).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "%") })
        else { throw RequestError.notFound }
        return id
    }

    static func install(_ call: ConsoleCall) -> InstallID? {
        call.query("install").flatMap { $0.utf8.count <= Limits.customerID && !$0.utf8.contains(0) ? InstallID($0) : nil }
    }
}

extension ConsoleRoute {
    static func profiles(_ pages: ProfilePageRoutes, _ why: WhyRoutes) -> [ConsoleRoute] {
        [
            get("/console/profiles", .member(.people), pages.list),
            get("/console/profiles.json", .member(.people), pages.listJSON),
            get("/console/profiles/{id}", .member(.people), pages.page),
            get("/console/profiles/{id}.json", .member(.people), pages.pageJSON),
            post("/console/profiles/{id}/forget", .proven(.erasing), pages.forget),
            get("/console/profiles/{id}/why", .member(.people), why.page),
            get("/console/profiles/{id}/why.json", .member(.people), why.json),
        ]
    }
}
