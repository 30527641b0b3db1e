// SPDX-License-Identifier: Apache-2.0
/// A public key that apps carry: it names the app, and opens nothing that a profile's secret must open.
struct SDKKey: Hashable, Sendable {
    enum Environment: String, CaseIterable, Sendable { case production, development }

    /// Starts with `pk_`.
    let text: String
    let environment: Environment
    /// Unix milliseconds by the server's clock; from then on the key opens nothing. Nil: never.
    let expiresAtMs: Int64?

    func isActive(nowMs: Int64) -> Bool { expiresAtMs.map { nowMs < $0 } ?? true }
}
