// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallServer

/// Finds anything in the console: a page, and the same for the command bar of every page.
struct FindRoutes: Sendable {
    let finder: Finder
    let owner: ConfigurationOwner

    /// `GET /console/find?q=`
    @Sendable func page(_ call: ConsoleCall) async throws -> Response {
        let query = FindQuery(call.query("q") ?? ""), frame = try frame(call)
        return ConsoleAnswer.page(FindPage(frame: frame, query: query.text, found: try await found(query, frame, call)).html)
    }

    /// `GET /console/find.json?q=`
    @Sendable func json(_ call: ConsoleCall) async throws -> Response {
        try ConsoleAnswer.document(try await found(FindQuery(call.query("q") ?? ""), try frame(call), call))
    }

    private func found(_ query: FindQuery, _ frame: Frame, _ call: ConsoleCall) async throws -> FoundThings {
        try await finder.find(query, call.context.snapshot, for: frame, nowMs: call.nowMs)
    }

    private func frame(_ call: ConsoleCall) throws -> Frame {
        var frame = try call.frame
        frame.isFileOwned = owner == .file
        return frame
    }
}

extension ConsoleRoute {
    static func find(_ routes: FindRoutes) -> [ConsoleRoute] {
        [
            get("/console/find", .member(.account), routes.page),
            get("/console/find.json", .member(.account), routes.json),
        ]
    }
}
