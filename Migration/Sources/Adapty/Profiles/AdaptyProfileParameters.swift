// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall
#if canImport(AppTrackingTransparency)
public import AppTrackingTransparency
#endif

/// The app's values for the person, for `Adapty.updateProfile`; made by ``Builder``.
///
/// Landfall keeps no personal data that it does not need: names, addresses, numbers, gender and birthday are accepted, so that
/// code compiles, and never leave the phone. Use custom attributes for audiences.
public struct AdaptyProfileParameters: Sendable {
    #if canImport(AppTrackingTransparency)
    public typealias AppTrackingTransparencyStatus = ATTrackingManager.AuthorizationStatus
    #else
    /// The values of Apple's own type, which this platform does not have.
    public enum AppTrackingTransparencyStatus: UInt, Sendable {
        case notDetermined, restricted, denied, authorized
    }
    #endif

    public typealias Gender = AdaptyProfile.Gender

    public let firstName: String?
    public let lastName: String?
    public let gender: Gender?
    public let birthday: Date?
    public let email: String?
    public let phoneNumber: String?
    /// True: only the data that paywalls need is sent.
    public let analyticsDisabled: Bool?
    /// Changes nothing: Landfall does not track people across apps.
    public let appTrackingTransparencyStatus: AppTrackingTransparencyStatus?
    /// The attributes to set; those with nil are removed.
    let customAttributes: [String: AttributeValue?]
}

extension AdaptyProfile {
    /// Accepted, and never leaves the phone.
    public enum Gender: String, Sendable, Codable, CaseIterable {
        case female, male, other
    }
}

extension AdaptyProfileParameters {
    /// Settings of the app that have no effect here.
    var notices: [Notice] {
        let isPersonal =
            firstName != nil || lastName != nil || gender != nil || birthday != nil || email != nil || phoneNumber != nil
        return [isPersonal ? .personalData : nil, appTrackingTransparencyStatus != nil ? .trackingStatus : nil]
            .compactMap { $0 }
    }
}

extension Notice {
    static let personalData = Notice(
        "Names, addresses, numbers, gender and birthday stay on the phone. For audiences use with(customAttribute:forKey:).")
    static let trackingStatus = Notice(
        "appTrackingTransparencyStatus changes nothing: Landfall does not track people across apps. Leave it out.")
}
