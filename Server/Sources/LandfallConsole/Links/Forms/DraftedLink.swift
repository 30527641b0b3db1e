// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer

/// What can be told of a link before it is made: beside its form, and again whenever somebody has typed.
struct DraftedLink {
    enum Suffix: Hashable, Sendable {
        case free
        case refused(String)
    }

    /// Nil where there cannot be such a link.
    var place: LinkPlace?
    /// Nil where nothing is to be said about it.
    var suffix: Suffix?
    var card: LinkCard?
    /// Empty until the whole form can be used.
    var happenings: [LinkTapOutcome] = []
    /// Why there is no more to tell yet.
    var missing: String?

    private static let part = Attribute.flag("data-part")

    /// The parts of the form's page that follow from its fields; the script puts each at the place of the same id.
    func parts(of draft: LinkDraft, _ words: Words) -> HTML {
        document(words.language) {
            body {
                p(.id("suffix-state"), Self.part) { suffixState(words) }
                for fold in LinkFold.allCases { p(.id(fold.place), Self.part) { draft.said(in: fold, words) } }
                div(.id("drafted"), Self.part) { html(words) }
                // The destination and the fields of its tags say the same.
                for (name, value) in [("to", draft.to), ("was", draft.to)] + TaggedAddress.names.map({ ("\($0)", draft.tag("\($0)")) }) {
                    input(.id(name), .value(value), Self.part)
                }
            }
        }
    }

    /// The link as it will be, beside the form with this id. Without script a button asks for it again.
    func aside(of form: StaticString, _ words: Words) -> HTML {
        section(.class("block")) {
            h2 { words.linkDraft }
            div(.id("drafted")) { html(words) }
            button(.name("show"), .value("1"), Attribute("form", "\(form)"), .flag("formnovalidate")) { words.linkDraftShow }
        }
    }

    func suffixState(_ words: Words) -> HTML {
        switch suffix {
        case nil: .empty
        case .free: strong { words.linkSuffixFree }
        case .refused(let sentence): span(.class("problem")) { sentence }
        }
    }

    @HTMLBuilder func html(_ words: Words) -> HTML {
        if let place {
            LinkCopying(address: place.url).html(words)
            if let code = QRCode(place.url) { LinkPicture(code).html(words.linkQRCode(place.host + place.path.text)) }
        }
        if let missing { p(.class("note")) { missing } }
        if let place, let card {
            h3 { words.linkPreview }
            card.html(on: place.host, words)
        }
        if !happenings.isEmpty {
            h3 { words.linkHappens }
            LinkTapOutcome.list(happenings, words)
        }
    }
}
