// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallWire

/// Keeps installs and the people they belong to.
///
/// Every call with a valid credential creates an unknown install, so that a wiped server heals itself, and returns the install
/// after the call. A call that changes something returns after the change is on disk. A call with an idempotency key does its
/// work once per key and install.
///
/// - Throws: ``InstallError`` is final; a call that fails with `DatabaseError` may succeed later; `CancellationError` if the
///   caller gave up.
package protocol InstallStore: Sendable {
    /// A first or later open: the phone's device facts, its token, its attributes, its links. One write, or none if nothing is
    /// new.
    func open(_ app: AppID, _ credential: Credential, _ opening: Opening, nowMs: Int64) async throws -> Opened

    /// The install as an open would leave it, from what can be read at once; writes nothing.
    func unstored(_ app: AppID, _ credential: Credential, _ opening: Opening, nowMs: Int64) throws -> OpenedInstall

    /// The install as it is now.
    /// - Parameter device: its device, if the call names it: taken where the store does not know one.
    func install(_ app: AppID, _ credential: Credential, device: String?, nowMs: Int64) async throws -> Install

    /// The install as it is now, on the calling thread. Nil if that would have to wait, or the install is unknown.
    /// - Parameter readsLastSeen: whether the install's last visit is needed.
    /// - Throws: ``InstallError/profileMismatch``.
    func knownAtOnce(_ app: AppID, _ proof: InstallProof, readsLastSeen: Bool) throws -> KnownInstall?

    /// The install as it is now, for a caller that was authenticated before (a stream); nil if the install is gone.
    func install(_ app: AppID, _ id: InstallID) async throws -> Install?

    /// Assigns the install to the experiments that it reaches, and returns it with its assignments on disk.
    func enrol(_ app: AppID, _ credential: Credential, _ enrolling: Enrollment, nowMs: Int64) async throws -> Install

    /// A token that comes after the open. The same token again changes nothing; `coming` is not stored.
    func report(_ app: AppID, _ credential: Credential, _ token: AdToken, nowMs: Int64) async throws -> Install

    /// The attribution that another provider gave the app; stored as unverified.
    func record(_ app: AppID, _ credential: Credential, _ claim: AttributionClaim, nowMs: Int64) async throws -> Install

    func change(_ app: AppID, _ credential: Credential, _ changes: AttributeChanges, nowMs: Int64) async throws -> Install

    /// The click of a link that reached the app; it may attribute the install.
    func record(_ app: AppID, _ credential: Credential, _ report: ClickReport, nowMs: Int64) async throws -> Install

    /// The same from a caller with only the app's public key: it attributes nothing. The idempotency key is unique within the
    /// app.
    func recordUnproven(_ app: AppID, _ report: ClickReport, nowMs: Int64) async throws

    /// The link that was tapped before the app was installed. Its click may attribute the install.
    func claim(
        _ app: AppID, _ credential: Credential, _ claim: DeferredClaim, nowMs: Int64
    ) async throws -> DeferredLinkAnswer

    func identify(_ app: AppID, _ credential: Credential, _ person: Identification, nowMs: Int64) async throws -> Install

    /// Gives the install a fresh, anonymous profile. Its attribution stays.
    func logOut(_ app: AppID, _ credential: Credential, key: IdempotencyKey, nowMs: Int64) async throws -> Install
}

extension InstallStore {
    func install(_ app: AppID, _ credential: Credential, nowMs: Int64) async throws -> Install {
        try await install(app, credential, device: nil, nowMs: nowMs)
    }
}
