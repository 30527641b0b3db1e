// SPDX-License-Identifier: Apache-2.0

extension LandfallClient {
    /// Forgets the person: erases what the server knows of their profile, with all its installs, then what is stored here.
    ///
    /// From the call on ``collection`` is ``CollectionMode/off``; afterwards this is a new installation that nothing ties to the
    /// one before. Paywalls and links go on. An app that sets ``LandfallConfiguration/collection`` at its next launch turns
    /// collection on again.
    /// - Throws: ``LandfallError`` where the server has not answered yet. The wish is kept and tried again, in later launches
    ///   too: do not ask the person twice. Calling it again joins what is under way.
    public func forget() async throws { try await launch.forget() }
}
