// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    /// The `page` of a brand domain.
    mutating func brandPage(_ node: ConfigurationNode) -> BrandPage {
        var page = BrandPage()
        guard let fields = fields(node, of: "'page'", optional: ["icon", "colour", "sentence"]) else { return page }
        page.icon = fields["icon"].flatMap { icon($0) }
        page.colour = fields["colour"].flatMap { colour($0) } ?? page.colour
        page.sentence = fields["sentence"].map { sentence($0) } ?? page.sentence
        return page
    }

    private mutating func icon(_ node: ConfigurationNode) -> BrandPage.Icon? {
        guard let text = text(node, "'icon'", longest: BrandPage.mostIconBytes) else { return nil }
        if let icon = BrandPage.Icon(text) { return icon }
        note(
            node.place,
            "'icon' cannot be '\(text.shortened)'. Pages load nothing from elsewhere: write the picture itself as data:image/png;base64,… or data:image/jpeg;base64,…, or one or two characters.")
        return nil
    }

    private mutating func colour(_ node: ConfigurationNode) -> String? {
        let text = matching(node, "'colour'", "Write it as \"#0a7cff\", in quotes: outside them # begins a comment.") { BrandPage.colour($0) != nil }
        return text.flatMap { BrandPage.colour($0) }
    }

    /// One text, or one for each locale.
    private mutating func sentence(_ node: ConfigurationNode) -> LinkPreview {
        guard case .mapping = node.content else {
            return LinkPreview(description: text(node, "'sentence'", longest: Limits.previewDescription))
        }
        var sentence = LinkPreview(locales: [:])
        for entry in locales(node, of: "'sentence'", most: LinkPreview.mostLocales) {
            let text = text(entry.value, "'sentence'", longest: Limits.previewDescription)
            sentence.locales?[entry.locale.rawValue] = LinkPreview.Words(description: text)
        }
        return sentence
    }
}
