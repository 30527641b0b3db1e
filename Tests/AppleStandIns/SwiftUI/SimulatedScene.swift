// SPDX-License-Identifier: Apache-2.0

/// A view that is rendered by doing something.
@MainActor protocol Primitive {
    func render(in scene: Rendering)
}

/// One pass over a tree of views. What identifies a task is its place in the tree, whose shape does not change here.
@MainActor final class Rendering {
    struct Running {
        let isSame: (Any) -> Bool
        let task: Task<Void, Never>
    }

    var appearing: [() -> Void] = []
    private(set) var running: [Running] = []
    private let before: [Running]

    init(after before: [Running]) { self.before = before }

    func render<V: View>(_ view: V) {
        if let view = view as? any Primitive { view.render(in: self) } else { render(view.body) }
    }

    /// Goes on while the value is the same, and begins anew when it has changed.
    func task<T: Equatable>(id: T, _ priority: TaskPriority, _ action: @escaping @Sendable () async -> Void) {
        let earlier = running.count < before.count ? before[running.count] : nil
        if let earlier, earlier.isSame(id) { return running.append(earlier) }
        earlier?.task.cancel()
        running.append(
            Running(isSame: { $0 as? T == id }, task: Task(priority: priority) { @MainActor in await action() }))
    }
}

/// Not in Apple's module: a scene that a test shows, and moves from phase to phase.
@MainActor public final class SimulatedScene<Root: View> {
    private let root: Root
    private var running: [Rendering.Running] = []

    public init(_ root: Root) { self.root = root }

    /// The scene is connected in this phase: views appear.
    public func connect(_ phase: ScenePhase) { render(phase).appearing.forEach { $0() } }

    /// Views appear once more, as after another tab was shown.
    public func appearAgain(_ phase: ScenePhase) { connect(phase) }

    public func move(to phase: ScenePhase) { _ = render(phase) }

    /// Returns when what the last change of phase began has ended.
    public func settle() async { for running in running { await running.task.value } }

    private func render(_ phase: ScenePhase) -> Rendering {
        var values = EnvironmentValues()
        values.scenePhase = phase
        EnvironmentValues.current = values
        let rendering = Rendering(after: running)
        rendering.render(root)
        running = rendering.running
        return rendering
    }
}
