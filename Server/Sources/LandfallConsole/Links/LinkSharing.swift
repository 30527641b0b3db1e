// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// What messengers show of a link that is shared.
struct LinkCard: Hashable, Sendable {
    let title: String
    let text: String?
    let image: String?

    /// - Parameter host: of the link.
    func html(on host: String, _ words: Words) -> HTML {
        div(.class("link-card")) {
            strong { title }
            if let text { p { text } }
            if let image { p(.class("quiet")) { words.linkPreviewImage + words.language.colon + image } }
            p(.class("quiet")) { host }
        }
    }
}

/// The address in a field, with buttons that need a script.
struct LinkCopying {
    let address: String
    /// Other programs of the device can be given it.
    var isShared = false

    func html(_ words: Words) -> HTML {
        div(.class("link-copy")) {
            label(Attribute("for", "address")) { words.linkAddress }
            input(.id("address"), .type("text"), .value(address), .flag("readonly"))
            button(
                .type("button"), .id("copy"), .flag("hidden"), Attribute("data-copy", "address"), Attribute("data-done", words.linkCopied)
            ) { words.linkCopy }
            if isShared { button(.type("button"), .flag("hidden"), Attribute("data-share", "address")) { words.linkShare } }
        }
    }
}

/// A QR code: its dark modules as one line of a drawing.
struct LinkPicture: Hashable, Sendable {
    /// In modules, with the quiet zone.
    let side: Int
    let outline: String

    init(_ code: QRCode) { (side, outline) = (code.side, code.outline) }

    func html(_ name: String) -> HTML {
        svg(
            .class("link-qr"), Attribute("viewBox", "0 0 \(side) \(side)"), Attribute("role", "img"), .label(name),
            Attribute("shape-rendering", "crispEdges")
        ) {
            path(Attribute("fill", "#fff"), Attribute("d", "M0 0h\(side)v\(side)h-\(side)z")) {}
            path(Attribute("fill", "#000"), Attribute("d", outline)) {}
        }
    }
}
