// SPDX-License-Identifier: Apache-2.0
public import Foundation

public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
    let key: String
    public init(_ value: String) { key = value }
    public init(stringLiteral value: String) { key = value }
}

public struct Text: View, Primitive, Equatable {
    public typealias Body = Never
    let text: String

    nonisolated public init(verbatim content: String) { text = content }
    @_disfavoredOverload nonisolated public init<S>(_ content: S) where S: StringProtocol { text = String(content) }
    nonisolated public init(
        _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil
    ) { text = key.key }

    func render(in scene: Rendering) { scene.texts.append(text) }
}

public struct Font: Hashable, Sendable {
    public enum TextStyle: Sendable { case body, footnote }
    public enum Design: Sendable { case `default`, monospaced }

    private let style: String
    public static let largeTitle = Font(style: "largeTitle")
    public static let title = Font(style: "title")
    public static let headline = Font(style: "headline")
    public static let subheadline = Font(style: "subheadline")
    public static let caption = Font(style: "caption")
    public static let footnote = Font(style: "footnote")
    public static func system(_ style: TextStyle, design: Design) -> Font { Font(style: "\(style), \(design)") }
}

public enum TextAlignment: Hashable, CaseIterable, Sendable {
    case leading, center, trailing
}

extension View {
    public func font(_ font: Font?) -> some View { unchanged }
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { unchanged }
    public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { unchanged }
    @_disfavoredOverload public func navigationTitle<S>(_ title: S) -> some View where S: StringProtocol { unchanged }

    /// The style makes no difference, because nothing is drawn.
    var unchanged: some View { Effect(content: self) { _, render in render() } }
}

extension SimulatedScene {
    /// The readable texts, in order.
    public var texts: [String] { shown?.texts ?? [] }

    /// Presses the button of this title.
    public func press(_ title: String) { shown?.buttons.first { $0.title == title }?.action() }
}
