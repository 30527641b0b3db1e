// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallWire
import Synchronization

/// The guarantees that show at the end of a launch.
extension PhoneLaunch {
    /// The most questions for one call: the first, one more after each change of the person meanwhile, and some
    /// after 1, 2, 4 s if one failed. A call that asks again because of its own answer makes hundreds.
    private static let mostQuestions = 12

    func checkQuestions(_ placement: PlacementID, from asked: Duration, until returnedAt: Duration, _ trace: VirtualTrace) {
        let path = "GET \(WirePath.paywall(of: placement))?audience=matching"
        let count = transport.sent.count { (asked...returnedAt).contains($0.at) && $0.label.hasPrefix(path) }
        if count > Self.mostQuestions {
            trace.broke("D5", "\(name): \(count) questions for one paywall of \(placement), asked \(asked)")
        }
    }

    /// The most requests within ten seconds: a launch that does everything at once stays below, a launch that asks in a loop does not.
    /// Without an answer, a task that a person waits for makes five requests in ten seconds: at once, after a quarter of a second,
    /// and 1, 3 and 7 s after that one.
    private static let mostRequests = 36

    /// When the server knew what an ad token of this installation leads to.
    func settledAt() -> Duration? {
        // Every token of a person leads to the same answer. If Apple has no answer, each new token begins again.
        let isOfThisLaunch = { [id = "&id=\(phone.name)-\(number)-"] (token: String) in token.contains(id) }
        let tokens = phone.memory.withLock { $0.tokens }
        return (phone.origin.isLasting ? tokens : tokens.filter(isOfThisLaunch)).compactMap(appleSettledAt).min()
    }

    func checkEnd(_ trace: VirtualTrace) {
        let opens = record.withLock { $0.opens }
        for open in opens where open.returnedAt == nil {
            let ends = startedAt + plan.length
            if open.deadline < ends, plan.suspension == nil { trace.broke("D1", "\(name): never returned: \(open.summary)") }
        }
        if client.runningOperations > 0 { trace.broke("D4", "\(name): \(client.runningOperations) operations are left") }
        checkLinks(trace)
        checkCampaigns(trace)
        let sent = transport.sent.map(\.at)
        // What was bought is sent in batches, a change of what may be collected sends again what is still allowed, and a wrapped link
        // is asked of two hosts.
        let wrapped = phone.hasWrappedLinks ? record.withLock { 10 * $0.used.count } : 0
        let more = (phone.shop.map { 10 + 5 * $0.periods.periods.count } ?? 0) + (phone.modeDice == nil ? 0 : 30) + wrapped
        // Each waiting link has its own question and its own click. Each change of the plan also has its own request and its own
        // question.
        let most = Self.mostRequests + more + record.withLock { 10 * $0.used.count + 3 * $0.campaignCalls.count + 5 * $0.planCalls }
        for (index, time) in sent.enumerated() where index >= most {
            if time - sent[index - most] < .seconds(10) {
                trace.broke("hammering", "\(name): \(most) requests in ten seconds")
                break
            }
        }
        if plan.conditions.allSatisfy({ $0.1.kind == .captive || $0.1.kind == .offline }), !transport.heard.answers.isEmpty {
            trace.broke("captive", "\(name): a stranger's answer counted")
        }
    }
}
