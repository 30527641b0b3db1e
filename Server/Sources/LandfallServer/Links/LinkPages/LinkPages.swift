// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import LandfallRules
import LandfallWire

/// The pages of a brand domain, in the app's name.
package struct LinkPages: Sendable {
    let app: App
    private let domains: LinkDomains
    /// The team's web site; nil if there is none.
    let site: String?
    /// What a link's own preview leaves out.
    private let usualPreview: LinkPreview
    private let brand: BrandPage
    private let languages: PageLanguages
    private var texts: PageTexts
    /// The locale that the visitor wants, as far as there are texts for it.
    private var wanted: LocaleCode

    init(
        _ app: App, _ domains: LinkDomains, preview: LinkPreview = LinkPreview(), brand: BrandPage = BrandPage(), _ languages: PageLanguages
    ) {
        self.app = app
        self.domains = domains
        site = domains.universal.first.map { "https://\($0)/" }
        usualPreview = preview
        self.brand = brand
        self.languages = languages
        (texts, wanted) = languages.usual
    }

    /// The same pages in the visitor's language.
    /// - Parameter acceptLanguage: the field of the request.
    package func speaking(_ acceptLanguage: String?) -> LinkPages {
        var pages = self
        (pages.texts, pages.wanted) = languages.chosen(by: AcceptedLanguages(acceptLanguage))
        return pages
    }

    /// The page with the ways on from a link, and with its token.
    func open(
        _ link: FollowedLink, _ opening: LinkOpening, _ visitor: LinkVisitor, handing tokens: [DeferredToken],
        _ taps: ButtonTaps?
    ) -> LinkPage {
        var page = described(link)
        page.asksForTouch = visitor.platform == .ipadOrMac
        page.canonical = opening.webAddress
        if let address = opening.storeAddress {
            let label = texts[visitor.platform == .android ? .googlePlay : .appStore]
            page.buttons.append(.init(label: label, address: address, tap: taps?.address(of: .store), isStore: true))
        }
        if let address = opening.webAddress {
            page.buttons.append(.init(label: texts[.web], address: address, tap: taps?.address(of: .web)))
        }
        if let address = opening.appAddress {
            let button = LinkPage.Button(
                label: texts[.openApp], address: address, tap: taps?.address(of: .app), isApp: true, needsTouch: page.asksForTouch)
            page.buttons.insert(button, at: page.asksForTouch ? page.buttons.endIndex : 0)
        }
        if visitor.platform == .desktop || page.asksForTouch { page.qr = QRCode(link.address.text) }
        for token in tokens {
            switch token.kind {
            case .pasteboard: page.copied = token.link(link.address)
            case .code: page.code = token.shown
            }
        }
        if visitor.platform == .ios || page.asksForTouch, let id = app.appStoreID {
            // Commas separate the arguments of the banner, so commas in the address are percent-encoded.
            let argument = opening.appAddress.map { ", app-argument=" + $0.replacing(",", with: "%2C") }
            page.meta["apple-itunes-app"] = "app-id=\(id)" + (argument ?? "")
        }
        return page
    }

    /// For programs that show a preview of a link: they read the head.
    package func preview(_ link: FollowedLink) -> LinkPage {
        var page = described(link)
        let opening = LinkOpening(link, LinkVisitor(kind: .preview, platform: .ios, isInApp: true, isMac: false), app, domains)
        page.meta["al:ios:url"] = opening.appAddress
        page.meta["al:ios:app_store_id"] = app.appStoreID.map { "\($0)" }
        page.meta["al:ios:app_name"] = app.appStoreID.map { _ in texts.app }
        page.meta["al:android:package"] = app.android?.package
        page.meta["al:android:app_name"] = app.android.map { _ in texts.app }
        page.meta["al:android:url"] = app.android.flatMap { _ in opening.appAddress }
        page.meta["al:web:url"] = opening.webAddress
        page.meta["al:web:should_fallback"] = opening.webAddress == nil ? "false" : nil
        page.canonical = opening.webAddress
        if let address = opening.webAddress { page.buttons.append(.init(label: texts[.web], address: address)) }
        return page
    }

    func expired(for visitor: LinkVisitor) -> LinkPage { help(.gone, texts[.expiredTitle], texts[.expiredText], visitor.platform) }

    func early(for visitor: LinkVisitor) -> LinkPage { help(.gone, texts[.earlyTitle], texts[.earlyText], visitor.platform) }

    func missing(for visitor: LinkVisitor) -> LinkPage { help(.notFound, texts[.missingTitle], texts[.missingText], visitor.platform) }

    func refused(_ error: InvalidLink, for visitor: LinkVisitor) -> LinkPage {
        var page = help(error.reason == .tooLong ? .uriTooLong : .badRequest, texts[.refusedTitle], nil, visitor.platform)
        page.reason = error.description
        return page
    }

    /// For programs: browsers do not ask so.
    func otherMethod() -> LinkPage { inEnglish.help(.methodNotAllowed, "This is a link", "It can be opened, and nothing else.", .desktop) }

    /// For browsers that ask before a person clicked: they do not show it.
    func tooSoon() -> LinkPage { inEnglish.help(.serviceUnavailable, "Open this link to follow it", nil, .desktop) }

    private var inEnglish: LinkPages { speaking("en") }

    private func described(_ link: FollowedLink) -> LinkPage {
        let own = link.decision.link?.preview ?? LinkPreview()
        let preview = own.words(for: wanted)
            .completed(with: brand.sentence.words(for: wanted)).completed(with: usualPreview.words(for: wanted))
        return LinkPage(
            texts: texts, title: preview.title ?? texts.app, text: preview.description, brand: brand.showing(own), image: preview.image,
            address: "https://\(link.address.host ?? "")\(link.path)"
        )
    }

    /// A phone gets its own store only; a computer may belong to a person with either phone.
    private func help(_ status: HTTPResponse.Status, _ title: String, _ text: String?, _ platform: BrowserPlatform) -> LinkPage {
        var page = LinkPage(status: status, texts: texts, title: title, text: text, brand: brand)
        if let site { page.buttons.append(.init(label: texts[.home], address: site)) }
        if platform != .android, let id = app.appStoreID {
            let address = "https://apps.apple.com/app/id\(id)"
            page.buttons.append(.init(label: texts[.appStore], address: address, isStore: true))
        }
        if platform == .android || platform == .desktop, let android = app.android {
            let address = "https://play.google.com/store/apps/details?id=\(android.package)"
            page.buttons.append(.init(label: texts[.googlePlay], address: address, isStore: true))
        }
        return page
    }
}

extension Snapshot {
    /// In the usual language.
    package func linkPages(of domain: BrandDomain) -> LinkPages {
        LinkPages(configuration.app, linkDomains, preview: configuration.linkPages.preview, brand: domain.page, pageLanguages)
    }
}
