// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall

extension AdaptyProfileParameters {
    /// Collects the values to send; each call changes this builder and returns it.
    public final class Builder {
        private var firstName: String?
        private var lastName: String?
        private var gender: Gender?
        private var birthday: Date?
        private var email: String?
        private var phoneNumber: String?
        private var analyticsDisabled: Bool?
        private var appTrackingTransparencyStatus: AppTrackingTransparencyStatus?
        private var customAttributes: [String: AttributeValue?] = [:]

        public init() {}

        @discardableResult
        public func with(firstName: String?) -> Self { set(\.firstName, firstName) }

        @discardableResult
        public func with(lastName: String?) -> Self { set(\.lastName, lastName) }

        @discardableResult
        public func with(gender: Gender?) -> Self { set(\.gender, gender) }

        @discardableResult
        public func with(birthday: Date?) -> Self { set(\.birthday, birthday) }

        @discardableResult
        public func with(email: String?) -> Self { set(\.email, email) }

        @discardableResult
        public func with(phoneNumber: String?) -> Self { set(\.phoneNumber, phoneNumber) }

        @discardableResult
        public func with(analyticsDisabled: Bool?) -> Self { set(\.analyticsDisabled, analyticsDisabled) }

        @discardableResult
        public func with(appTrackingTransparencyStatus: AppTrackingTransparencyStatus?) -> Self {
            set(\.appTrackingTransparencyStatus, appTrackingTransparencyStatus)
        }

        /// - Parameters:
        ///   - customAttribute: at most 50 characters.
        ///   - key: 1…30 of `[A-Za-z0-9._-]`; at most 30 keys in all.
        /// - Throws: ``AdaptyError`` 3001 that names the limit.
        @discardableResult
        public func with(customAttribute value: String, forKey key: String) throws(AdaptyError) -> Self {
            try change(key, to: .string(value))
        }

        /// - Throws: ``AdaptyError`` 3001, also for a value that is not finite.
        @discardableResult
        public func with(customAttribute value: Double, forKey key: String) throws(AdaptyError) -> Self {
            try change(key, to: .number(value))
        }

        /// Removes the attribute from the profile.
        /// - Throws: ``AdaptyError`` 3001 for a key outside its limits.
        @discardableResult
        public func withRemoved(customAttributeForKey key: String) throws(AdaptyError) -> Self { try change(key, to: nil) }

        public func build() -> AdaptyProfileParameters {
            AdaptyProfileParameters(
                firstName: firstName,
                lastName: lastName,
                gender: gender,
                birthday: birthday,
                email: email,
                phoneNumber: phoneNumber,
                analyticsDisabled: analyticsDisabled,
                appTrackingTransparencyStatus: appTrackingTransparencyStatus,
                customAttributes: customAttributes
            )
        }

        private func set<Value>(_ field: ReferenceWritableKeyPath<Builder, Value>, _ value: Value) -> Self {
            self[keyPath: field] = value
            return self
        }

        private func change(_ key: String, to value: AttributeValue?) throws(AdaptyError) -> Self {
            if case .string(let text) = value { try DocumentedText.check(text, of: key) }
            var changed = customAttributes
            changed.updateValue(value, forKey: key)
            try AdaptyError.translating { try AttributeLimits.check(changed) }
            customAttributes = changed
            return self
        }
    }
}
