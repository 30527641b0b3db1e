// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Adjust {
    /// Does nothing: the completion gets ``SkanNotHere`` at once, on the main thread. Logged once.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(updateSkanConversionValue:coarseValue:lockWindow:withCompletionHandler:)
    #endif
    public static func updateSkanConversionValue(
        _ conversionValue: Int, coarseValue: String?, lockWindow: NSNumber?,
        withCompletionHandler completion: (@MainActor ((any Error)?) -> Void)?
    ) {
        Connection.current.refuseSkan(completion)
    }

    @nonobjc public static func updateSkanConversionValue(
        _ conversionValue: Int, coarseValue: String?, lockWindow: NSNumber?
    ) async throws {
        let error = await withCheckedContinuation { done in
            updateSkanConversionValue(conversionValue, coarseValue: coarseValue, lockWindow: lockWindow) {
                done.resume(returning: $0)
            }
        }
        if let error { throw error }
    }

    /// The first generation's names.
    public static func updateConversionValue(_ conversionValue: Int) { Connection.current.refuseSkan(nil) }

    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(updatePostbackConversionValue:completionHandler:)
    #endif
    public static func updatePostbackConversionValue(
        _ conversionValue: Int, completionHandler completion: (@MainActor ((any Error)?) -> Void)?
    ) {
        Connection.current.refuseSkan(completion)
    }

    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(updatePostbackConversionValue:coarseValue:completionHandler:)
    #endif
    public static func updatePostbackConversionValue(
        _ fineValue: Int, coarseValue: String, completionHandler completion: (@MainActor ((any Error)?) -> Void)?
    ) {
        Connection.current.refuseSkan(completion)
    }

    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(updatePostbackConversionValue:coarseValue:lockWindow:completionHandler:)
    #endif
    public static func updatePostbackConversionValue(
        _ fineValue: Int, coarseValue: String, lockWindow: Bool,
        completionHandler completion: (@MainActor ((any Error)?) -> Void)?
    ) {
        Connection.current.refuseSkan(completion)
    }

    @nonobjc public static func updatePostbackConversionValue(_ conversionValue: Int) async throws {
        try await updateSkanConversionValue(conversionValue, coarseValue: nil, lockWindow: nil)
    }

    @nonobjc public static func updatePostbackConversionValue(_ fineValue: Int, coarseValue: String) async throws {
        try await updateSkanConversionValue(fineValue, coarseValue: coarseValue, lockWindow: nil)
    }

    @nonobjc public static func updatePostbackConversionValue(
        _ fineValue: Int, coarseValue: String, lockWindow: Bool
    ) async throws {
        try await updateSkanConversionValue(fineValue, coarseValue: coarseValue, lockWindow: NSNumber(value: lockWindow))
    }
}

/// No conversion value was set.
public struct SkanNotHere: Error, CustomStringConvertible {
    public var description: String { "No conversion value was set. \(IdleName.skan.instead)" }
}

extension Connection {
    func refuseSkan(_ completion: (@MainActor ((any Error)?) -> Void)?) {
        notices.say(.skan)
        Task { await completion?(SkanNotHere()) }
    }
}
