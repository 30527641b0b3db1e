// SPDX-License-Identifier: Apache-2.0

extension Adjust {
    /// Where the user came from; nil while it is not known, and if it never will be.
    public static func attribution() -> ADJAttribution? { Connection.current.delegateCalls.attribution }

    /// As ``attribution()``, on the main thread, as soon as it is known; nil if it never will be, and after 30 s.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(attributionWithCompletionHandler:)
    #endif
    public static func attribution(completionHandler completion: @escaping @MainActor (ADJAttribution?) -> Void) {
        Connection.current.attribution(within: Connection.patience, completion)
    }

    /// As ``attribution(completionHandler:)``, with a time limit.
    /// - Parameter timeoutMs: in milliseconds; nil afterwards.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(attributionWithTimeout:completionHandler:)
    #endif
    public static func attribution(
        withTimeout timeoutMs: Int, completionHandler completion: @escaping @MainActor (ADJAttribution?) -> Void
    ) {
        Connection.current.attribution(within: .milliseconds(max(0, timeoutMs)), completion)
    }

    @nonobjc public static func attribution(withTimeout timeoutMs: Int) async -> ADJAttribution? {
        await withCheckedContinuation { done in attribution(withTimeout: timeoutMs) { done.resume(returning: $0) } }
    }
}
