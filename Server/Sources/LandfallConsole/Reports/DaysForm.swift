// SPDX-License-Identifier: Apache-2.0

/// Asks a report for other days than those that its page offers.
struct DaysForm {
    let words: Words
    let action: Place
    /// Days as 2026-11-22, both included.
    let from: String
    let to: String
    let isOpen: Bool
    var problems: [FieldProblem] = []
    /// What the report is asked besides.
    let hidden: [(String, String?)]

    var html: HTML {
        details(.flag("open", isOpen)) {
            summary { words.otherDays }
            form(.action(action), Attribute("method", "get"), .class("dates")) {
                Field(name: "from", title: words.firstReportDay, type: "date", value: from, isRequired: false, problems: problems).html
                Field(name: "to", title: words.lastReportDay, type: "date", value: to, isRequired: false, problems: problems).html
                for (name, value) in hidden {
                    if let value { input(.type("hidden"), Attribute("name", name), .value(value)) }
                }
                button { words.showDays }
            }
        }
    }
}
