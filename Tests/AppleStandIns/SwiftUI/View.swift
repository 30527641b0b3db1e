// SPDX-License-Identifier: Apache-2.0
//
// The part of Apple's SwiftUI that LandfallApple and its tests use, declared as Swift imports Apple's framework, so that the
// adapter compiles and runs without Apple's SDK. Differences from Apple's: nothing is drawn, and a test moves the scene
// (``SimulatedScene``), which then runs what SwiftUI would run.

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
    public typealias Body = Never
}

extension View where Body == Never {
    public var body: Never { fatalError("A view without parts has no body.") }
}

@resultBuilder public struct ViewBuilder {
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: View { content }
}

@MainActor @preconcurrency public protocol ViewModifier {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
    typealias Content = _ViewModifier_Content<Self>
}

public struct EmptyView: View, Primitive {
    public typealias Body = Never
    nonisolated public init() {}
    func render(in scene: Rendering) {}
}

public struct ModifiedContent<Content, Modifier> {
    public var content: Content
    public var modifier: Modifier

    nonisolated public init(content: Content, modifier: Modifier) {
        self.content = content
        self.modifier = modifier
    }
}

extension ModifiedContent: View, Primitive where Content: View, Modifier: ViewModifier {
    public typealias Body = Never
    func render(in scene: Rendering) {
        let content = content
        scene.connectStates(of: modifier)
        scene.render(modifier.body(content: _ViewModifier_Content { scene in scene.render(content) }))
    }
}

public struct _ViewModifier_Content<Modifier>: View, Primitive where Modifier: ViewModifier {
    public typealias Body = Never
    let rendering: @MainActor (Rendering) -> Void
    func render(in scene: Rendering) { rendering(scene) }
}

extension View {
    public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> { ModifiedContent(content: self, modifier: modifier) }

    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        Effect(content: self) { scene, render in
            let before = EnvironmentValues.current
            EnvironmentValues.current[keyPath: keyPath] = value
            render()
            EnvironmentValues.current = before
        }
    }

    public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        Effect(content: self) { scene, render in
            if let action { scene.appearing.append(action) }
            render()
        }
    }

    public func task<T>(
        id value: T, priority: TaskPriority = .userInitiated, _ action: @escaping @Sendable () async -> Void
    ) -> some View where T: Equatable {
        Effect(content: self) { scene, render in
            scene.task(of: Self.self, id: value, priority, action)
            render()
        }
    }
}

/// A view that does something and then shows its content.
struct Effect<Content: View>: View, Primitive {
    typealias Body = Never
    let content: Content
    let effect: @MainActor (Rendering, _ render: () -> Void) -> Void
    func render(in scene: Rendering) { effect(scene) { scene.render(content) } }
}
