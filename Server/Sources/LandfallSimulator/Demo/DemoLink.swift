// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Landfall
import LandfallWire

/// The whole way of a link: tapped in a browser, through the store, into the first open of a newly installed app.
package struct DemoLink: Sendable {
    /// What the configuration must contain, as Examples/SelfHost/landfall.yaml does: a link that hands over a token, and a
    /// placement with an audience for links.
    static let address = "https://\(host)\(path)"
    package static let host = "brandname.go.link"
    package static let path = "/welcome"
    static let placement: PlacementID = "welcome"

    /// What the browser and then the app got.
    package struct Outcome: Hashable, Sendable, Encodable {
        var tapped: String
        /// The status of the page in the browser.
        var pageStatus: Int
        /// What the page's button writes to the pasteboard.
        var pasteboard: String
        /// Where the app was told to go.
        var destination: String
        var matchedBy: String
        var source: String
        var campaign: String?
        var paywall: String
        var elapsedMilliseconds: Int64
        /// HTTP requests that the phone sent until it had link and paywall.
        var requests: Int
    }

    private let server: URL
    private let directory: URL

    /// - Parameter directory: exists, and belongs to this run.
    package init(server: URL, directory: URL) {
        self.server = server
        self.directory = directory
    }

    /// - Throws: ``DemoLinkFailure`` if a part of the way is missing.
    package func run() async throws -> Outcome {
        let (status, page) = try await browse()
        guard let pasteboard = Self.copied(from: page) else { throw DemoLinkFailure.nothingToCopy(status) }

        let requests = RequestCount()
        var configuration = LandfallConfiguration(sdkKey: DemoRun.sdkKey, server: server, preparing: [Self.placement])
        configuration.storage = FileStorage(directory: directory.appending(path: "link"))
        configuration.transport = ObservedTransport(isOnline: true, counting: requests)
        configuration.links = LinkRules(
            domains: LinkDomains(brand: [Self.host], universal: ["example.com"], schemes: ["example"]))
        configuration.device = .iPhone("en-GB")
        configuration.log = { _ in }
        let client = LandfallClient(configuration)

        let begun = ContinuousClock.now
        // The text of the paste control; the app starts for the first time.
        client.claimDeferredLink(pasteboard)
        client.start()
        async let found = client.deferredLink(within: .seconds(5))
        async let offered = client.paywall(for: Self.placement, within: .seconds(5))
        let (link, offer) = (await found, try? await offered)
        let elapsed = begun.duration(to: .now)
        let sent = requests.value
        await client.shutdown()

        guard case .link(let link) = link else { throw DemoLinkFailure.noLink }
        guard let offer, case .attributed(let details) = offer.attribution else { throw DemoLinkFailure.notAttributed }
        return Outcome(
            tapped: Self.address, pageStatus: status, pasteboard: pasteboard, destination: link.resolved.absoluteString,
            matchedBy: link.deferredMatch?.rawValue ?? "", source: details.source.rawValue, campaign: details.campaign,
            paywall: offer.paywall?.name.rawValue ?? "nothing",
            elapsedMilliseconds: elapsed.components.seconds * 1_000 + elapsed.components.attoseconds / 1_000_000_000_000_000,
            requests: sent
        )
    }

    /// In the demo the brand domain leads to this server, so the browser sends its name as host and calls this server.
    private func browse() async throws -> (status: Int, page: String) {
        guard let address = URL(string: Self.address), let host = address.host(),
            let url = URL(string: address.path(), relativeTo: server)?.absoluteURL
        else { throw DemoFailure.address(server) }
        let answer = try await URLSessionTransport().send(
            TransportRequest(
                method: "GET", url: url, headers: ["Host": host, "User-Agent": Self.safari, "Accept": "text/html"])
        )
        var body = Data()
        for try await chunk in answer.body { body.append(chunk) }
        return (answer.status, String(decoding: body, as: UTF8.self))
    }

    /// The text that the page's script would copy, read from the page.
    static func copied(from page: String) -> String? {
        guard let mark = page.firstRange(of: "data-copy=\"") else { return nil }
        return String(page[mark.upperBound...].prefix { $0 != "\"" }).replacing("&amp;", with: "&")
    }

    private static let safari =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 "
        + "Mobile/15E148 Safari/604.1"
}

extension DemoLink.Outcome {
    /// For people, a line each.
    package var lines: [String] {
        [
            " in a browser   \(tapped): a page, and a stored click",
            "                its button copies \(pasteboard.prefix(53))…, and leads to the store",
            " in the app     \(destination), found by \(matchedBy)",
            "                came by \(source), campaign \(campaign ?? "–"); paywall \(paywall)",
            "                \(requests == 1 ? "one request" : "\(requests) requests"), \(elapsedMilliseconds) ms",
        ]
    }
}

/// Where the demo's link failed.
enum DemoLinkFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case nothingToCopy(Int)
    case noLink
    case notAttributed

    var description: String {
        switch self {
        case .nothingToCopy(let status):
            "The demo needs a link \(DemoLink.address) with 'pasteboard: true', as Examples/SelfHost/landfall.yaml has it. "
                + "Its page answered \(status) and had nothing to copy."
        case .noLink: "The app was not told the link that was tapped before its installation."
        case .notAttributed:
            "The demo needs the placement '\(DemoLink.placement)', as Examples/SelfHost/landfall.yaml has it. "
                + "The first open was not attributed to the link."
        }
    }
}
