// SPDX-License-Identifier: Apache-2.0
import Landfall
import Synchronization

/// A1: a call for a paywall that begins after the app has set an attribute gets the paywall for its new value, if the deadline leaves
/// time for the requests before it: the first open, the rest of the outbox, the attribute, and the question after it.
///
/// Checked only while the network does nothing but delay. In every case a call asks the server few questions and returns in time.
extension PhoneLaunch {
    /// Requests before the question whose answer is shown, each with its way there and back.
    private static let mostRequestsBefore = 8

    func check(_ call: PlanCall, _ trace: VirtualTrace) {
        if call.returnedAt > call.deadline, plan.suspension == nil { trace.broke("D1", "late: \(name): \(call.summary)") }
        checkQuestions(PlanCall.placement, from: call.asked, until: call.returnedAt, trace)
        let record = record.withLock { $0 }
        // If there was another change meanwhile, the paywall of either value may be shown.
        guard record.plan == call.change, !record.isPersonChanged, !isStoreNew, isCalm(until: call.returnedAt) else { return }
        let trip = plan.conditions.map(\.1.longestTrip).reduce(.zero, max)
        let begins = max(call.asked, startedAt + .milliseconds(360))
        guard begins + trip * 2 * (Self.mostRequestsBefore + record.used.count + 1) <= call.deadline else { return }
        if call.paywall != call.change.paywall { trace.broke("A1", "\(name): \(call.summary)") }
    }
}
