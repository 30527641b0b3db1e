// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallWire
import Synchronization

/// A value of the attribute that decides a paywall.
struct PlanChange: Hashable, Sendable {
    let plan: String
    let at: Duration
    /// Counts the changes of a launch.
    let number: Int

    /// The paywall for people with this plan.
    var paywall: String { plan == "pro" ? "summer" : "default" }
}

/// One call for the placement that shows another paywall to people with another plan.
struct PlanCall: Sendable {
    static let placement: PlacementID = "settings"

    let asked: Duration
    let deadline: Duration
    /// The last one before the call.
    let change: PlanChange
    var returnedAt: Duration
    var paywall: String?
}

extension PhoneLaunch {
    /// The app sets the plan now and then, and shows a paywall: mostly in the same instant.
    func usePlans(_ dice: Dice, _ trace: VirtualTrace) {
        if dice.happens(0.3) { changePlan(dice.split(), trace) }
        for _ in 0..<dice.number(1...3) {
            let changing = dice.split()
            at(dice.one(of: [dice.time(0...300), dice.time(0...6_000), dice.time(0...20_000)])) { [self] in
                changePlan(changing, trace)
            }
        }
    }

    private func changePlan(_ dice: Dice, _ trace: VirtualTrace) {
        let plan = dice.one(of: ["free", "pro"])
        record.withLock { record in
            record.changedAt = clock.elapsed
            record.plan = PlanChange(plan: plan, at: clock.elapsed, number: (record.plan?.number ?? 0) + 1)
        }
        do {
            try client.setAttributes(["plan": .string(plan)])
        } catch {
            trace.broke("D9", "\(name): an attribute was refused: \(error)")
        }
        trace.say("\(name): sets plan to \(plan)")
        askForPlan(dice, trace)
    }

    private func askForPlan(_ dice: Dice, _ trace: VirtualTrace) {
        let limit = dice.one(of: [.seconds(5), dice.time(1_000...8_000), dice.time(0...1_500)])
        at(clock.elapsed - startedAt + dice.one(of: [.zero, .zero, dice.time(0...2_000)])) { [self] in
            guard let change = record.withLock({ $0.plan }) else { return }
            let asked = clock.elapsed
            record.withLock { $0.planCalls += 1 }
            let result = try? await client.paywall(for: PlanCall.placement, within: limit)
            guard !record.withLock(\.isKilled) else { return }
            noticePerson()
            let call = PlanCall(
                asked: asked, deadline: asked + limit, change: change, returnedAt: clock.elapsed,
                paywall: result?.paywall?.name.rawValue)
            trace.say("\(name): \(call.summary)")
            check(call, trace)
        }
    }
}

extension PlanCall {
    var summary: String {
        "paywall \(paywall ?? "nothing") of \(Self.placement) for plan \(change.plan) of \(change.at), asked \(asked), deadline \(deadline)"
    }
}
