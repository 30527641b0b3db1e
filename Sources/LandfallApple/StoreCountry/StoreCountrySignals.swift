// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
public import Landfall
internal import StoreKit

/// Reports the country of the person's App Store account, once it is known. The App Store may be slow or never answer; no call
/// waits for it.
public final class StoreCountrySignals: PlatformSignals {
    public init() {}

    public func signals() -> AsyncStream<PlatformSignal> {
        let (stream, voice) = AsyncStream<PlatformSignal>.makeStream()
        let asking = Task {
            if let code = await Storefront.current?.countryCode, let country = CountryCode.alpha2(ofAlpha3: code) {
                voice.yield(.storeCountry(country))
            }
            voice.finish()
        }
        voice.onTermination = { _ in asking.cancel() }
        return stream
    }
}
#endif
