// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallServer

extension ConsoleRoute {
    /// `/console/help`: how the console is used, and what its numbers are. Nothing in it is of this server, so every member may read it.
    static var help: [ConsoleRoute] {
        [
            get("/console/help", .member(.account)) { call in ConsoleAnswer.page(HelpContentsPage(frame: try call.frame).html) },
            get("/console/help/first-day", .member(.account)) { call in ConsoleAnswer.page(FirstDayPage(frame: try call.frame).html) },
            get("/console/help/numbers", .member(.account)) { call in ConsoleAnswer.page(HelpNumbersPage(frame: try call.frame).html) },
            get("/console/help/glossary", .member(.account)) { call in ConsoleAnswer.page(GlossaryPage(frame: try call.frame).html) },
        ]
    }
}
