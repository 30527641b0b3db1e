// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A paywall of the configuration, rendered once for every locale that it has.
struct Paywall: Hashable, Sendable {
    let id: PaywallID
    private let inDefaultLocale: WirePaywall
    private let localized: [LocaleCode: WirePaywall]

    /// - Parameter remoteConfig: holds a value for the default locale, or is empty.
    init(id: PaywallID, productIDs: [String], defaultLocale: LocaleCode?, remoteConfig: [LocaleCode: JSONValue]) {
        self.id = id
        func rendered(_ locale: LocaleCode?, _ value: JSONValue?) -> WirePaywall {
            WirePaywall(
                name: id, variationId: VariationID(id.rawValue),
                remoteConfig: locale.flatMap { locale in value.map { .init(locale: locale.rawValue, value: $0) } },
                productIds: productIDs
            )
        }
        inDefaultLocale = rendered(defaultLocale, defaultLocale.flatMap { remoteConfig[$0] })
        localized = Dictionary(uniqueKeysWithValues: remoteConfig.map { ($0.key, rendered($0.key, $0.value)) })
    }

    /// The exact locale, else the same without its last part and so on down to the language, else the default.
    func rendered(for locale: LocaleCode?) -> WirePaywall {
        var wanted = locale
        while let code = wanted {
            if let found = localized[code] { return found }
            wanted = code.parent
        }
        return inDefaultLocale
    }
}
