// SPDX-License-Identifier: Apache-2.0

extension LandfallClient {
    /// Forgets the person: erases what the server knows of their profile, with all its installs, then what is stored here.
    ///
    /// From the call on ``collection`` is ``CollectionMode/off``; afterwards this is a new installation that nothing ties to the
    /// one before. Paywalls and links go on. An app that sets ``LandfallConfiguration/collection`` at its next launch turns
    /// collection on again.
    /// - Throws: ``LandfallError`` where the server has not answered yet, or the files cannot be used: after a minute at the
    ///   latest. The wish is kept and tried again, in later launches too: do not ask the person twice. Calling it again joins
    ///   what is under way.
    public func forget() async throws { try await launch.forget() }

    /// Begins anew on this phone, as if the app were installed for the first time: for debug builds, see
    /// `LandfallExplanationView`. Removes the SDK's files and what the keychain keeps, and opens again at once; the server keeps
    /// the install that was, and nothing ties the new one to it. ``collection`` is as the configuration says.
    /// - Throws: ``LandfallError``; a part may be removed then, and calling it again goes on.
    public func resetInstall() async throws { try await launch.resetInstall() }
}
