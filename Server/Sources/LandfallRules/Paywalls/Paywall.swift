// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// A paywall of the configuration, rendered once for every locale that it has.
package struct Paywall: Hashable, Sendable {
    let id: PaywallID
    private let inDefaultLocale: LocalizedPaywall
    private let localized: [LocaleCode: LocalizedPaywall]

    /// - Parameters:
    ///   - remoteConfig: holds a value for the default locale, or is empty.
    ///   - variationID: nil for its own name.
    init(
        id: PaywallID, variationID: VariationID? = nil, productIDs: [String], defaultLocale: LocaleCode?,
        remoteConfig: [LocaleCode: JSONValue]
    ) {
        self.id = id
        func rendered(_ locale: LocaleCode?, _ value: JSONValue?) -> LocalizedPaywall {
            LocalizedPaywall(
                WirePaywall(
                    name: id, variationId: variationID ?? VariationID(id.rawValue),
                    remoteConfig: locale.flatMap { locale in value.map { .init(locale: locale.rawValue, value: $0) } },
                    productIds: productIDs
                ))
        }
        inDefaultLocale = rendered(defaultLocale, defaultLocale.flatMap { remoteConfig[$0] })
        localized = Dictionary(uniqueKeysWithValues: remoteConfig.map { ($0.key, rendered($0.key, $0.value)) })
    }

    /// By ``LocaleFallback``: the exact locale, else its language in the same script, else its language, else the default.
    package func localized(for locale: LocaleCode?) -> LocalizedPaywall {
        guard !localized.isEmpty, let locale else { return inDefaultLocale }
        return locale.first { localized[$0] } ?? inDefaultLocale
    }

    /// In the default locale first, then in every one.
    package var inEveryLocale: [WirePaywall] { [inDefaultLocale.wire] + localized.values.map(\.wire) }

    /// The locales of its remote config.
    package var locales: [LocaleCode] { localized.keys.sorted { $0.rawValue < $1.rawValue } }

    package func rendered(for locale: LocaleCode?) -> WirePaywall { localized(for: locale).wire }
}

/// One paywall in one locale, with its bytes for every answer. A class, because decisions pass it on.
package final class LocalizedPaywall: Hashable, Sendable {
    package let wire: WirePaywall
    /// The same as JSON.
    package let json: [UInt8]

    init(_ wire: WirePaywall) {
        self.wire = wire
        json = wire.json()
    }

    package static func == (left: LocalizedPaywall, right: LocalizedPaywall) -> Bool { left === right || left.wire == right.wire }

    package func hash(into hasher: inout Hasher) { hasher.combine(wire) }
}
