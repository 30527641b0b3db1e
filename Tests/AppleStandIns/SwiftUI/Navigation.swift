// SPDX-License-Identifier: Apache-2.0

@propertyWrapper public struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void

    init(reading get: @escaping () -> Value, writing set: @escaping (Value) -> Void) {
        self.get = get
        self.set = set
    }

    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }

    public var projectedValue: Binding<Value> { self }

    public static func constant(_ value: Value) -> Binding<Value> { Binding(reading: { value }, writing: { _ in }) }
}

/// Different from Apple's: the root and the last screen of the path are rendered, one after the other.
public struct NavigationStack<Data, Root>: View, Primitive where Root: View {
    public typealias Body = Never
    let root: Root
    private let last: Any?

    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection, Data.Element: Hashable {
        self.root = root()
        last = path.wrappedValue.last.map { $0 as Any }
    }

    func render(in scene: Rendering) {
        scene.render(root)
        guard let last else { return }
        for destination in scene.destinations { if let screen = destination(last) { scene.render(screen) } }
    }
}

/// Different from Apple's: only its label is rendered.
public struct NavigationLink<Label, Destination>: View, Primitive where Label: View, Destination: View {
    public typealias Body = Never
    let label: Label
    func render(in scene: Rendering) { scene.render(label) }
}

extension NavigationLink where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: () -> Destination) { label = Text(titleKey) }
}

extension View {
    public func navigationDestination<D, C>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View where D: Hashable, C: View {
        Effect(content: self) { scene, render in
            scene.destinations.append { value in (value as? D).map { destination($0) } }
            render()
        }
    }

    public func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        task(id: 0, priority: priority, action)
    }
}

extension App {
    /// There is no screen here.
    @MainActor @preconcurrency public static func main() { print("This app runs on Apple's systems.") }
}
