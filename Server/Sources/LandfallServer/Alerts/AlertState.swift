// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// What is known of an alert while it is wrong, or has not been in order for long enough.
package struct AlertState: Hashable, Sendable {
    package let key: AlertKey
    /// Since when something is wrong.
    package var sinceMs: Int64
    /// Since when it is in order again; nil while it is not.
    package var quietSinceMs: Int64?
    /// When people were told; nil while it has not lasted long enough.
    package var firedAtMs: Int64?
    /// As it was wrong last.
    package var value: Int64?
    package var limit: Int64?
    package var detail: String

    package var isFiring: Bool { firedAtMs != nil }
}

/// Something to tell people, once.
package struct AlertNews: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable { case fired, resolved, test }

    package let key: AlertKey
    package let kind: Kind
    package let sinceMs: Int64
    package let atMs: Int64
    package let value: Int64?
    package let limit: Int64?
    package let detail: String

    package init(_ kind: Kind, _ state: AlertState, atMs: Int64) {
        (key, self.kind, sinceMs, self.atMs) = (state.key, kind, state.sinceMs, atMs)
        (value, limit, detail) = (state.value, state.limit, state.detail)
    }
}

/// The alerts of one moment: values in, values out, so that a test needs neither a store nor time.
struct AlertStates: Hashable, Sendable {
    private(set) var states: [AlertKey: AlertState]

    init(_ states: [AlertState] = []) { self.states = Dictionary(states.map { ($0.key, $0) }) { $1 } }

    /// What is wrong has to last before the alert fires, and be in order for a while before it is resolved: a value at its limit does
    /// not tell people each minute.
    /// - Parameter readings: of the rules that could be measured. The alerts of others stay as they are.
    mutating func follow(_ readings: [AlertRule: [AlertReading]], _ settings: AlertSettings, nowMs: Int64) -> [AlertNews] {
        var news: [AlertNews] = []
        for reading in readings.values.joined().filter(\.isBad) {
            guard let setting = settings.rules[reading.key.rule] else { continue }
            var state = states[reading.key]
                ?? AlertState(key: reading.key, sinceMs: nowMs, value: nil, limit: nil, detail: "")
            // A clock that went back must not make an alert wait for the time that it had.
            state.sinceMs = min(state.sinceMs, nowMs)
            (state.quietSinceMs, state.value, state.limit, state.detail) = (nil, reading.value, setting.limit, reading.detail.cut(toBytes: 500))
            if !state.isFiring, nowMs - state.sinceMs >= setting.holdMs {
                state.firedAtMs = nowMs
                news.append(AlertNews(.fired, state, atMs: nowMs))
            }
            states[reading.key] = state
        }
        let bad = Set(readings.values.joined().filter(\.isBad).map(\.key))
        let known = Set(readings.values.joined().filter(\.isKnown).map(\.key))
        let unknown = Set(readings.values.joined().map(\.key)).subtracting(known)
        for (key, var state) in states where !bad.contains(key) && !unknown.contains(key) {
            let setting = settings.rules[key.rule]
            guard setting == nil || readings[key.rule] != nil else { continue }
            guard state.isFiring else {
                states[key] = nil
                continue
            }
            let quietMs = min(state.quietSinceMs ?? nowMs, nowMs)
            state.quietSinceMs = quietMs
            states[key] = state
            // A rule that was switched off has nothing to wait for.
            guard nowMs - quietMs >= setting?.quietMs ?? 0 else { continue }
            states[key] = nil
            news.append(AlertNews(.resolved, state, atMs: nowMs))
        }
        return news.sorted { ($0.key.rule.rawValue, $0.key.subject) < ($1.key.rule.rawValue, $1.key.subject) }
    }
}
