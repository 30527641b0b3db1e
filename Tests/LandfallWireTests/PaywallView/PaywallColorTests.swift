// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@Suite("Colours of the ready paywall", .timeLimit(.minutes(1)))
struct PaywallColorTests {
    private let green = PaywallColor(red: 11, green: 107, blue: 91)
    private let pale = PaywallColor(red: 255, green: 255, blue: 153)

    @Test("A colour has six hexadecimal digits", arguments: ["#0B6B5B", "#0b6b5b"])
    func hex(text: String) {
        #expect(PaywallColor(hex: text) == green)
    }

    @Test("Everything else is no colour", arguments: ["", "#", "0B6B5B", "#0B6B5", "#0B6B5B0", "#GGGGGG", "#+12345", "#-12345", "red", "＃0B6B5B"])
    func noHex(text: String) {
        #expect(PaywallColor(hex: text) == nil)
    }

    @Test("The contrast is that of WCAG 2")
    func contrast() {
        #expect(abs(PaywallColor.black.contrast(with: .white) - 21) < 0.001)
        #expect(PaywallColor.white.contrast(with: .white) == 1)
        #expect(abs(PaywallColor(red: 118, green: 118, blue: 118).contrast(with: .white) - 4.54) < 0.01)
        #expect(green.readable == .white && pale.readable == .black)
    }

    @Test("A colour for both appearances, or one for each")
    func pairs() {
        let colors = PaywallContent.read(["colors": ["accent": "#0B6B5B", "background": ["light": "#FFFF99", "dark": "#000000"]]]).colors

        #expect(colors.accent == .init(light: green, dark: green))
        #expect(colors.background == .init(light: pale, dark: .black))
    }

    @Test("A text without a colour of the team's is black or white, what is read better on the colour behind it")
    func readable() {
        let colors = PaywallContent.read(["colors": ["accent": "#0B6B5B", "background": ["light": "#FFFF99", "dark": "#000000"]]]).colors

        #expect(colors.onAccent == .init(light: .white, dark: .white))
        #expect(colors.text == .init(light: .black, dark: .white))
    }

    @Test("A text that is hard to read gets the readable colour, and is named")
    func unreadable() {
        let content = PaywallContent.read(["colors": ["accent": "#FFFF99", "onAccent": "#FFFFFF", "background": "#000000", "text": "#EEEEEE"]])

        #expect(content.paths == ["colors.onAccent"])
        #expect(content.colors.onAccent?.light == .black)
        #expect(content.colors.text?.dark == PaywallColor(red: 238, green: 238, blue: 238))
    }

    @Test("A text without its background is not used: the system's background may be as dark", arguments: [("text", "colors.text"), ("onAccent", "colors.onAccent")])
    func alone(key: String, path: String) {
        let content = PaywallContent.read(["colors": .object([key: "#000000"])])

        #expect(content.colors == PaywallColors())
        #expect(content.paths == [path])
    }
}
