// SPDX-License-Identifier: Apache-2.0
public import UIKitCore

@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
    @MainActor @preconcurrency init()
}

@MainActor @preconcurrency public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: Scene {}

@resultBuilder public struct SceneBuilder {
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: Scene { content }
}

public struct WindowGroup<Content>: Scene where Content: View {
    public typealias Body = Never
    public var body: Never { fatalError("A window group has no body.") }

    /// Not in Apple's module: a test shows it (``SimulatedScene``).
    public let makeContent: @MainActor () -> Content

    /// Differs from Apple's in the declared isolation of the closure.
    nonisolated public init(@ViewBuilder makeContent: @escaping @MainActor () -> Content) { self.makeContent = makeContent }
}

@MainActor @preconcurrency @propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType>: DynamicProperty
where DelegateType: NSObject, DelegateType: UIApplicationDelegate {
    @MainActor @preconcurrency public let wrappedValue: DelegateType

    /// Different from Apple's: without the Objective-C runtime only a delegate that is a UIResponder can be made by its type.
    @MainActor @preconcurrency public init(_ delegateType: DelegateType.Type = DelegateType.self) {
        guard let delegate = (delegateType as? UIResponder.Type)?.init() as? DelegateType else {
            fatalError("\(delegateType) is not a UIResponder.")
        }
        wrappedValue = delegate
    }
}
