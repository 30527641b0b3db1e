// SPDX-License-Identifier: Apache-2.0
public import UIKitCore

/// A view that is rendered by doing something.
@MainActor protocol Primitive {
    func render(in scene: Rendering)
}

/// One pass over a tree of views. What identifies a task, a state or a view of UIKit is its place in the tree, whose shape
/// does not change here.
@MainActor final class Rendering {
    struct Running {
        let view: ObjectIdentifier
        let isSame: (Any) -> Bool
        let task: Task<Void, Never>
    }

    var appearing: [() -> Void] = []
    var texts: [String] = []
    var buttons: [(title: String, action: @MainActor () -> Void)] = []
    var pastes: [@MainActor (String) -> Void] = []
    var shared: [String] = []
    var links: [URL] = []
    var labels: [String] = []
    var headers: [String] = []
    var selected: [String] = []
    var destinations: [(Any) -> (any View)?] = []
    var onOpenURL: [(URL) -> Void] = []
    var onContinueUserActivity: [(type: String, action: (NSUserActivity) -> Void)] = []
    let window: UIWindow?
    let stateChanged: () -> Void
    private(set) var running: [Running] = []
    private(set) var kept: [AnyObject] = []
    private let before: [Running]
    private let keptBefore: [AnyObject]

    init(after before: Rendering?, in window: UIWindow?, stateChanged: @escaping () -> Void) {
        self.before = before?.running ?? []
        keptBefore = before?.kept ?? []
        self.window = window
        self.stateChanged = stateChanged
    }

    func render<V: View>(_ view: V) {
        connectStates(of: view)
        if let view = view as? any Primitive {
            view.render(in: self)
        } else if let view = view as? any UIViewRepresentable {
            view.render(in: self)
        } else {
            render(view.body)
        }
    }

    /// Goes on while the view and the value are the same, and begins anew when one of them has changed.
    func task<T: Equatable>(of view: Any.Type, id: T, _ priority: TaskPriority, _ action: @escaping @Sendable () async -> Void) {
        let earlier = running.count < before.count ? before[running.count] : nil
        let view = ObjectIdentifier(view)
        if let earlier, earlier.view == view, earlier.isSame(id) { return running.append(earlier) }
        earlier?.task.cancel()
        running.append(
            Running(view: view, isSame: { $0 as? T == id }, task: Task(priority: priority) { @MainActor in await action() }))
    }

    /// The value that an earlier pass kept at this place, or a new one if another view was there.
    func kept<Object: AnyObject>(if fits: (Object) -> Bool = { _ in true }, _ make: () -> Object) -> Object {
        let earlier = kept.count < keptBefore.count ? keptBefore[kept.count] as? Object : nil
        let object = earlier.flatMap { fits($0) ? $0 : nil } ?? make()
        kept.append(object)
        return object
    }

    /// The states of a view or modifier live as long as its place does; its environment is the one that it is rendered in.
    func connectStates(of value: Any) {
        for child in Mirror(reflecting: value).children {
            (child.value as? any HasEnvironmentPlace)?.environmentPlace.values = .current
            (child.value as? any HasObservedObject)?.observe(stateChanged)
            guard let state = (child.value as? any HasStatePlace)?.statePlace else { continue }
            state.use(kept(if: state.fits) { state.makeKept() }, didChange: stateChanged)
        }
    }
}

/// Not in Apple's module: a scene that a test shows, and moves from phase to phase.
@MainActor public final class SimulatedScene<Root: View> {
    private let root: Root
    private let window: UIWindow?
    /// A window does not keep its scene; the system does.
    private let scene: UIWindowScene?
    private var phase = ScenePhase.background
    private var rendering: Rendering?
    /// How often a view has dismissed itself.
    public private(set) var dismissals = 0

    /// - Parameter scene: what UIKit has of it; nil as on systems without UIKit.
    public init(_ root: Root, in scene: UIWindowScene? = nil) {
        self.root = root
        self.scene = scene
        window = scene.map { UIWindow(windowScene: $0) }
    }

    /// The scene is connected in this phase: views appear.
    public func connect(_ phase: ScenePhase) {
        move(to: phase)
        rendering?.appearing.forEach { $0() }
    }

    /// Views appear once more, as after another tab was shown.
    public func appearAgain(_ phase: ScenePhase) { connect(phase) }

    public func move(to phase: ScenePhase) {
        self.phase = phase
        render()
    }

    /// As SwiftUI does after a state has changed.
    private func render() {
        var values = EnvironmentValues()
        values.scenePhase = phase
        values.dismissing = DismissAction { [weak self] in self?.dismissals += 1 }
        EnvironmentValues.current = values
        let rendering = Rendering(after: rendering, in: window) { [weak self] in
            Task { @MainActor in if self?.rendering != nil { self?.render() } }
        }
        rendering.render(root)
        self.rendering = rendering
    }

    /// Returns when everything that the last change of phase started has ended.
    public func settle() async { for running in rendering?.running ?? [] { await running.task.value } }

    /// The scene is gone, with the tasks of its views.
    public func disconnect() {
        rendering?.running.forEach { $0.task.cancel() }
        rendering = nil
    }

    var shown: Rendering? { rendering }
    var onOpenURL: [(URL) -> Void] { rendering?.onOpenURL ?? [] }
    var onContinueUserActivity: [(type: String, action: (NSUserActivity) -> Void)] {
        rendering?.onContinueUserActivity ?? []
    }
}
