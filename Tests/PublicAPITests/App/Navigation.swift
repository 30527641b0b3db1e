// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple

/// Where links lead in this app.
final class Navigation {
    let client: LandfallClient
    private(set) var screens: [String] = []

    init(client: LandfallClient) { self.client = client }

    /// The work of a view's task.
    func follow(_ scene: SceneID?) async {
        if let scene {
            for await link in client.links(for: scene) { show(link) }
        } else {
            for await link in client.links { show(link) }
        }
    }

    func show(_ link: ReceivedLink) {
        var screen = link.destination.map { $0.path.joined(separator: "/") } ?? link.resolved.absoluteString
        if link.isDeferred { screen += " from before" }
        if link.isRedelivered { screen += " again" }
        screens.append(screen)
        link.markTaken()
    }

    /// A tap inside the app. False: the system opens it.
    func tap(_ url: URL) async -> Bool {
        guard client.handles(url) else { return false }
        let link = await client.open(url, from: .app)
        switch link.status {
        case .notFound, .expired, .invalid: screens.append("sorry")
        case .offline, .timedOut, .disabled: screens.append("later \(link.original)")
        default: screens.append(link.destination?.query.first { $0.name == "promo" }?.value ?? link.resolved.absoluteString)
        }
        return true
    }

    /// Called by the system's hooks.
    func hook(_ url: URL, in scene: SceneID) -> Bool { client.receive(url, scene: scene) || client.receive(url) }

    /// For an app that resolves links itself.
    func legacy(_ url: URL) async -> URL {
        client.recordClick(url)
        return await client.resolve(url, from: .system).resolved
    }

    /// The first screen of a new installation.
    func welcome(pasted: String?) async {
        if let pasted, !client.claimDeferredLink(pasted) { screens.append("no code") }
        switch await client.deferredLink(within: .seconds(2)) {
        case .link(let link):
            print(link.deferredMatch ?? .code, link.age, link.scene ?? "", link.id)
            show(link)
        case .none: screens.append("welcome")
        case .pending: screens.append("welcome for now")
        }
    }
}

/// A link for a preview.
func receivedBeach() -> ReceivedLink {
    ReceivedLink(
        id: "1", original: URL(string: "example://beach")!, status: .passedThrough,
        destination: Destination(path: ["beach"]), scene: SceneID("main"), isRedelivered: true, age: .seconds(1))
}
