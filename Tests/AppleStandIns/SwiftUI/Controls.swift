// SPDX-License-Identifier: Apache-2.0

public struct Button<Label>: View, Primitive where Label: View {
    public typealias Body = Never
    let action: @MainActor () -> Void
    let label: Label

    @preconcurrency public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.action = action
        self.label = label()
    }

    /// Its title is what its label has to read.
    func render(in scene: Rendering) {
        let before = scene.texts.count
        scene.render(label)
        let isEnabled = EnvironmentValues.current.isEnabled
        scene.buttons.append((scene.texts.dropFirst(before).joined(separator: " "), { [action] in if isEnabled { action() } }))
    }
}

extension Button where Label == Text {
    @preconcurrency public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(titleKey) }
    }

    @_disfavoredOverload @preconcurrency
    public init<S>(_ title: S, action: @escaping @MainActor () -> Void) where S: StringProtocol {
        self.init(action: action) { Text(title) }
    }
}

@MainActor @preconcurrency public protocol PrimitiveButtonStyle {}

public struct BorderedButtonStyle: PrimitiveButtonStyle {
    nonisolated public init() {}
}

public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {
    nonisolated public init() {}
}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}

public struct PlainButtonStyle: PrimitiveButtonStyle {
    nonisolated public init() {}
}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

extension View {
    public func buttonStyle<S>(_ style: S) -> some View where S: PrimitiveButtonStyle { unchanged }
}

public struct ProgressView<Label, CurrentValueLabel>: View, Primitive where Label: View, CurrentValueLabel: View {
    public typealias Body = Never
    func render(in scene: Rendering) {}
}

extension ProgressView where CurrentValueLabel == EmptyView {
    public init() where Label == EmptyView {}
}

/// Never shown here.
public struct Alert {
    public init(title: Text, message: Text? = nil) {}
}
