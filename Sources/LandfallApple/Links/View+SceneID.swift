// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
internal import Foundation
internal import Landfall
internal import SwiftUI
#if canImport(UIKit) && !os(watchOS)
internal import UIKit

extension SceneID {
    /// UIKit knows, as soon as there is a window.
    static var unknownScene: SceneID? { nil }
}

extension View {
    /// Says which scene of UIKit this view is in, so that a link that a scene delegate has passed on is the same link.
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
        // Not at once: UIKit may be in the middle of SwiftUI's own update.
        Task { [found] in found?(SceneID(session)) }
    }
}
#else
extension SceneID {
    /// Nobody else names scenes here.
    static var unknownScene: SceneID? { SceneID(rawValue: UUID().uuidString) }
}

extension View {
    func identifiesScene(_ found: @escaping @MainActor (SceneID) -> Void) -> some View { self }
}
#endif
#endif
