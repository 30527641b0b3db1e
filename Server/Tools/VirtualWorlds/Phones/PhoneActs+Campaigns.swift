// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallWire
import Synchronization

/// One call for the placement that shows a campaign's paywall to those who tapped its link.
struct CampaignCall: Sendable {
    static let placement: PlacementID = "welcome"

    struct Tap: Sendable {
        let text: String
        let at: Duration
    }

    let asked: Duration
    let deadline: Duration
    /// The taps of this launch that were accepted before the call began.
    let taps: [Tap]
    var returnedAt: Duration?
    var paywall: String?

    /// After this time the SDK asks beside the answer that it waits for.
    var grace: Duration { min(.seconds(1), (deadline - asked) / 4) }
}

extension PhoneLaunch {
    /// Somebody taps, and the app shows a paywall: mostly in the same instant.
    func askForCampaign(_ dice: Dice, _ trace: VirtualTrace) {
        let limit = dice.one(of: [.seconds(5), dice.time(1_000...8_000), dice.time(0...1_500)])
        at(clock.elapsed - startedAt + dice.one(of: [.zero, .zero, dice.time(0...3_000)])) { [self] in
            let index = record.withLock { record in
                let asked = clock.elapsed
                record.campaignCalls.append(
                    CampaignCall(asked: asked, deadline: asked + limit, taps: record.campaignTaps))
                return record.campaignCalls.count - 1
            }
            let result = try? await client.paywall(for: CampaignCall.placement, within: limit)
            guard !record.withLock(\.isKilled) else { return }
            noticePerson()
            let call = record.withLock { record in
                record.campaignCalls[index].returnedAt = clock.elapsed
                record.campaignCalls[index].paywall = result?.paywall?.name.rawValue
                return record.campaignCalls[index]
            }
            trace.say("\(name): \(call.summary)")
            check(call, trace)
        }
    }
}

extension CampaignCall {
    var summary: String { "paywall \(paywall ?? "nothing") of \(Self.placement), asked \(asked), deadline \(deadline)" }
}
