// SPDX-License-Identifier: Apache-2.0

extension Adjust {
    /// Where the user came from; nil while it is not known, and if it never will be.
    public static func attribution() -> ADJAttribution? { Connection.current.delegateCalls.attribution }

    /// As ``attribution()``, on the main thread, at once: nothing is waited for.
    public static func attribution(completionHandler: @escaping @MainActor (ADJAttribution?) -> Void) {
        let attribution = attribution()
        Task { await completionHandler(attribution) }
    }
}
