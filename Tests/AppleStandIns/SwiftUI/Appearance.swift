// SPDX-License-Identifier: Apache-2.0

public enum ColorScheme: CaseIterable, Sendable {
    case light, dark
}

public enum LayoutDirection: Hashable, CaseIterable, Sendable {
    case leftToRight, rightToLeft
}

public enum DynamicTypeSize: Hashable, Comparable, CaseIterable, Sendable {
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
    case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5

    public var isAccessibilitySize: Bool { self >= .accessibility1 }
}

extension EnvironmentValues {
    public var colorScheme: ColorScheme {
        get { self[ColorSchemeKey.self] }
        set { self[ColorSchemeKey.self] = newValue }
    }

    public var layoutDirection: LayoutDirection {
        get { self[LayoutDirectionKey.self] }
        set { self[LayoutDirectionKey.self] = newValue }
    }

    public var dynamicTypeSize: DynamicTypeSize {
        get { self[DynamicTypeSizeKey.self] }
        set { self[DynamicTypeSizeKey.self] = newValue }
    }

    public var isEnabled: Bool {
        get { self[IsEnabledKey.self] }
        set { self[IsEnabledKey.self] = newValue }
    }
}

private struct ColorSchemeKey: EnvironmentKey {
    static let defaultValue = ColorScheme.light
}

private struct LayoutDirectionKey: EnvironmentKey {
    static let defaultValue = LayoutDirection.leftToRight
}

private struct DynamicTypeSizeKey: EnvironmentKey {
    static let defaultValue = DynamicTypeSize.large
}

private struct IsEnabledKey: EnvironmentKey {
    static let defaultValue = true
}

@MainActor @preconcurrency public struct DismissAction {
    let action: @MainActor () -> Void
    @MainActor @preconcurrency public func callAsFunction() { action() }
}

extension EnvironmentValues {
    public var dismiss: DismissAction { self[DismissKey.self] ?? .nothing }

    /// Not in Apple's module: how the scene learns of it.
    var dismissing: DismissAction? {
        get { self[DismissKey.self] }
        set { self[DismissKey.self] = newValue }
    }
}

extension DismissAction {
    nonisolated fileprivate static var nothing: DismissAction { MainActor.assumeIsolated { DismissAction {} } }
}

private struct DismissKey: EnvironmentKey {
    static var defaultValue: DismissAction? { nil }
}

public protocol ShapeStyle: Sendable {}

extension Color: ShapeStyle {}

extension View {
    public func foregroundStyle<S>(_ style: S) -> some View where S: ShapeStyle { unchanged }
    public func tint(_ tint: Color?) -> some View { unchanged }

    public func disabled(_ disabled: Bool) -> some View {
        Effect(content: self) { scene, render in
            let before = EnvironmentValues.current
            if disabled { EnvironmentValues.current.isEnabled = false }
            render()
            EnvironmentValues.current = before
        }
    }
}
