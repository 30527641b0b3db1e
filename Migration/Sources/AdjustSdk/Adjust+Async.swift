// SPDX-License-Identifier: Apache-2.0
public import Adjust

// The second generation has completions where the first one has values: their async twins are here and not in module `Adjust`,
// where an async function would take the place of the value in every async function of an app.
extension Adjust {
    /// The id of this installation, as soon as it is known; nil after 30 s.
    @nonobjc public static func adid() async -> String? {
        await withCheckedContinuation { done in adid { done.resume(returning: $0) } }
    }

    /// Where the user came from, as soon as it is known; nil if it never will be, and after 30 s.
    @nonobjc public static func attribution() async -> ADJAttribution? {
        await withCheckedContinuation { done in attribution { done.resume(returning: $0) } }
    }

    @nonobjc public static func isEnabled() async -> Bool {
        await withCheckedContinuation { done in isEnabled { done.resume(returning: $0) } }
    }

    @nonobjc public static func lastDeeplink() async -> URL? {
        await withCheckedContinuation { done in lastDeeplink { done.resume(returning: $0) } }
    }

    @nonobjc public static func idfa() async -> String? {
        await withCheckedContinuation { done in idfa { done.resume(returning: $0) } }
    }

    @nonobjc public static func idfv() async -> String? {
        await withCheckedContinuation { done in idfv { done.resume(returning: $0) } }
    }

    @nonobjc public static func sdkVersion() async -> String? {
        await withCheckedContinuation { done in sdkVersion { done.resume(returning: $0) } }
    }
}
