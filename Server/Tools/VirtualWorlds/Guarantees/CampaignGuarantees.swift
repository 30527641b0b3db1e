// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallWire
import Synchronization

/// L9: a call for a paywall that begins after a tap of a campaign's link was accepted gets the campaign's paywall, if the
/// server's answer to the click is at the phone within 2.5 s of the tap (of the start, if that came later) and early enough for
/// one more question before the call's deadline.
///
/// Checked only while the network does nothing but delay. In every case a call asks the server few questions and returns in time.
extension PhoneLaunch {
    private static let clickPatience: Duration = .milliseconds(2_500)

    func check(_ call: CampaignCall, _ trace: VirtualTrace) {
        guard let returnedAt = call.returnedAt else { return }
        if returnedAt > call.deadline, plan.suspension == nil { trace.broke("D1", "late: \(name): \(call.summary)") }
        if call.paywall == "summer", phone.promise({ !$0.links.mayAttribute }) {
            trace.broke("L8", "\(name): nobody tapped a campaign's link: \(call.summary)")
        }
        checkQuestions(CampaignCall.placement, from: call.asked, until: returnedAt, trace)
    }

    /// At the end of the launch, when the fate of every click is known.
    func checkCampaigns(_ trace: VirtualTrace) {
        let record = record.withLock { $0 }
        // A click that is days old by the phone's calendar does not count any more.
        guard !record.isPersonChanged, !isStoreNew, plan.calendarJump == nil else { return }
        for call in record.campaignCalls {
            guard let returnedAt = call.returnedAt, call.paywall != "summer" else { continue }
            guard let tap = call.taps.first(where: { counts($0, for: call) }) else { continue }
            let heardAt = transport.heard.click(of: tap.text) ?? .zero
            guard isCalm(until: max(returnedAt, heardAt)) else { continue }
            trace.broke("L9", "\(name): \(tap.text), tapped at \(tap.at), its click known at \(heardAt): \(call.summary)")
        }
    }

    /// True if the server's answer to its click is known in time.
    private func counts(_ tap: CampaignCall.Tap, for call: CampaignCall) -> Bool {
        guard let heardAt = transport.heard.click(of: tap.text), heardAt < max(tap.at, startedAt) + Self.clickPatience else {
            return false
        }
        let trip = plan.conditions.map(\.1.longestTrip).reduce(.zero, max)
        // A question that left just before the click was known is followed by another.
        return max(heardAt, call.asked + call.grace) + trip * 4 + .milliseconds(5) <= call.deadline
    }
}
