// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
package import LandfallWire

/// `POST /v1/attribution`: attribution from another provider; stored as unverified.
package struct AttributionRoutes: Sendable {
    package let installs: any InstallStore
    package let answers: PhoneAnswers

    package init(installs: any InstallStore, answers: PhoneAnswers) {
        (self.installs, self.answers) = (installs, answers)
    }

    @Sendable package func claim(_ request: Request, context: AppContext) async throws -> Answer<ProfileAnswer> {
        let claim = try await request.decoded(as: AttributionClaim.self, upTo: ProfileRoutes.bodyLimit)
        try claim.key.check()
        return try await answers.changing(context) { caller, credential, nowMs in
            try await installs.record(caller.app, credential, claim, nowMs: nowMs)
        }
    }
}

extension IdempotencyKey {
    /// - Throws: `invalid_value` unless 1…64 visible ASCII characters.
    func check() throws {
        guard (1...Limits.idempotencyKey).contains(rawValue.utf8.count),
            rawValue.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw RequestError.invalid("key", "1 to 64 visible ASCII characters.")
        }
    }
}
