// SPDX-License-Identifier: Apache-2.0
public import Foundation

public struct HorizontalAlignment: Equatable, Sendable {
    private let name: String
    public static let leading = HorizontalAlignment(name: "leading")
    public static let center = HorizontalAlignment(name: "center")
    public static let trailing = HorizontalAlignment(name: "trailing")
}

public struct VStack<Content>: View, Primitive where Content: View {
    public typealias Body = Never
    let content: Content

    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    func render(in scene: Rendering) { scene.render(content) }
}

public struct VerticalAlignment: Equatable, Sendable {
    private let name: String
    public static let center = VerticalAlignment(name: "center")
    public static let firstTextBaseline = VerticalAlignment(name: "firstTextBaseline")
}

public struct HStack<Content>: View, Primitive where Content: View {
    public typealias Body = Never
    let content: Content

    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    func render(in scene: Rendering) { scene.render(content) }
}

public struct ScrollView<Content>: View, Primitive where Content: View {
    public typealias Body = Never
    public var content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    func render(in scene: Rendering) { scene.render(content) }
}

public struct List<SelectionValue, Content>: View, Primitive where SelectionValue: Hashable, Content: View {
    public typealias Body = Never
    let content: Content
    func render(in scene: Rendering) { scene.render(content) }
}

extension List where SelectionValue == Never {
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

public struct ForEach<Data, ID, Content> where Data: RandomAccessCollection, ID: Hashable {
    public var data: Data
    public var content: (Data.Element) -> Content
}

extension ForEach: View, Primitive where Content: View {
    public typealias Body = Never
    func render(in scene: Rendering) { for element in data { scene.render(content(element)) } }
}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.data = data
        self.content = content
    }
}

extension ForEach where Content: View {
    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.data = data
        self.content = content
    }
}

public enum Edge: Int8, CaseIterable {
    case top, leading, bottom, trailing

    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let all = Set(rawValue: 15)
    }
}

extension View {
    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { unchanged }
    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { unchanged }
    public func opacity(_ opacity: Double) -> some View { unchanged }
}
