// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
public import Landfall
public import SwiftUI

extension View {
    /// Gives the client to this view and all views below it, and tells the client when their scene becomes active or goes to
    /// the background.
    ///
    /// Use it once, around the app's first view. On iOS the client learns of the foreground without it; on the Mac and the
    /// watch it needs it.
    public func landfallClient(_ client: LandfallClient) -> some View {
        modifier(SceneActivation(client: client)).environment(\.landfallClient, client)
    }
}

extension EnvironmentValues {
    /// The client that ``SwiftUI/View/landfallClient(_:)`` gave; nil without that call.
    public var landfallClient: LandfallClient? {
        get { self[LandfallClientKey.self] }
        set { self[LandfallClientKey.self] = newValue }
    }
}

private struct LandfallClientKey: EnvironmentKey {
    static let defaultValue: LandfallClient? = nil
}

private struct SceneActivation: ViewModifier {
    @Environment(\.scenePhase) private var phase
    let client: LandfallClient

    func body(content: Content) -> some View {
        // Not onChange: one of its forms is deprecated on the newest system, and the oldest system does not have the other.
        content.task(id: phase) { [client, phase] in
            switch phase {
            case .active: client.enteredForeground()
            case .background: client.enteredBackground()
            default: break
            }
        }
    }
}
#endif
