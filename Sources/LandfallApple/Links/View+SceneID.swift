// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
internal import Foundation
internal import Landfall
internal import SwiftUI
#if canImport(UIKit) && !os(watchOS)
internal import UIKit

extension SceneID {
    /// UIKit knows the scene as soon as there is a window.
    static var unknownScene: SceneID? { nil }
}

extension View {
    /// Finds the UIKit scene of this view, so that a link that a scene delegate has forwarded is recognised as the same link.
    func identifiesScene(_ found: @escaping @MainActor (SceneID) -> Void) -> some View {
        background { SceneFinder(found: found) }
    }
}

private struct SceneFinder: UIViewRepresentable {
    let found: @MainActor (SceneID) -> Void

    func makeUIView(context: Context) -> WindowObserver {
        let view = WindowObserver()
        view.isHidden = true
        view.isUserInteractionEnabled = false
        return view
    }

    func updateUIView(_ view: WindowObserver, context: Context) { view.found = found }
}

private final class WindowObserver: UIView {
    var found: (@MainActor (SceneID) -> Void)?

    override func didMoveToWindow() {
        super.didMoveToWindow()
        guard let session = window?.windowScene?.session else { return }
        // Not at once: UIKit may be inside SwiftUI's own update.
        Task { [found] in found?(SceneID(session)) }
    }
}
#else
extension SceneID {
    /// No other code names scenes on this platform.
    static var unknownScene: SceneID? { SceneID(rawValue: UUID().uuidString) }
}

extension View {
    func identifiesScene(_ found: @escaping @MainActor (SceneID) -> Void) -> some View { self }
}
#endif
#endif
