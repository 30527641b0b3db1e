// SPDX-License-Identifier: Apache-2.0

extension Adjust {
    /// Where the user came from; nil while nobody knows yet, and where nobody will.
    public static func attribution() -> ADJAttribution? { Connection.current.delegateCalls.attribution }

    /// As ``attribution()``, on the main thread, at once: nothing is waited for.
    public static func attribution(completionHandler: @escaping @MainActor (ADJAttribution?) -> Void) {
        let attribution = attribution()
        Task { await completionHandler(attribution) }
    }
}
