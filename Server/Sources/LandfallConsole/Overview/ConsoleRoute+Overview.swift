// SPDX-License-Identifier: Apache-2.0

extension ConsoleRoute {
    /// The first page with its checklist.
    static func overview(_ overview: OverviewRoutes, _ hiding: HiddenSetup) -> [ConsoleRoute] {
        [
            get("/console", .member(.account), overview.page),
            post("/console/checklist", .member(.publishing), hiding.choose),
        ]
    }
}
