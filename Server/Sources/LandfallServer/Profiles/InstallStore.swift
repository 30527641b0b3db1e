// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Keeps installs and the people they belong to.
///
/// Every call with a valid credential creates the install where it is unknown, so that a wiped server heals itself, and
/// gives the install as it is afterwards. A call that changes something returns after the change is on disk. Calls that
/// carry an idempotency key do their work once per key and install.
///
/// - Throws: ``InstallError`` is final; a `DatabaseError` may succeed later; `CancellationError` when the caller gave up.
protocol InstallStore: Sendable {
    /// A first or later open: what the phone says of itself, its token, its attributes, its links. One write, or none if
    /// nothing is new.
    func open(_ app: AppID, _ credential: Credential, _ opening: Opening, nowMs: Int64) async throws -> Opened

    /// What an open would make of the install, from what can be read at once; writes nothing.
    func unstored(_ app: AppID, _ credential: Credential, _ opening: Opening, nowMs: Int64) throws -> OpenedInstall

    /// The install as it is now.
    func install(_ app: AppID, _ credential: Credential, nowMs: Int64) async throws -> Install

    /// The install as it is now, on the calling thread; nil where that would have to wait, and where the install is unknown.
    /// - Throws: ``InstallError/profileMismatch``.
    func knownAtOnce(_ app: AppID, _ proof: InstallProof) throws -> KnownInstall?

    /// The install as it is now, for a caller that has proved who it is before (a stream); nil where it is gone.
    func install(_ app: AppID, _ id: InstallID) async throws -> Install?

    /// A token that comes after the open. The same token again changes nothing; `coming` is not kept.
    func report(_ app: AppID, _ credential: Credential, _ token: AdToken, nowMs: Int64) async throws -> Install

    /// What another provider told the app; stored as unverified.
    func record(_ app: AppID, _ credential: Credential, _ claim: AttributionClaim, nowMs: Int64) async throws -> Install

    func change(_ app: AppID, _ credential: Credential, _ changes: AttributeChanges, nowMs: Int64) async throws -> Install

    /// The click of a link that reached the app; it may attribute the install.
    func record(_ app: AppID, _ credential: Credential, _ report: ClickReport, nowMs: Int64) async throws -> Install

    /// The same from a caller who has only the app's public key: it attributes nothing. The key's scope is the app.
    func recordUnproven(_ app: AppID, _ report: ClickReport, nowMs: Int64) async throws

    /// The link that was tapped before the app was installed. Its click may attribute the install.
    func claim(
        _ app: AppID, _ credential: Credential, _ claim: DeferredClaim, nowMs: Int64
    ) async throws -> DeferredLinkAnswer

    func identify(_ app: AppID, _ credential: Credential, _ person: Identification, nowMs: Int64) async throws -> Install

    /// The install gets a fresh, anonymous profile. Its attribution stays.
    func logOut(_ app: AppID, _ credential: Credential, key: IdempotencyKey, nowMs: Int64) async throws -> Install
}
