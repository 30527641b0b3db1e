// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension LinkRouting {
    /// True if this link's click may attribute the user: the link names a tracker or a campaign, or may be a short link whose
    /// labels only the server knows.
    func mayNameCampaign(_ link: LinkAddress) -> Bool {
        guard route(of: link) == .direct else { return true }
        guard let parameters = try? LinkParameters(link) else { return false }
        return parameters.hasTracker || parameters.campaign != nil
    }
}

extension LaunchState {
    /// Before the outbox has the click: once it is there, a request that is under way may take it along, and its end must find
    /// the click here.
    mutating func awaitClick(_ key: IdempotencyKey, of link: LinkAddress, now: Duration) {
        if links.routing.mayNameCampaign(link) { awaited.add(key, .click, now: now) }
    }
}
