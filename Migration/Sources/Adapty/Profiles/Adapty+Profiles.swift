// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall

extension Adapty {
    /// The last known profile, from the phone; a first launch waits for the server, for at most 5 seconds.
    /// - Throws: ``AdaptyError`` 2005 if there is none yet, 2002.
    public static func getProfile() async throws(AdaptyError) -> AdaptyProfile {
        try await Activation.current.profile()
    }

    /// Sets facts about the person. Returns when the server has the custom attributes, after 5 seconds at the latest: a paywall that is
    /// requested then is the one for these attributes.
    /// - Throws: ``AdaptyError`` 3001 for custom attributes outside their limits, 2003 if the server refuses them, 2002. 2004 and 2005 if
    ///   the server has not taken them in time: they stay on the phone, and are sent later.
    public static func updateProfile(params: AdaptyProfileParameters) async throws(AdaptyError) {
        try await Activation.current.update(params)
    }

    /// Attaches the team's own id of the person to the profile: 1…128 characters.
    /// - Parameter token: not used: a purchase carries the profile's own. The log says so once.
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
    /// - Throws: as ``updateProfile(params:)``.
    public static func setIntegrationIdentifier(key: String, value: String) async throws(AdaptyError) {
        try await Activation.current.set([key: .string(value)])
    }
}
