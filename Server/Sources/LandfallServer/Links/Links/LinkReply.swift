// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallRules
import LandfallWire

/// A request for a link in a browser.
package struct LinkQuestion: Hashable, Sendable {
    /// A brand domain, in lower case.
    package let host: String
    /// The target as written in the first line of the request.
    package let target: String
    package let visitor: LinkVisitor
    /// A browser requests the link before a person clicked.
    package let isAhead: Bool
    /// Two capital letters; nil is not known.
    package let country: String?

    package init(host: String, target: String, visitor: LinkVisitor, isAhead: Bool, country: String? = nil) {
        (self.host, self.target, self.visitor, self.isAhead, self.country) = (host, target, visitor, isAhead, country)
    }

    /// Compares targets byte by byte: a cached link must not answer a different address. The country is left out, because few
    /// answers depend on it: see ``LinkReply/answers(_:)``.
    package static func == (left: LinkQuestion, right: LinkQuestion) -> Bool {
        left.target.hasSameBytes(as: right.target) && left.host.hasSameBytes(as: right.host)
            && left.visitor == right.visitor && left.isAhead == right.isAhead
    }

    package func hash(into hasher: inout Hasher) {
        target.hashBytes(into: &hasher)
        host.hashBytes(into: &hasher)
        hasher.combine(visitor)
        hasher.combine(isAhead)
    }
}

/// The answer to a visitor of a link, and what is stored of the click. It is decided only here, for both ways to the answer. A
/// class, because it is cached: copying its many texts takes longer than finding it.
package final class LinkReply: Sendable {
    package enum Form: Sendable {
        case missing
        case expired
        /// Its start is still to come.
        case early
        /// A prefetch: if the browser kept this answer, it would later follow the link without a click here.
        case tooSoon
        case preview
        case redirect(RedirectHead)
        case page(LinkOpening)
    }

    package let link: FollowedLink
    package let form: Form
    /// Nil if no click is stored.
    package let outcome: Click.Outcome?
    /// No link is stored at its path.
    let isInvented: Bool
    /// The app and the place that a visitor's number is about.
    let visited: String
    /// The path in the stored click, cut to its length: the same for all who get this reply.
    let path: LinkPath
    let labels: LinkLabels
    let parameters: [String: String]
    /// Apple's id of the custom product page that this visitor's App Store shows; nil for machines.
    let productPage: String?
    /// When the reply is valid: until the link starts or expires, or until it was read too long ago.
    let times: Range<Int64>
    /// The country that the reply is for; nil for every other one.
    private let country: String?
    private let asksCountry: Bool

    /// - Parameters:
    ///   - usual: the ways of this domain for links without ways of their own.
    ///   - storePage: the domain's.
    ///   - times: when the values that were read are valid.
    init(
        _ link: FollowedLink, to question: LinkQuestion, _ app: App, _ domains: LinkDomains, usual: PlatformWays,
        storePage: StorePage = StorePage(), times: Range<Int64>
    ) {
        self.link = link
        isInvented = link.decision == .tracked
        visited = "\(app.id)\n\(link.address.host ?? "")\(link.path)"
        path = link.decision.link == nil ? ClickLimits.cut(link.path) : link.path
        labels = link.labels.kept(on: link.decision.link)
        parameters = ClickLimits.kept(link.parameters.others)
        let endMs: Int64? =
            switch link.decision {
            case .stored(let link): link.expiresAtMs
            case .early(let link): link.startsAtMs
            default: nil
            }
        self.times = times.clamped(to: .min..<(endMs ?? .max))
        country = question.country
        asksCountry = link.decision.link?.asksCountry ?? false
        let opening: LinkOpening?
        (form, outcome, opening) = Self.form(link, question, app, domains, usual, storePage)
        productPage = question.visitor.kind == .person ? opening?.storeAddress.flatMap { StoreAddress.productPage($0) } : nil
    }

    /// True if this is also the reply to a question of this visitor's country, which equals the question that it was made for.
    func answers(_ question: LinkQuestion) -> Bool { !asksCountry || country == question.country }

    private static func form(
        _ link: FollowedLink, _ question: LinkQuestion, _ app: App, _ domains: LinkDomains, _ usual: PlatformWays,
        _ storePage: StorePage
    ) -> (Form, Click.Outcome?, LinkOpening?) {
        let visitor = question.visitor
        switch link.decision {
        case .reserved, .notFound: return (.missing, nil, nil)
        case .expired: return (.expired, .expired, nil)
        case .early: return (.early, .expired, nil)
        case .stored, .ownPath, .tracked: break
        }
        if question.isAhead { return (.tooSoon, .page, nil) }
        guard visitor.kind == .person || visitor.kind == .head else { return (.preview, .page, nil) }
        let opening = LinkOpening(link, visitor, app, domains, usual: usual, storePage: storePage)
        switch opening.outcome {
        case .store(let address): return (.redirect(RedirectHead(to: address)), .store, opening)
        case .web(let address): return (.redirect(RedirectHead(to: address)), .web, opening)
        case .page: return (.page(opening), .page, opening)
        }
    }
}

extension String {
    /// For a header field: other characters are percent-encoded.
    var asciiOnly: String {
        if utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return self }
        return unicodeScalars.map { scalar in
            (0x21...0x7E).contains(scalar.value) ? String(scalar) : String(scalar).percentEncoded
        }.joined()
    }
}
