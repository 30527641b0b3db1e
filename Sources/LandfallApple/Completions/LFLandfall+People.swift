// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import Landfall

// The person, what is known about them, and what they allow.

#if canImport(ObjectiveC)
@objc
#endif
extension LFLandfall {
    /// As `logOut(within:)` of the client, with its default limit. The completion gets nil on success.
    public func logOut(completion: @escaping @MainActor @Sendable ((any Error)?) -> Void) {
        finish(completion) { try await $0.logOut() }
    }

    /// As `setAttributes(_:)` of the client: texts, numbers, booleans and dates, and `NSNull` to remove one.
    /// - Throws: an error that names the attribute; then nothing was accepted.
    public func setAttributes(_ changes: [String: Any]) throws {
        try client.setAttributes(changes.mapValues(AttributeValue.value(of:)))
    }

    /// As `setAttributes(_:within:)` of the client; the time limit is in seconds, 0 to a day. The completion gets nil once the server has
    /// the attributes.
    public func setAttributes(
        _ changes: [String: Any], timeLimit: TimeInterval, completion: @escaping @MainActor @Sendable ((any Error)?) -> Void
    ) {
        let changes = changes.mapValues(AttributeValue.value(of:))
        finish(completion) { try await $0.setAttributes(changes, within: Duration(checked: timeLimit)) }
    }

    /// As `flush(within:)` of the client; the time limit is in seconds, 0 to a day. The completion gets nil once everything that waited
    /// has reached the server.
    public func flush(timeLimit: TimeInterval, completion: @escaping @MainActor @Sendable ((any Error)?) -> Void) {
        finish(completion) { try await $0.flush(within: Duration(checked: timeLimit)) }
    }

    /// As `reportAttribution(source:status:…)` of the client. The status is `organic` or `non_organic`; any other text means
    /// `unknown`.
    /// - Throws: an error that names the argument; then nothing was accepted.
    public func reportAttribution(source: String, status: String, channel: String?, campaign: String?, creative: String?) throws {
        try client.reportAttribution(
            source: AttributionSource(source), status: AttributionStatus(rawValue: status) ?? .unknown, channel: channel,
            campaign: campaign, creative: creative)
    }

    /// The team's own id of the person; nil while nobody is identified.
    public var customerID: String? { client.profile?.customerID }

    /// `full`, `essential` or `off`, as `collection` of the client; any other text means `off`.
    public var collection: String {
        get { client.collection.rawValue }
        set { client.collection = [.full, .essential].first { $0.rawValue == newValue } ?? .off }
    }

    /// As `restorePurchases(within:)` of the client, with its default limit.
    public func restorePurchases(completion: @escaping @MainActor @Sendable ((any Error)?) -> Void) {
        finish(completion) { try await $0.restorePurchases() }
    }

    /// As `forget(within:)` of the client, with its default limit. The completion gets nil once the server and this phone have erased everything.
    public func forget(completion: @escaping @MainActor @Sendable ((any Error)?) -> Void) {
        finish(completion) { try await $0.forget() }
    }

    /// As `resetInstall(within:)` of the client, with its default limit: for debug builds.
    public func resetInstall(completion: @escaping @MainActor @Sendable ((any Error)?) -> Void) {
        finish(completion) { try await $0.resetInstall() }
    }
}

extension LFLandfall {
    private func finish(
        _ completion: @escaping @MainActor @Sendable ((any Error)?) -> Void,
        _ call: @escaping @Sendable (LandfallClient) async throws -> Void
    ) {
        Task { @MainActor [client] in
            do {
                try await call(client)
                completion(nil)
            } catch { completion(error) }
        }
    }
}

extension AttributeValue {
    /// - Returns: nil for `NSNull`, which removes the attribute. Anything but texts, numbers, booleans and dates becomes its description.
    fileprivate static func value(of object: Any) -> AttributeValue? {
        switch object {
        case is NSNull: nil
        case let text as String: .string(text)
        case let date as Date: .date(date)
        #if canImport(ObjectiveC)
        // Each number of Objective-C is an NSNumber, and 0 and 1 would also be booleans.
        case let number as NSNumber:
            CFGetTypeID(number) == CFBooleanGetTypeID() ? .bool(number.boolValue) : .number(number.doubleValue)
        #endif
        case let truth as Bool: .bool(truth)
        case let number as Double: .number(number)
        case let number as Int: .number(Double(number))
        default: .string("\(object)")
        }
    }
}
