// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallServer
import LandfallWire
import NIOCore

/// The audit log as a page, and the same lines as files.
struct AuditRoutes: Sendable {
    let audit: AuditLog

    /// `GET /console/settings/audit?member=&action=&before=`
    @Sendable func page(_ call: ConsoleCall) async throws -> Response {
        let filter = filter(call), found = try await audit.page(filter, before: before(call))
        var page = AuditPage(frame: try call.frame, entries: found.lines.map(\.entry), before: found.next)
        (page.filter, page.actions) = (filter, AuditAction.allCases.map(\.rawValue))
        return ConsoleAnswer.page(page.html)
    }

    /// `GET /console/settings/audit.csv?member=&action=`: every line that the filter names, a thousand at a time. If a later read
    /// fails, the connection ends before the answer does, so that nobody takes a part for the whole.
    @Sendable func csv(_ call: ConsoleCall) async throws -> Response {
        let filter = filter(call), audit = audit
        let first = try await audit.page(filter, before: before(call), most: AuditLog.longestPage)
        return ConsoleAnswer.file(type: "text/csv; charset=utf-8", name: "audit.csv") { writer in
            var page = first
            try await writer.write(ByteBuffer(string: AuditSheet.header))
            while true {
                try await writer.write(ByteBuffer(string: AuditSheet(page).lines))
                guard let next = page.next else { break }
                try Task.checkCancellation()
                page = try await audit.page(filter, before: next, most: AuditLog.longestPage)
            }
            try await writer.finish(nil)
        }
    }

    /// `GET /console/settings/audit.json?member=&action=&before=`: up to 1,000 lines, and where the next ones begin.
    @Sendable func json(_ call: ConsoleCall) async throws -> Response {
        try ConsoleAnswer.document(AuditSheet(try await audit.page(filter(call), before: before(call), most: AuditLog.longestPage)))
    }

    private func filter(_ call: ConsoleCall) -> AuditPage.Filter {
        func value(_ name: String) -> String {
            String((call.query(name) ?? "").cut(toBytes: AuditPage.Filter.longest).split(separator: " ").joined(separator: " "))
        }
        return AuditPage.Filter(member: call.words.actor(named: value("member")), action: value("action"))
    }

    private func before(_ call: ConsoleCall) -> String? { call.query("before").flatMap { $0.utf8.count <= 64 ? $0 : nil } }
}

extension ConsoleRoute {
    /// What members did.
    static func audit(_ log: AuditRoutes) -> [ConsoleRoute] {
        [
            get("/console/settings/audit", .member(.members), log.page),
            get("/console/settings/audit.csv", .member(.members), log.csv),
            get("/console/settings/audit.json", .member(.members), log.json),
        ]
    }
}
