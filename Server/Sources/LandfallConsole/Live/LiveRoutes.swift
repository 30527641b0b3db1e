// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallWire
import NIOCore

/// What happens, as it happens.
struct LiveRoutes: Sendable {
    /// A line without meaning, so that nobody in between closes the connection; at it the session is looked at again.
    static let heartbeat = Duration.seconds(15)

    let feed: LiveFeed
    /// When this node began. What came before is here only as far as ``LiveHistory`` found it.
    let startedAtMs: Int64
    /// Nil if no other node works on the store.
    let reading: LiveReading?
    let people: LivePeople
    let sessions: SessionStore
    let time: ServerTime

    /// `GET /console/live?kind=&test=`
    @Sendable func page(_ call: ConsoleCall) async throws -> Response {
        let choice = LiveChoice(call), seesPeople = try call.seesPeople
        try await reading?.read()
        let rows = try await people.present(choice.rows(of: feed, after: 0, limit: LivePage.mostFirst), in: feed)
        var page = LivePage(frame: try call.frame, kind: choice.kind, rows: rows.reversed().map { seesPeople ? $0 : $0.withoutInstall })
        (page.startedAtMs, page.hasTestDevices, page.isWithoutTests) = (startedAtMs, !choice.tests.isEmpty, choice.isWithoutTests)
        return ConsoleAnswer.page(page.html)
    }

    /// `GET /console/live/stream?kind=&test=&after=`: `text/event-stream`. A browser that reconnects says what it saw last.
    @Sendable func stream(_ call: ConsoleCall) async throws -> Response {
        let visitor = try call.member
        guard let watch = feed.watch(member: visitor.member.id) else {
            throw RequestError(.busy, "Too many pages are watching.", retryAfter: 10, limit: .liveStreams)
        }
        var seen = call.request.headers[.lastEventID].flatMap { Int64($0) } ?? call.query("after").flatMap { Int64($0) }
        if let reading {
            do { try await reading.read() } catch {
                watch.end()
                throw error
            }
            seen = seen.map(LiveReading.goingBack)
        }
        let writing = LiveStream(
            feed: feed, watch: watch, people: people, choice: LiveChoice(call), seesPeople: try call.seesPeople, words: call.words,
            after: seen ?? feed.newest, mostFirst: reading == nil ? LivePage.most : LivePage.mostFirst,
            heartbeat: { [time] in try await time.sleep(Self.heartbeat) },
            isOpen: { [sessions, time] in try await sessions.find(visitor.token, nowMs: time.nowMs(), renews: false) != nil })
        var headers = ConsoleAnswer.fields
        headers[.contentType] = "text/event-stream"
        // Proxies that gather answers would hold rows back.
        headers[.xAccelBuffering] = "no"
        return Response(status: .ok, headers: headers, body: ResponseBody { writer in try await writing.write(to: &writer) })
    }
}

/// Writes one stream until the browser leaves, the session ends or the server stops.
struct LiveStream: Sendable {
    let feed: LiveFeed
    let watch: LiveWatch
    let people: LivePeople
    let choice: LiveChoice
    let seesPeople: Bool
    let words: Words
    let after: Int64
    /// Rows that it begins with. Where keys are compared, no more than a page has.
    let mostFirst: Int
    /// Returns when it is time for a heartbeat.
    let heartbeat: @Sendable () async throws -> Void
    let isOpen: @Sendable () async throws -> Bool

    func write(to writer: inout any ResponseBodyWriter) async throws {
        defer { watch.end() }
        let beating = Task { [watch, heartbeat] in
            while !Task.isCancelled {
                try await heartbeat()
                watch.signals.yield(.heartbeat)
            }
        }
        defer { beating.cancel() }
        var seen = after
        // The first bytes tell the browser that it is connected. What it missed may be of people who are gone by now.
        let missed = try await people.present(newRows(&seen, most: mostFirst), in: feed)
        try await writer.write(ByteBuffer(string: "retry: 3000\n\n" + text(missed)))
        for await signal in watch.stream {
            switch signal {
            case .news:
                let text = text(newRows(&seen))
                if !text.isEmpty { try await writer.write(ByteBuffer(string: text)) }
            case .heartbeat:
                guard try await isOpen() else { return try await writer.finish(nil) }
                try await writer.write(ByteBuffer(string: ":\n\n"))
            }
        }
        try Task.checkCancellation()
        try await writer.finish(nil)
    }

    private func newRows(_ seen: inout Int64, most: Int = LivePage.most) -> [LiveRow] {
        let rows = choice.rows(of: feed, after: seen, limit: most)
        seen = max(seen, rows.last?.id ?? seen)
        return rows
    }

    private func text(_ rows: [LiveRow]) -> String {
        rows.map { row in
            let json = (try? WireCoding.encode(LiveMessage(seesPeople ? row : row.withoutInstall, words))).map { String(decoding: $0, as: UTF8.self) }
            return "event: row\nid: \(row.id)\ndata: \(json ?? "{}")\n\n"
        }.joined()
    }
}

/// Which rows a page or a stream has.
struct LiveChoice: Sendable {
    let kind: LiveRow.Kind?
    let isWithoutTests: Bool
    let tests: TestDevices

    init(_ call: ConsoleCall) {
        kind = call.query("kind").flatMap { LiveRow.Kind(rawValue: $0) }
        isWithoutTests = call.query("test") == "without"
        tests = call.context.snapshot.testDevices
    }

    func rows(of feed: LiveFeed, after id: Int64, limit: Int) -> [LiveRow] {
        feed.rows(after: id, kind, limit: limit) { !isWithoutTests || !isTest($0) }.map { row in
            var row = row
            row.isTest = isTest(row)
            return row
        }
    }

    /// By the install that a row names. The install of a test device after a reinstall is not known here.
    private func isTest(_ row: LiveRow) -> Bool {
        !tests.isEmpty && row.install.map { tests.device(InstallID($0), first: nil) != nil } ?? false
    }
}

extension LiveRow {
    /// For members who may not see people.
    var withoutInstall: LiveRow {
        var row = LiveRow(
            id: id, kind: kind, atMs: atMs, subject: subject, details: details.filter { $0.name != .install }, key: key)
        row.isTest = isTest
        return row
    }
}

extension HTTPField.Name {
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
}

extension ConsoleRoute {
    /// What happens now.
    static func live(_ live: LiveRoutes) -> [ConsoleRoute] {
        [
            get("/console/live", .member(.account), live.page),
            get("/console/live/stream", .member(.account), live.stream),
        ]
    }
}
