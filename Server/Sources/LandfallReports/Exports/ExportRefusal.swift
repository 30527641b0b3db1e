// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallWire

/// Why nothing is exported.
package enum ExportRefusal: Refusal, Hashable, Sendable {
    case unknownTable(String)
    case unknownFormat(String)
    /// Not a day such as 2026-11-01.
    case unreadableDay
    case notOver(day: String, last: String)
    case deleted(ExportTable, day: String, first: String)
    case unreadableCursor
    /// Of another release, or cut off.
    case unreadablePage

    package var code: ErrorCode {
        if case .unknownTable = self { .notFound } else { .invalidValue }
    }

    package var description: String {
        switch self {
        case .unknownTable(let name):
            "There is no table '\(name.shortened)' to export.\(Suggestion.sentence(for: name, among: ExportTable.allCases.map(\.rawValue)))"
        case .unknownFormat(let name):
            "There is no format '\(name.shortened)'.\(Suggestion.sentence(for: name, among: ExportFormat.allCases.map(\.rawValue)))"
        case .unreadableDay: notValid("day", "a day, such as 2026-11-01.")
        case .notOver(let day, let last):
            "\(day) is not over in UTC, or was over only minutes ago, so its file would lack rows. The last day that can be exported is \(last)."
        case .deleted(let table, let day, let first):
            "Rows of '\(table.rawValue)' of \(day) are deleted because of their age, so its file would lack rows. The first day that can be exported is \(first)."
        case .unreadableCursor: notValid("after", "the 'next' of the page before.")
        case .unreadablePage: "The server's answer is not a page of an export. Use the same release of landfall for the server and this command."
        }
    }
}
