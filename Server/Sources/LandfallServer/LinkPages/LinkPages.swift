// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallWire

/// The pages of a brand domain, in the app's name.
struct LinkPages: Sendable {
    let app: App
    private let domains: LinkDomains
    /// The team's web site; nil if there is none.
    let site: String?

    init(_ app: App, _ domains: LinkDomains) {
        self.app = app
        self.domains = domains
        site = domains.universal.first.map { "https://\($0)/" }
    }

    /// The page with the ways on from a link, and with its token.
    func open(
        _ link: FollowedLink, _ opening: LinkOpening, _ visitor: LinkVisitor, handing tokens: [DeferredToken]
    ) -> LinkPage {
        var page = described(link)
        if let address = opening.appAddress { page.buttons.append(.init(label: "Open in \(app.name)", address: address)) }
        if let address = opening.storeAddress {
            let store = visitor.platform == .android ? "Google Play" : "the App Store"
            page.buttons.append(.init(label: "Get \(app.name) on \(store)", address: address))
        }
        if let address = opening.webAddress { page.buttons.append(.init(label: "Continue on the web", address: address)) }
        if visitor.platform == .desktop { page.qr = QRCode(link.address.text) }
        for token in tokens {
            switch token.kind {
            case .pasteboard: page.copied = token.link(link.address)
            case .code: page.code = token.shown
            }
        }
        if visitor.platform == .ios, let id = app.appStoreID {
            // Commas separate the arguments of the banner, so commas in the address are percent-encoded.
            let argument = opening.appAddress.map { ", app-argument=" + $0.replacing(",", with: "%2C") }
            page.meta["apple-itunes-app"] = "app-id=\(id)" + (argument ?? "")
        }
        return page
    }

    /// For programs that show a preview of a link: they read the head.
    func preview(_ link: FollowedLink) -> LinkPage {
        var page = described(link)
        let opening = LinkOpening(link, LinkVisitor(kind: .preview, platform: .ios, isInApp: true, isMac: false), app, domains)
        page.meta["al:ios:url"] = opening.appAddress
        page.meta["al:ios:app_store_id"] = app.appStoreID.map { "\($0)" }
        page.meta["al:ios:app_name"] = app.appStoreID.map { _ in app.name }
        page.meta["al:android:package"] = app.android?.package
        page.meta["al:android:app_name"] = app.android.map { _ in app.name }
        page.meta["al:web:url"] = opening.webAddress
        if let address = opening.webAddress { page.buttons.append(.init(label: "Continue on the web", address: address)) }
        return page
    }

    func expired() -> LinkPage {
        help(.gone, "This link has ended", "What it led to is over. \(app.name) itself is still there:")
    }

    func missing() -> LinkPage {
        help(.notFound, "This link leads nowhere", "It may be mistyped or cut off. Ask for it again, or start here:")
    }

    func refused(_ error: InvalidLink) -> LinkPage {
        help(error.reason == .tooLong ? .uriTooLong : .badRequest, "This link cannot be followed", error.description)
    }

    func otherMethod() -> LinkPage {
        help(.methodNotAllowed, "This is a link", "It can be opened, and nothing else.")
    }

    func tooSoon() -> LinkPage {
        help(.serviceUnavailable, "Open this link to follow it", nil)
    }

    private func described(_ link: FollowedLink) -> LinkPage {
        let preview = link.decision.link?.preview ?? LinkPreview()
        return LinkPage(
            title: preview.title ?? app.name, text: preview.description, image: preview.image,
            address: "https://\(link.address.host ?? "")\(link.path)"
        )
    }

    private func help(_ status: HTTPResponse.Status, _ title: String, _ text: String?) -> LinkPage {
        var page = LinkPage(status: status, title: title, text: text)
        if let site { page.buttons.append(.init(label: "Go to \(app.name)", address: site)) }
        if let id = app.appStoreID {
            page.buttons.append(.init(label: "\(app.name) on the App Store", address: "https://apps.apple.com/app/id\(id)"))
        }
        if let android = app.android {
            let address = "https://play.google.com/store/apps/details?id=\(android.package)"
            page.buttons.append(.init(label: "\(app.name) on Google Play", address: address))
        }
        page.meta["robots"] = "noindex"
        return page
    }
}
