// SPDX-License-Identifier: Apache-2.0

extension LandfallClient {
    /// Erases the person: first the server's data about their profile, with all its installs, then what is stored here.
    ///
    /// From the call on ``collection`` is ``CollectionMode/off``; afterwards this is a new installation without any connection
    /// to the old one. Paywalls and links continue to work. An app that sets ``LandfallConfiguration/collection`` at its next
    /// launch turns collection on again.
    /// - Parameter limit: 0…1 day, anything else is clamped; default 10 seconds. It limits the wait, not the erasure.
    /// - Throws: ``LandfallError`` if the server has not answered yet, or the files cannot be used, at the time limit at the
    ///   latest. The request is stored and retried, in later launches too: do not ask the person twice. A second call joins the
    ///   one under way.
    public func forget(within limit: Duration = .seconds(10)) async throws { try await launch.forget(within: limit) }

    /// Starts over on this phone, as if the app were installed for the first time: for debug builds, see
    /// `LandfallExplanationView`. Removes the SDK's files and its keychain item, and opens again at once; the server keeps the
    /// old install, which has no connection to the new one. ``collection`` is reset to the configuration's value. If ``forget(within:)`` waits for
    /// the server, this call completes that erasure instead.
    /// - Parameter limit: 0…1 day, anything else is clamped; default 10 seconds.
    /// - Throws: ``LandfallError``; a part may be removed then, and the SDK goes on with the rest.
    public func resetInstall(within limit: Duration = .seconds(10)) async throws {
        try await launch.resetInstall(within: limit)
    }
}
