// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallWire

/// The reason why a text does not become a version.
package enum PublishingRefusal: DetailedRefusal {
    /// The text cannot be served.
    case invalid(ConfigurationProblems)
    /// The text was made from a version that is no longer the newest.
    case stale(StaleBase)
    /// The text changes sections that this author may not change.
    case protected(Set<String>)
    /// This server publishes only its own file.
    case ownedByFile
    case unknownVersion(Int64)
    /// Other versions are published faster than this one can be compared with them.
    case crowded
    /// Not an instant at which a version can be published by itself.
    case wrongTime
    /// As many versions wait for their time as may.
    case manyScheduled

    package var code: ErrorCode {
        switch self {
        case .invalid: .configurationInvalid
        case .stale: .configurationStale
        case .protected: .configurationProtected
        case .ownedByFile: .configurationOwned
        case .unknownVersion: .notFound
        case .crowded: .busy
        case .wrongTime, .manyScheduled: .invalidValue
        }
    }

    package var description: String {
        switch self {
        case .invalid(let problems): problems.sentence
        case .stale(let stale):
            "Your file was made from version \(stale.base), and version \(stale.newest) was published since. Look at 'changes', "
                + "bring them into your file, and publish it with the base \(stale.newest)."
        case .protected(let sections):
            "A server key may not change \(sections.sorted().map { "'\($0)'" }.joined(separator: ", ")). Change it on the server's "
                + "machine: with 'landfall apply' in the folder of the store, or in the file of 'serve --config'."
        case .ownedByFile:
            "This server publishes its own file only (--config-owner file). Change that file, and send the server SIGHUP."
        case .unknownVersion(let number): "There is no version \(number) of the configuration. 'landfall versions' lists them."
        case .crowded: "Other versions were published at this moment. Try again."
        case .wrongTime: notValid("atMilliseconds", "an instant after now, at most 366 days ahead, in Unix milliseconds.")
        case .manyScheduled:
            notValid("atMilliseconds", "left out: \(ScheduledVersions.mostWaiting) versions wait for their time already. Cancel one of them.")
        }
    }

    package var details: (any Encodable)? {
        switch self {
        case .invalid(let problems): problems
        case .stale(let stale): stale
        default: nil
        }
    }
}

/// All problems of a text.
package struct ConfigurationProblems: Hashable, Encodable {
    package let problems: [ConfigurationRemark]
    let warnings: [ConfigurationRemark]

    fileprivate var sentence: String {
        let first = problems.first.map { " \($0.line):\($0.column): \($0.message)" } ?? ""
        return problems.count == 1
            ? "The configuration cannot be served." + first
            : "The configuration has \(problems.count) problems; 'problems' lists them. The first:" + first
    }
}

/// Both sides of a text that was made from a version that is no longer the newest.
package struct StaleBase: Hashable, Encodable {
    let base: Int64
    package let newest: Int64
    /// The changes that were published since the base.
    let changes: [ConfigurationChange]
    /// The changes that this text makes to its base.
    let proposed: [ConfigurationChange]
}
