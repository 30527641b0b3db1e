// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall

extension Adapty {
    /// The last known profile, from the phone; a first launch waits for the server, for at most 5 seconds.
    /// - Throws: ``AdaptyError`` 2005 if there is none yet, 2002.
    public static func getProfile() async throws(AdaptyError) -> AdaptyProfile {
        try await Activation.current.profile()
    }

    /// Tells about the person. On disk when this returns; sent in the background.
    /// - Throws: ``AdaptyError`` 3001 for custom attributes outside their limits, 2002.
    public static func updateProfile(params: AdaptyProfileParameters) async throws(AdaptyError) {
        try await Activation.current.update(params)
    }

    /// Attaches the team's own id of the person to the profile: 1…128 characters.
    /// - Parameter token: not used: Landfall makes no purchases yet. The log says so once.
    /// - Throws: ``AdaptyError`` 3001, 2003, 2004, 2005, 2002.
    public static func identify(
        _ customerUserId: String, withAppAccountToken token: UUID? = nil
    ) async throws(AdaptyError) {
        if token != nil { say(.appAccountToken) }
        try await Activation.current.identify(customerUserId)
    }

    /// Gives this install a fresh, anonymous profile. Its attribution stays.
    /// - Throws: ``AdaptyError`` 2003, 2004, 2005, 2002.
    public static func logout() async throws(AdaptyError) {
        try await Activation.current.logOut()
    }

    /// Keeps another product's id of this person as the custom attribute `key`, if `landfall.yaml` declares one.
    /// - Throws: ``AdaptyError`` 3001 for a key or value outside the limits of custom attributes, 2002.
    public static func setIntegrationIdentifier(key: String, value: String) async throws(AdaptyError) {
        try await Activation.current.set([key: .string(value)])
    }
}
