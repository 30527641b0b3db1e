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
}

/// Only the root is rendered here, never a screen above it.
public struct NavigationStack<Data, Root>: View, Primitive where Root: View {
    public typealias Body = Never
    let root: Root

    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection, Data.Element: Hashable {
        self.root = root()
    }

    func render(in scene: Rendering) { scene.render(root) }
}

extension View {
    public func navigationDestination<D, C>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View where D: Hashable, C: View {
        unchanged
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
