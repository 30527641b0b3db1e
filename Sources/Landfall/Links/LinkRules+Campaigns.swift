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
