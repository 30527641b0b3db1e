// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One event on this phone.
struct Observation: Hashable, Sendable, Codable {
    enum Event: Hashable, Sendable, Codable {
        /// The process began. `prewarmed`: iOS made it ahead of time.
        case launched(prewarmed: Bool)
        /// The app is visible.
        case activated
        /// AdServices' answer, and its time.
        case adToken(outcome: String, milliseconds: Int)
        /// The network path: `satisfied`, or the system's reason.
        case path(String)
        /// The inbox delivered a link.
        case link(path: String?, isDeferred: Bool, isRedelivered: Bool)
        /// A paste control was pressed. `isClaimed`: the text may be a link from before the installation.
        case pasted(isClaimed: Bool)
        /// A call for a paywall returned.
        case paywall(origin: String, milliseconds: Int)
        /// A call for a paywall threw.
        case noPaywall(error: String, milliseconds: Int)
        /// The server sent the profile.
        case profile(isReinstall: Bool, attribution: String)
    }

    /// Counted from 1 since the report was begun.
    let launch: Int
    /// Since the process began.
    let milliseconds: Int
    let event: Event
}

/// All observations, oldest first, including those of earlier launches.
struct Observations: Hashable, Sendable {
    private(set) var all: [Observation]

    init(_ all: [Observation] = []) { self.all = all }

    var launches: Int { all.map(\.launch).max() ?? 0 }

    var launchNumbers: [Int] { Set(all.map(\.launch)).sorted() }

    mutating func add(_ observation: Observation) { all.append(observation) }

    /// The observations of one launch.
    func inLaunch(_ launch: Int) -> [Observation] { all.filter { $0.launch == launch } }

    /// The milliseconds since the app was first visible in the observation's launch; 0 for what came before. iOS may make the
    /// process long before the app is visible.
    func sinceVisible(_ observation: Observation) -> Int {
        let visible = inLaunch(observation.launch).first { $0.event == .activated }?.milliseconds ?? 0
        return max(0, observation.milliseconds - visible)
    }

    /// The first observation for which the rule has a value.
    func first<Value>(_ rule: (Observation) -> Value?) -> Value? {
        for observation in all { if let value = rule(observation) { return value } }
        return nil
    }
}
