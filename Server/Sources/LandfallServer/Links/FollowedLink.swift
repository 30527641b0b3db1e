// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A link that somebody followed, in a browser or in the app, with what became of it.
struct FollowedLink: Hashable, Sendable {
    /// As it was followed.
    let address: LinkAddress
    let path: LinkPath
    let parameters: LinkParameters
    let decision: LinkDecision
    /// Where it leads in the app: a short link's destination, else the link itself. With the visitor's own query and
    /// fragment; tracking parameters of the visitor are not passed on.
    let resolved: String
    /// Counted under the stored link's labels, then under those of its destination, then under the visitor's.
    let labels: LinkLabels

    /// - Throws: ``InvalidLink`` where a part of it is not to be followed.
    init(
        _ address: LinkAddress, path: LinkPath, decision: LinkDecision, domains: LinkDomains
    ) throws(InvalidLink) {
        self.address = address
        self.path = path
        self.decision = decision
        parameters = try LinkParameters(address)
        var labels = LinkLabels(parameters)
        resolved = try Self.resolve(address, parameters, decision, domains)
        if let link = decision.link {
            if let inner = try? LinkParameters(LinkAddress(link.destination)) {
                labels = LinkLabels(inner).completed(with: labels)
            }
            labels = link.labels.completed(with: labels)
        }
        self.labels = labels
    }

    private static func resolve(
        _ address: LinkAddress, _ parameters: LinkParameters, _ decision: LinkDecision, _ domains: LinkDomains
    ) throws(InvalidLink) -> String {
        guard let link = decision.link else { return address.text }
        // A deep link that the visitor's link carries counts only where it stays in the app.
        if let carried = parameters.deepLink, let inner = try? LinkAddress(carried), domains.owns(inner),
            inner.hasUsualPort || !inner.isWeb
        {
            return carried
        }
        return try merged(link.destination, with: address)
    }

    /// The destination with the visitor's query and fragment. What the destination says itself stays as it is.
    static func merged(_ destination: String, with visitor: LinkAddress) throws(InvalidLink) -> String {
        let target = try LinkAddress(destination)
        let taken = Set(try target.queryItems().map(\.name))
        let added = try visitor.queryItems().filter { !$0.isTracking && !taken.contains($0.name) }
        let fragment = target.fragment ?? visitor.fragment
        let base = destination.prefix { $0 != "#" }
        let tail = added.isEmpty ? "" : (target.query == nil ? "?" : target.query == "" ? "" : "&") + Self.text(of: added)
        return base + tail + (fragment.map { "#\($0)" } ?? "")
    }

    /// Percent-encoded, without `?`.
    static func text(of items: [LinkQueryItem]) -> String {
        // Tracking items are no part of a destination, so each is written under a name that is.
        items.map { item in
            let plain = LinkQueryItem(item.isTracking ? "x" + item.name : item.name, item.value)
            let text = Destination(path: [], query: [plain]).text(onHost: "h").dropFirst("https://h/?".count)
            return item.isTracking ? String(text.dropFirst()) : String(text)
        }.joined(separator: "&")
    }
}
