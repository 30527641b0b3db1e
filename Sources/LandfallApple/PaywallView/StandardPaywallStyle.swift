// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
public import Landfall
public import SwiftUI

/// The style that ``LandfallPaywallView`` has if the app sets none: texts, products below each other, one main button.
///
/// Every text grows with Dynamic Type. At the accessibility sizes the button scrolls with the page; otherwise it stays at the bottom.
public struct StandardPaywallStyle: PaywallStyle {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View { StandardPaywall(configuration: configuration) }
}

extension PaywallStyle where Self == StandardPaywallStyle {
    public static var standard: StandardPaywallStyle { StandardPaywallStyle() }
}

private struct StandardPaywall: View {
    @Environment(\.colorScheme) private var colorScheme
    @Environment(\.dynamicTypeSize) private var typeSize
    let configuration: PaywallStyleConfiguration

    private var paywall: ReadyPaywall { configuration.paywall }

    var body: some View {
        VStack(spacing: 0) {
            if typeSize.isAccessibilitySize {
                ScrollView {
                    page
                    bar
                }
            } else {
                ScrollView { page }
                bar
            }
        }
        .foregroundStyle(color(paywall.colors.text) ?? .primary)
        .tint(color(paywall.colors.accent))
        .background { if let background = color(paywall.colors.background) { background.ignoresSafeArea() } }
    }

    private func color(_ pair: PaywallColors.Pair?) -> Color? { pair.map { Color(colorScheme == .dark ? $0.dark : $0.light) } }

    private var accent: Color { color(paywall.colors.accent) ?? .accentColor }

    private var page: some View {
        VStack(alignment: .leading, spacing: 24) {
            if let close = paywall.closeButton {
                HStack {
                    Spacer()
                    Button(action: { configuration.perform(close.action) }) { Image(systemName: "xmark").padding() }
                        .buttonStyle(.plain)
                        .accessibilityLabel(Text(verbatim: close.title))
                }
            }
            heading
            VStack(alignment: .leading, spacing: 12) {
                ForEach(Array(paywall.features.enumerated()), id: \.offset) { feature($0.element) }
            }
            VStack(spacing: 12) { ForEach(paywall.products) { product($0) } }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
        .padding()
    }

    private var heading: some View {
        VStack(alignment: .leading, spacing: 8) {
            if let title = paywall.title { Text(verbatim: title).font(.largeTitle).accessibilityAddTraits(.isHeader) }
            if let subtitle = paywall.subtitle { Text(verbatim: subtitle).font(.title) }
        }
    }

    private func feature(_ feature: PaywallContent.Feature) -> some View {
        HStack(alignment: .firstTextBaseline, spacing: 12) {
            Image(systemName: feature.symbol).foregroundStyle(accent).accessibilityHidden(true)
            VStack(alignment: .leading, spacing: 4) {
                Text(verbatim: feature.title)
                if let detail = feature.detail { Text(verbatim: detail).font(.subheadline).opacity(0.8) }
            }
        }
    }

    private func product(_ product: ReadyPaywall.Product) -> some View {
        Button(action: { configuration.select(product) }) {
            HStack(alignment: .firstTextBaseline, spacing: 12) {
                // Shown by a form too, not by a colour alone.
                Image(systemName: product.isSelected ? "checkmark.circle.fill" : "circle").foregroundStyle(accent)
                VStack(alignment: .leading, spacing: 4) {
                    Text(verbatim: product.name).font(.headline)
                    if let badge = product.badge { Text(verbatim: badge).font(.caption).foregroundStyle(accent) }
                    Text(verbatim: product.offer ?? product.price)
                    if let monthly = product.monthlyPrice { Text(verbatim: monthly).font(.subheadline).opacity(0.8) }
                    if let detail = product.detail { Text(verbatim: detail).font(.subheadline).opacity(0.8) }
                }
            }
            .frame(maxWidth: .infinity, alignment: .leading)
            .padding()
            .overlay {
                RoundedRectangle(cornerRadius: 12)
                    .strokeBorder(product.isSelected ? accent : .secondary, lineWidth: product.isSelected ? 2 : 1)
            }
            .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .accessibilityLabel(Text(verbatim: product.accessibilityLabel))
        .accessibilityAddTraits(product.isSelected ? .isSelected : [])
    }

    // MARK: The bar at the bottom

    private var bar: some View {
        VStack(spacing: 12) {
            if let message = paywall.message { message.view }
            if let activity = paywall.activity { ProgressView().accessibilityLabel(Text(verbatim: activity)) }
            mainButton
            if let footnote = paywall.footnote { Text(verbatim: footnote).font(.footnote).multilineTextAlignment(.center) }
            if let restore = paywall.restoreButton {
                Button(action: { configuration.perform(restore.action) }) { Text(verbatim: restore.title).font(.footnote) }
                    .disabled(!restore.isEnabled)
            }
            // Below each other where the texts are large.
            ForEach(paywall.links, id: \.url) { link in
                Link(destination: link.url) { Text(verbatim: link.title).font(.footnote) }
            }
        }
        .padding()
    }

    private var mainButton: some View {
        let button = paywall.mainButton
        return Button(action: { configuration.perform(button.action) }) {
            if let onAccent = color(paywall.colors.onAccent) {
                Text(verbatim: button.title).font(.headline).frame(maxWidth: .infinity).foregroundStyle(onAccent)
            } else {
                Text(verbatim: button.title).font(.headline).frame(maxWidth: .infinity)
            }
        }
        .buttonStyle(.borderedProminent)
        .disabled(!button.isEnabled)
    }
}

extension ReadyPaywall.Message {
    @MainActor @ViewBuilder fileprivate var view: some View {
        HStack(alignment: .firstTextBaseline, spacing: 8) {
            Image(systemName: isProblem ? "exclamationmark.triangle" : "info.circle").accessibilityHidden(true)
            Text(verbatim: text)
        }
    }
}

extension Color {
    /// For styles of the app: a colour of ``ReadyPaywall/colors``.
    public init(_ color: PaywallColor) {
        self.init(red: Double(color.red) / 255, green: Double(color.green) / 255, blue: Double(color.blue) / 255)
    }
}
#endif
