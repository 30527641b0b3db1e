// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// The server's answers of earlier launches: content of `paywalls.json`.
///
/// Keyed by everything that decided an answer, so that an answer for everyone can never replace a targeted one.
struct PaywallCache: StoredValue {
    static let currentFormat = 1
    static let capacity = 100

    struct Key: Hashable, Sendable, Codable {
        var asked: PaywallKey
        /// nil for the default audience, which is the same for every profile.
        var decidedBy: Decider?
    }

    /// The profile and the state of its attribution that decided.
    struct Decider: Hashable, Sendable, Codable {
        var profile: ProfileID
        var epoch: Int64
        var attributionVersion: Int64
    }

    struct Entry: Hashable, Sendable, Codable {
        var key: Key
        var answer: PaywallAnswer
        /// By the phone's calendar, in Unix milliseconds; only used as an age.
        var storedAtMilliseconds: Int64
    }

    private(set) var format = Self.currentFormat
    private(set) var entries: [Entry] = []

    mutating func store(_ answer: PaywallAnswer, for asked: PaywallKey, date: Date) {
        let key = Key(asked: asked, decidedBy: Decider(answer))
        guard asked.kind == .default || key.decidedBy != nil else { return }
        entries.removeAll { $0.key == key }
        entries.append(Entry(key: key, answer: answer, storedAtMilliseconds: date.unixMilliseconds))
        if entries.count > Self.capacity { entries.removeFirst(entries.count - Self.capacity) }
    }

    /// Adds answers of an earlier launch; answers of this launch stay.
    mutating func merge(olderThanHere stored: PaywallCache) {
        let known = Set(entries.map(\.key))
        entries = (stored.entries.filter { !known.contains($0.key) } + entries).suffix(Self.capacity)
    }

    /// The stored paywall and its age, if it is not older than that. If the calendar was set back, the age counts as 0.
    func candidate(
        for asked: PaywallKey, decidedBy: Decider?, atMost limit: Duration, date: Date
    ) -> (candidate: PaywallSelection.Candidate, age: Duration)? {
        let key = Key(asked: asked, decidedBy: asked.kind == .default ? nil : decidedBy)
        guard asked.kind == .default || decidedBy != nil, let entry = entries.last(where: { $0.key == key }) else { return nil }
        let (distance, overflow) = date.unixMilliseconds.subtractingReportingOverflow(entry.storedAtMilliseconds)
        let age = Duration.milliseconds(overflow ? 0 : min(max(distance, 0), 366 * 86_400_000))
        guard age <= limit else { return nil }
        let answer = entry.answer
        return (
            .init(
                paywall: answer.paywall, audience: answer.audience, origin: .cache(age: age), revision: answer.revision,
                attribution: answer.attribution, decision: .init(answer)), age
        )
    }
}

extension PaywallCache.Decider {
    init?(_ answer: PaywallAnswer) {
        guard answer.kind == .matching, let profile = answer.profileId else { return nil }
        self.init(profile: profile, epoch: answer.epoch, attributionVersion: answer.attributionVersion)
    }

    init(_ profile: WireProfile) {
        self.init(profile: profile.id, epoch: profile.epoch, attributionVersion: profile.attributionVersion)
    }
}

extension Date {
    /// Clamped to years that fit, 0…``latestMilliseconds``.
    var unixMilliseconds: Int64 { Int64(min(max(timeIntervalSince1970, 0), 1e11) * 1000) }

    static let latestMilliseconds: Int64 = 100_000_000_000_000
}
