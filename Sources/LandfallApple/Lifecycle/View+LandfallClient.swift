// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
public import Landfall
public import SwiftUI

extension View {
    /// Gives the client to this view and all below it, and tells it whenever their scene becomes active or goes
    /// to the background.
    ///
    /// Once, around the app's first view. On iOS the client hears of the foreground without it; on the Mac and the watch this
    /// is how.
    public func landfallClient(_ client: LandfallClient) -> some View {
        modifier(SceneActivation(client: client)).environment(\.landfallClient, client)
    }
}

extension EnvironmentValues {
    /// The client that ``SwiftUI/View/landfallClient(_:)`` gave; nil where it was not called.
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
        // And not onChange, whose one form is deprecated on the newest system and whose other the oldest does not have.
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
