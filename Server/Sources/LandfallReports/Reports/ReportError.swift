// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallWire

/// Why a report is not answered as it was asked for.
package enum ReportError: Refusal, Hashable, Sendable {
    package enum Day: String, Hashable, Sendable { case from, to }

    case unknownReport(String)
    /// A dimension that the report does not have, or one that is named twice.
    case dimensions(known: [String])
    /// The funnel counts campaigns apart from countries.
    case campaignsAndCountries
    case daysAndWeeks
    /// These are not days.
    case unreadable([Day])
    /// The first day is after the last.
    case reversed
    case tooManyDays
    case tooManyInstalls

    package var code: ErrorCode {
        if case .unknownReport = self { .notFound } else { .invalidValue }
    }

    package var description: String {
        switch self {
        case .unknownReport(let name):
            "There is no report '\(name.shortened)'.\(Suggestion.sentence(for: name, among: ReportKind.allCases.map(\.rawValue) + ["revenue"]))"
        case .dimensions(let known): notValid("by", "fields of \(known.joined(separator: ", ")), each once, with commas between.")
        case .campaignsAndCountries: notValid("by", "campaigns and countries are counted apart. Ask for one of them.")
        case .daysAndWeeks: notValid("by", "either days or weeks.")
        case .unreadable(let days): notValid((days.last ?? .from).rawValue, "a day, such as 2026-11-01.")
        case .reversed: notValid("from", "a day that is not after 'to'.")
        case .tooManyDays: notValid("from", "at most \(ReportDays.most) days before 'to'.")
        case .tooManyInstalls:
            notValid("from", "the report is about more than \(ReportCohort.mostMembers) installs. Ask for fewer days.")
        }
    }
}
