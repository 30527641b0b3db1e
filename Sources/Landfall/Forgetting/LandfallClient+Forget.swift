// SPDX-License-Identifier: Apache-2.0

extension LandfallClient {
    /// Erases the person: first the server's data about their profile, with all its installs, then what is stored here.
    ///
    /// From the call on ``collection`` is ``CollectionMode/off``; afterwards this is a new installation without any connection
    /// to the old one. Paywalls and links continue to work. An app that sets ``LandfallConfiguration/collection`` at its next
    /// launch turns collection on again.
    /// - Throws: ``LandfallError`` if the server has not answered yet, or the files cannot be used: after a minute at the
    ///   latest. The request is stored and retried, in later launches too: do not ask the person twice. A second call joins the
    ///   one under way.
    public func forget() async throws { try await launch.forget() }

    /// Starts over on this phone, as if the app were installed for the first time: for debug builds, see
    /// `LandfallExplanationView`. Removes the SDK's files and its keychain item, and opens again at once; the server keeps the
    /// old install, which has no connection to the new one. ``collection`` is reset to the configuration's value. If ``forget()`` waits for
    /// the server, that is done instead.
    /// - Throws: ``LandfallError``; a part may be removed then, and a second call completes it.
    public func resetInstall() async throws { try await launch.resetInstall() }
}
