// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A colour of remote config, in sRGB.
public struct PaywallColor: Hashable, Sendable {
    public let red: UInt8
    public let green: UInt8
    public let blue: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    public static let black = PaywallColor(red: 0, green: 0, blue: 0)
    public static let white = PaywallColor(red: 255, green: 255, blue: 255)

    /// - Parameter hex: `#0B6B5B`; nil for any other form.
    public init?(hex: String) {
        guard hex.utf8.count == 7, hex.utf8.first == UInt8(ascii: "#"), !hex.utf8.contains(UInt8(ascii: "+")),
            let value = UInt32(hex.dropFirst(), radix: 16)
        else { return nil }
        self.init(red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
    }

    /// How well one is read on the other, as in WCAG 2: 1…21. Texts need 4.5.
    public func contrast(with other: PaywallColor) -> Double {
        let (one, another) = (luminance, other.luminance)
        return (max(one, another) + 0.05) / (min(one, another) + 0.05)
    }

    /// Black or white: what is read better on this colour.
    public var readable: PaywallColor { contrast(with: .black) >= contrast(with: .white) ? .black : .white }

    /// Relative luminance, 0…1.
    private var luminance: Double { 0.2126 * Self.light(red) + 0.7152 * Self.light(green) + 0.0722 * Self.light(blue) }

    private static func light(_ channel: UInt8) -> Double {
        let part = Double(channel) / 255
        return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
}

/// The colours that a team gave to its paywall; what it did not give is the system's.
public struct PaywallColors: Hashable, Sendable {
    /// One for the light and one for the dark appearance.
    public struct Pair: Hashable, Sendable {
        public let light: PaywallColor
        public let dark: PaywallColor

        public init(light: PaywallColor, dark: PaywallColor) {
            self.light = light
            self.dark = dark
        }
    }

    /// Of the main button, the chosen product and the features' symbols.
    public let accent: Pair?
    /// On the accent. There is one as soon as there is an accent: the team's, else black or white.
    public let onAccent: Pair?
    public let background: Pair?
    /// On the background. There is one as soon as there is a background: the team's, else black or white. Without a background of the
    /// team there is none: the system's may be as dark as the text.
    public let text: Pair?

    public init(accent: Pair? = nil, onAccent: Pair? = nil, background: Pair? = nil, text: Pair? = nil) {
        self.accent = accent
        self.onAccent = accent.map { onAccent ?? $0.readable }
        self.background = background
        self.text = background.map { text ?? $0.readable }
    }
}

extension PaywallColors.Pair {
    fileprivate var readable: Self { Self(light: light.readable, dark: dark.readable) }

    /// The lower contrast of the two appearances.
    func contrast(with other: Self) -> Double { min(light.contrast(with: other.light), dark.contrast(with: other.dark)) }
}
