// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

extension PaywallPreview {
    private static let headings: Set = ["title", "headline", "heading"]
    private static let buttons: Set = ["button", "cta", "buttontitle", "action"]
    private static let mostTexts = 20
    /// Texts behind so many values are not looked for.
    private static let mostLookedAt = 2_000

    init(_ config: ConfigurationNode?, products: [String], locale: String?) {
        self.init(config.map { RemoteConfigLeaf.first(Self.mostLookedAt, of: $0) } ?? [], products: products, locale: locale)
        ready = config.flatMap { ReadyPaywallPreview($0.value(isJSON: true), products: products, locale: locale ?? "en") }
    }

    /// Picks the texts that most paywalls show: a heading, lines, a button. The app decides what it shows indeed.
    private init(_ leaves: [RemoteConfigLeaf], products: [String], locale: String?) {
        var heading: String?, button: String?, lines: [String] = []
        for leaf in leaves {
            guard case .scalar(let text, _) = leaf.node.content, case .string? = leaf.node.value(isJSON: true) as JSONValue?, !text.isEmpty,
                text.contains(" ") || !text.contains("://"), !RemoteConfigKind.isColor(text)
            else { continue }
            let key = leaf.steps.reversed().lazy.compactMap { step -> String? in if case .key(let key) = step { key } else { nil } }.first
            let name = (key ?? "").lowercased()
            if heading == nil, Self.headings.contains(name) {
                heading = text
            } else if button == nil, Self.buttons.contains(name) {
                button = text
            } else if lines.count < Self.mostTexts {
                lines.append(text)
            }
        }
        self.init(locale: locale, heading: heading, lines: lines, products: products, button: button)
    }
}
