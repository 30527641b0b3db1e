// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// The returned and the shown paywalls: a shown paywall stays the same for the rest of the launch.
struct PaywallExposures: Sendable {
    static let capacity = 64

    private struct Returned {
        let result: PaywallResult
        let key: PaywallKey
        let profile: ProfileID?
    }

    private var returned: [Returned] = []
    private var shown: [PaywallResult] = []
    /// The event of each that was accepted.
    private var events: [PaywallResult: String] = [:]
    /// The first one that each placement has shown each person. More of them than an app has placements.
    private var pins: [Returned] = []
    private static let mostPins = 256

    mutating func returned(_ result: PaywallResult, for key: PaywallKey, to profile: ProfileID?) {
        returned.append(Returned(result: result, key: key, profile: profile))
        if returned.count > Self.capacity { returned.removeFirst() }
    }

    /// - Returns: false if this very result was counted before.
    mutating func count(_ result: PaywallResult) -> Bool {
        guard !shown.contains(result) else { return false }
        let known = returned.last { $0.result == result }
        let key = known?.key ?? PaywallKey(result.placement, .matching, locale: result.paywall?.remoteConfig?.locale)
        shown.append(result)
        if shown.count > Self.capacity { events[shown.removeFirst()] = nil }
        if pins.count < Self.mostPins, !pins.contains(where: { $0.key == key && $0.profile == known?.profile }) {
            pins.append(Returned(result: result, key: key, profile: known?.profile))
        }
        return true
    }

    mutating func accepted(_ event: String, of result: PaywallResult) { events[result] = event }

    /// The event of the exposure; nil if none was accepted in this launch.
    func event(of result: PaywallResult) -> String? { events[result] }

    /// The paywall that this placement has shown this person in this launch.
    func pinned(_ call: PaywallCall, _ now: PaywallCircumstances) -> PaywallResult? {
        let profile = now.profileState.wire?.id
        guard
            let first = pins.first(where: {
                $0.key == call.key && ($0.profile == nil || profile == nil || $0.profile == profile)
            })
        else { return nil }
        var result = PaywallResult(
            paywall: first.result.paywall, placement: first.result.placement, audience: first.result.audience,
            origin: first.result.origin, attribution: first.result.attribution, elapsed: now.now - call.asked,
            revision: first.result.revision, assignment: first.result.assignment
        )
        result.store = first.result.store
        result.call = call.id
        return result
    }
}
