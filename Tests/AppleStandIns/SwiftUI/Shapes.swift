// SPDX-License-Identifier: Apache-2.0
public import Foundation

public protocol Shape: Sendable, View {}

public protocol InsettableShape: Shape {}

public struct Rectangle: InsettableShape, Primitive {
    public typealias Body = Never
    nonisolated public init() {}
    func render(in scene: Rendering) {}
}

public enum RoundedCornerStyle: Sendable {
    case circular, continuous
}

public struct RoundedRectangle: InsettableShape, Primitive {
    public typealias Body = Never
    nonisolated public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {}
    func render(in scene: Rendering) {}
}

extension InsettableShape {
    public func strokeBorder<S>(_ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true) -> some View where S: ShapeStyle {
        unchanged
    }
}

public struct Image: Equatable, Sendable {
    public init(systemName: String) {}
}

// In an extension, as Apple's: the type itself belongs to no actor.
extension Image: View, Primitive {
    public typealias Body = Never
    func render(in scene: Rendering) {}
}

public struct Spacer: View, Primitive {
    public typealias Body = Never
    nonisolated public init(minLength: CGFloat? = nil) {}
    func render(in scene: Rendering) {}
}

public struct AnyView: View, Primitive {
    public typealias Body = Never
    private let view: any View
    public init<V>(_ view: V) where V: View { self.view = view }
    func render(in scene: Rendering) { scene.render(view) }
}

public struct Link<Label>: View, Primitive where Label: View {
    public typealias Body = Never
    private let destination: URL
    private let label: Label

    @MainActor @preconcurrency public init(destination: URL, @ViewBuilder label: () -> Label) {
        self.destination = destination
        self.label = label()
    }

    func render(in scene: Rendering) {
        scene.links.append(destination)
        scene.render(label)
    }
}

public struct SafeAreaRegions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let all = SafeAreaRegions(rawValue: 3)
}

extension View {
    public func ignoresSafeArea(_ regions: SafeAreaRegions = .all, edges: Edge.Set = .all) -> some View { unchanged }
    public func contentShape<S>(_ shape: S, eoFill: Bool = false) -> some View where S: Shape { unchanged }

    public func overlay<V>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View where V: View {
        let overlay = content()
        return Effect(content: self) { scene, render in
            render()
            scene.render(overlay)
        }
    }
}

extension SimulatedScene {
    /// Where the shown links lead, in order.
    public var links: [URL] { shown?.links ?? [] }
}
