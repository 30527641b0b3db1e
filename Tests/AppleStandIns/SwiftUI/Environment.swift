// SPDX-License-Identifier: Apache-2.0

public enum ScenePhase: Comparable, Hashable, Sendable {
    case background
    case inactive
    case active
}

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Self.Value { get }
}

public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    public init() {}

    public subscript<K>(key: K.Type) -> K.Value where K: EnvironmentKey {
        get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    public var scenePhase: ScenePhase {
        get { self[ScenePhaseKey.self] }
        set { self[ScenePhaseKey.self] = newValue }
    }

    /// The environment of the view that is being rendered; only the main actor renders.
    nonisolated(unsafe) static var current = EnvironmentValues()
}

private struct ScenePhaseKey: EnvironmentKey {
    static let defaultValue = ScenePhase.background
}

@propertyWrapper public struct Environment<Value>: DynamicProperty {
    private let keyPath: KeyPath<EnvironmentValues, Value>
    private let place = EnvironmentPlace()

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

    public var wrappedValue: Value { (place.values ?? .current)[keyPath: keyPath] }
}

/// The environment of the view at its rendering: its tasks and actions, which run later, use the same.
final class EnvironmentPlace {
    var values: EnvironmentValues?
}

protocol HasEnvironmentPlace {
    var environmentPlace: EnvironmentPlace { get }
}

extension Environment: HasEnvironmentPlace {
    var environmentPlace: EnvironmentPlace { place }
}

public protocol DynamicProperty {}
