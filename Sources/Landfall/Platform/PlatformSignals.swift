// SPDX-License-Identifier: Apache-2.0
/// Tells a client what happens around the app. LandfallApple's are the app's lifecycle, the network path and the store's
/// country; an app may add its own, and tests script one.
public protocol PlatformSignals: Sendable {
    /// What holds now, as far as it is known, and then every change, until the reader stops.
    ///
    /// `start()` asks for it once, never on the caller's thread, and nobody waits for what it yields. Must not block.
    func signals() -> AsyncStream<PlatformSignal>
}

/// One thing that the platform says.
public struct PlatformSignal: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case enteredForeground
        case enteredBackground
        case networkPath(isSatisfied: Bool, isDenied: Bool, isConstrained: Bool)
        case storeCountry(String)
    }

    let kind: Kind

    /// A person sees the app, or is about to. As ``LandfallClient/enteredForeground()``.
    public static let enteredForeground = PlatformSignal(kind: .enteredForeground)

    /// Nobody sees the app any more. As ``LandfallClient/enteredBackground()``.
    public static let enteredBackground = PlatformSignal(kind: .enteredBackground)

    /// As ``LandfallClient/networkPathChanged(isSatisfied:isDenied:isConstrained:)``.
    public static func networkPath(
        isSatisfied: Bool, isDenied: Bool = false, isConstrained: Bool = false
    ) -> PlatformSignal {
        PlatformSignal(kind: .networkPath(isSatisfied: isSatisfied, isDenied: isDenied, isConstrained: isConstrained))
    }

    /// The country of the person's app store, ISO 3166-1 alpha-2. Delays nothing: the next first-open request carries it, in
    /// this launch or a later one. Anything but two ASCII letters is ignored.
    public static func storeCountry(_ code: String) -> PlatformSignal { PlatformSignal(kind: .storeCountry(code)) }
}
