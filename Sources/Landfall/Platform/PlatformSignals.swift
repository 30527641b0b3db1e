// SPDX-License-Identifier: Apache-2.0
/// Tells a client what happens around the app. LandfallApple reports the app's lifecycle, the network path and the store's
/// country; an app may add its own, and tests script one.
public protocol PlatformSignals: Sendable {
    /// First the current values, as far as they are known, then every change, until the reader stops.
    ///
    /// `start()` calls it once, never on the caller's thread, and nothing waits for its values. Must not block.
    func signals() -> AsyncStream<PlatformSignal>
}

/// One report of the platform.
public struct PlatformSignal: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case enteredForeground
        case enteredBackground
        case networkPath(isSatisfied: Bool, isDenied: Bool, isConstrained: Bool)
        case storeCountry(String)
    }

    let kind: Kind

    /// The app is visible, or is about to be. As ``LandfallClient/enteredForeground()``.
    public static let enteredForeground = PlatformSignal(kind: .enteredForeground)

    /// The app is no longer visible. As ``LandfallClient/enteredBackground()``.
    public static let enteredBackground = PlatformSignal(kind: .enteredBackground)

    /// As ``LandfallClient/networkPathChanged(isSatisfied:isDenied:isConstrained:)``.
    public static func networkPath(
        isSatisfied: Bool, isDenied: Bool = false, isConstrained: Bool = false
    ) -> PlatformSignal {
        PlatformSignal(kind: .networkPath(isSatisfied: isSatisfied, isDenied: isDenied, isConstrained: isConstrained))
    }

    /// The country of the person's app store, ISO 3166-1 alpha-2. It delays nothing: the next first-open request contains it,
    /// in this launch or a later one. Anything but two ASCII letters is ignored.
    public static func storeCountry(_ code: String) -> PlatformSignal { PlatformSignal(kind: .storeCountry(code)) }
}
