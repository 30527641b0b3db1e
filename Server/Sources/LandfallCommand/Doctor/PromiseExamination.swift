// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallNode
import LandfallServer
import LandfallWire

/// Checks that need only the configuration and a file: keys that end soon, and a stale fallback file.
struct PromiseExamination: Sendable {
    /// About the time that a new version of the app needs to reach people.
    static let leastDaysOfKey = 30

    let subject: DoctorSubject
    var now = Date()

    func keys() -> DoctorFinding {
        var soon: [String] = []
        var ended = 0
        for key in subject.endingKeys {
            let end = Date(timeIntervalSince1970: TimeInterval(key.endsAtMilliseconds) / 1000)
            let name = key.isSDKKey ? "'\(key.name)'" : "the server key \(key.name)"
            let days = end.wholeDays(after: now)
            if end <= now {
                ended += 1
            } else if days < Self.leastDaysOfKey {
                soon.append("\(name) ends on \(end.day), in \(days) days")
            }
        }
        if subject.sdkKey == nil {
            return .bad("keys", "Every SDK key has ended: no app can call.", fix: "Add a key below 'keys', and ship the app with it.")
        }
        if !soon.isEmpty {
            return .bad(
                "keys", "A key ends soon: \(soon.joined(separator: "; ")).",
                fix: "Add the next key below 'keys' now, and ship apps and backends with it before the day.")
        }
        let old = ended == 0 ? "" : " \(ended) that ended can be removed from the file."
        return .good("keys", "No key ends within \(Self.leastDaysOfKey) days.\(old)")
    }

    /// - Parameter path: of a file that apps are shipped with.
    func fallback(_ path: String) -> DoctorFinding {
        guard let bytes = FileManager.default.contents(atPath: path), let file = try? WireCoding.decode(Fallback.self, from: bytes) else {
            return .bad(
                "fallback", "'\(path)' is not a fallback file.", fix: "Name the JSON file that the app is shipped with; docs/features/paywalls.md has its form.")
        }
        if let served = subject.revision, let own = file.revision, own > served {
            return .bad(
                "fallback", "'\(path)' was made from version \(own), and version \(served) is served.",
                fix: "Check whether it was made from another server's configuration.")
        }
        let differing = subject.paywalls.filter { id, shown in file.paywalls[id].map { !$0.isShown(by: shown) } ?? true }.keys.sorted()
        let gone = file.paywalls.keys.filter { subject.paywalls[$0] == nil }.sorted()
        let versions = subject.revision.flatMap { served in file.revision.map { " It is of version \($0), and version \(served) is served." } } ?? ""
        guard differing.isEmpty, gone.isEmpty else {
            let names = differing.map { "'\($0)' differs" } + gone.map { "'\($0)' does not exist any more" }
            return .bad(
                "fallback", "'\(path)' is stale: \(names.prefix(5).joined(separator: ", ")).\(versions)",
                fix: "Export it again, and ship it with the next version of the app.")
        }
        return .good("fallback", "'\(path)' shows what everyone is shown.\(versions)")
    }

    /// Of the file only what is compared.
    private struct Fallback: Decodable {
        struct Entry: Decodable {
            let paywall: WirePaywall?
            let locales: [String: JSONValue]?

            func isShown(by served: [WirePaywall]) -> Bool {
                guard let paywall else { return served.isEmpty }
                return served.contains(paywall)
                    && (locales ?? [:]).allSatisfy { locale, value in
                        served.contains { $0.remoteConfig == .init(locale: locale, value: value) }
                    }
            }
        }

        let revision: Int64?
        let paywalls: [String: Entry]
    }
}
