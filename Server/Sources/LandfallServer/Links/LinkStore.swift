// SPDX-License-Identifier: Apache-2.0

/// Keeps links that people made while the server runs; those of the configuration are in its snapshot.
protocol LinkStore: Sendable {
    /// One look at the key, whatever is stored.
    func link(_ app: AppID, host: String, path: LinkPath) async throws -> StoredLink?

    /// Adds all of them in one unit.
    /// - Returns: for each, in order, false where its host and path are taken; that one is then not stored.
    func add(_ links: [StoredLink], to app: AppID, nowMs: Int64) async throws -> [Bool]

    /// Those behind a place, in the order of host and path; nil begins with the first.
    func links(_ app: AppID, after: LinkPlace?, limit: Int) async throws -> [StoredLink]

    /// - Returns: false where there is no such link.
    func remove(_ app: AppID, host: String, path: LinkPath) async throws -> Bool
}
