// SPDX-License-Identifier: Apache-2.0
public import UIKitCore

@MainActor @preconcurrency public protocol UIViewRepresentable: View where Self.Body == Never {
    associatedtype UIViewType: UIView
    @MainActor @preconcurrency func makeUIView(context: Self.Context) -> Self.UIViewType
    @MainActor @preconcurrency func updateUIView(_ uiView: Self.UIViewType, context: Self.Context)
    typealias Context = UIViewRepresentableContext<Self>
}

@MainActor @preconcurrency public struct UIViewRepresentableContext<Representable> where Representable: UIViewRepresentable {
    public let environment: EnvironmentValues
}

extension UIViewRepresentable {
    /// The view is made once, and put into the scene's window.
    func render(in scene: Rendering) {
        let context = Context(environment: .current)
        let view: UIViewType = scene.kept { makeUIView(context: context) }
        updateUIView(view, context: context)
        if view.window == nil { scene.window?.addSubview(view) }
    }
}

public struct Alignment: Hashable, Sendable {
    private let name: String
    public static let center = Alignment(name: "center")
    public static let leading = Alignment(name: "leading")
    public static let trailing = Alignment(name: "trailing")
}

extension View {
    public func background<V>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View where V: View {
        let background = content()
        return Effect(content: self) { scene, render in
            scene.render(background)
            render()
        }
    }
}
