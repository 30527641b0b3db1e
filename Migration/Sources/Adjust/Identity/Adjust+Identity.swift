// SPDX-License-Identifier: Apache-2.0
import Landfall

extension Adjust {
    /// The id of this installation: random, not an id of the device, and different after a reinstall. nil before it is known.
    public static func adid() -> String? { Connection.current.adid }

    /// As ``adid()``, on the main thread, as soon as it is known; nil after 30 s.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(adidWithCompletionHandler:)
    #endif
    public static func adid(completionHandler completion: @escaping @MainActor (String?) -> Void) {
        Connection.current.adid(within: Connection.patience, completion)
    }

    /// As ``adid(completionHandler:)``, with a time limit.
    /// - Parameter timeoutMs: in milliseconds; nil afterwards.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(adidWithTimeout:completionHandler:)
    #endif
    public static func adid(withTimeout timeoutMs: Int, completionHandler completion: @escaping @MainActor (String?) -> Void) {
        Connection.current.adid(within: .milliseconds(max(0, timeoutMs)), completion)
    }

    @nonobjc public static func adid(withTimeout timeoutMs: Int) async -> String? {
        await withCheckedContinuation { done in adid(withTimeout: timeoutMs) { done.resume(returning: $0) } }
    }

    /// nil, always: the advertising id is not read. Logged once.
    public static func idfa() -> String? {
        Connection.current.notices.say(.idfa)
        return nil
    }

    /// As ``idfa()``, on the main thread.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(idfaWithCompletionHandler:)
    #endif
    public static func idfa(completionHandler completion: @escaping @MainActor (String?) -> Void) {
        let idfa = idfa()
        Task { await completion(idfa) }
    }

    /// nil, always: no device identifier is read. Logged once.
    public static func idfv() -> String? {
        Connection.current.notices.say(.idfv)
        return nil
    }

    /// As ``idfv()``, on the main thread.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(idfvWithCompletionHandler:)
    #endif
    public static func idfv(completionHandler completion: @escaping @MainActor (String?) -> Void) {
        let idfv = idfv()
        Task { await completion(idfv) }
    }

    /// `landfall`: the app's lock file names the release.
    public static func sdkVersion() -> String? { "landfall" }

    /// As ``sdkVersion()``, on the main thread.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(sdkVersionWithCompletionHandler:)
    #endif
    public static func sdkVersion(completionHandler completion: @escaping @MainActor (String?) -> Void) {
        let version = sdkVersion()
        Task { await completion(version) }
    }
}
