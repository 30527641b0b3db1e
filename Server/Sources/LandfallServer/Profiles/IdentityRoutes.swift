// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
package import LandfallWire

/// `POST /v1/identify` and `POST /v1/logout`: change the install's profile.
package struct IdentityRoutes: Sendable {
    package let installs: any InstallStore
    package let answers: PhoneAnswers
    package let time: ServerTime

    package init(installs: any InstallStore, answers: PhoneAnswers, time: ServerTime) {
        (self.installs, self.answers, self.time) = (installs, answers, time)
    }

    @Sendable package func identify(_ request: Request, context: AppContext) async throws -> Answer<ProfileAnswer> {
        let body = try await request.decoded(as: IdentifyRequest.self, upTo: ProfileRoutes.bodyLimit)
        try body.key.check()
        var person = Identification(key: body.key, customerID: CustomerID(body.customerId), isVerified: false)
        try person.check()
        if let token = body.identityToken {
            try await context.snapshot.identityTokens.verify(token, customerID: person.customerID, nowMs: time.nowMs())
            person.isVerified = true
        }
        return try await answers.changing(context) { [person] caller, credential, nowMs in
            try await installs.identify(caller.app, credential, person, nowMs: nowMs)
        }
    }

    @Sendable package func logOut(_ request: Request, context: AppContext) async throws -> Answer<ProfileAnswer> {
        let body = try await request.decoded(as: LogoutRequest.self, upTo: ProfileRoutes.bodyLimit, absent: "{}")
        try body.key.check()
        return try await answers.changing(context) { caller, credential, nowMs in
            try await installs.logOut(caller.app, credential, key: body.key, nowMs: nowMs)
        }
    }
}
