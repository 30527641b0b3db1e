// SPDX-License-Identifier: Apache-2.0

extension Adjust {
    /// Makes and starts a client, or joins the one that the app's other code starts. Returns at once; a second call changes
    /// nothing.
    ///
    /// Without a server or a key the log says what is missing; the calls then wait for a client that other code starts.
    /// - Parameter config: nil, which ``ADJConfig`` gives for an empty token, is logged.
    public static func initSdk(_ config: ADJConfig?) { Connection.current.begin(config) }

    /// As ``initSdk(_:)``.
    public static func appDidLaunch(_ config: ADJConfig?) { Connection.current.begin(config) }

    /// Not needed: the system reports it to Landfall.
    public static func trackSubsessionStart() { Connection.current.notices.say(.subsessions) }
    public static func trackSubsessionEnd() { Connection.current.notices.say(.subsessions) }

    /// Not needed: nothing is delayed.
    public static func sendFirstPackages() { Connection.current.notices.say(.firstSessionDelay) }
    public static func endFirstSessionDelay() { Connection.current.notices.say(.firstSessionDelay) }
    public static func enableCoppaComplianceInDelay() { Connection.current.notices.say(.coppa) }
    public static func disableCoppaComplianceInDelay() { Connection.current.notices.say(.coppa) }
    public static func setExternalDeviceIdInDelay(_ externalDeviceId: String?) {
        Connection.current.notices.say(.externalDeviceId)
    }
}
