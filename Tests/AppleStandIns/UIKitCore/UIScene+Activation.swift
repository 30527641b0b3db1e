// SPDX-License-Identifier: Apache-2.0

extension UIScene {
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive = 0
        case foregroundInactive = 1
        case background = 2
    }

    public var activationState: ActivationState { SimulatedScenes.states[ObjectIdentifier(self)]?.state ?? .unattached }
}

extension UIApplication {
    public var connectedScenes: Set<UIScene> { Set(SimulatedScenes.states.values.map { $0.scene }) }
}

/// Not in Apple's module: the scenes of this process, whose states a test sets.
@MainActor public enum SimulatedScenes {
    fileprivate static var states: [ObjectIdentifier: (scene: UIScene, state: UIScene.ActivationState)] = [:]

    public static func set(_ scene: UIScene, _ state: UIScene.ActivationState?) {
        states[ObjectIdentifier(scene)] = state.map { (scene: scene, state: $0) }
    }
}
