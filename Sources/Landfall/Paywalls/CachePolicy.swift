// SPDX-License-Identifier: Apache-2.0
/// When a stored paywall may answer a call without asking the server. With every policy, a stored paywall answers if the server
/// does not.
public struct CachePolicy: Hashable, Sendable {
    enum Rule: Hashable, Sendable {
        case reload
        case cacheElseLoad
        case cacheIfYounger(than: Duration)
    }

    let rule: Rule

    /// Asks the server. Only an attributed user's own targeted paywall is shown from the cache at once and refreshed in the
    /// background.
    public static let reload = CachePolicy(rule: .reload)
    /// Uses the stored paywall whatever its age, else the server's.
    public static let returnCacheElseLoad = CachePolicy(rule: .cacheElseLoad)
    /// Uses the stored paywall if it is younger than that (0…365 days, else clamped), else the server's.
    public static func returnCacheIfNotExpired(maxAge: Duration) -> CachePolicy {
        CachePolicy(rule: .cacheIfYounger(than: maxAge.clamped(to: .zero ... .days(365))))
    }
}
