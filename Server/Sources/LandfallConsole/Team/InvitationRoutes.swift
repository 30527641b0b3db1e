// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallRules
package import LandfallServer
import LandfallWire

/// `POST /v1/console/invitations`: the operator of the server makes a link that makes a member. On no network.
package struct InvitationRoutes: Sendable {
    package static let path = "/v1/console/invitations"
    static let bodyLimit = 4 * 1024

    struct Order: Codable {
        let email: String
        /// Left out: a member keeps theirs, anybody else is a viewer.
        let role: String?
    }

    package let invitations: Invitations
    package let place: ConsolePlace
    package let time: ServerTime

    package init(invitations: Invitations, place: ConsolePlace, time: ServerTime) {
        (self.invitations, self.place, self.time) = (invitations, place, time)
    }

    @Sendable package func invite(_ request: Request, context: AppContext) async throws -> Answer<InvitationAnswer> {
        let order = try await request.decoded(as: Order.self, upTo: Self.bodyLimit)
        guard let email = MemberEmail(order.email) else { throw RequestError.invalid("email", "an e-mail address.") }
        let kept = try await MemberStore(database: invitations.database, app: invitations.app).member(email: email)?.role
        guard let role = Role(rawValue: order.role ?? (kept ?? .viewer).rawValue) else {
            throw RequestError.invalid("role", "one of \(Role.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        let nowMs = time.nowMs(), token = SessionToken.drawn()
        let invitation = Invitation(email: email, role: role, invitedBy: nil, expiresAtMs: nowMs + Invitation.usualMs)
        let line = AuditLine(action: .invited, member: nil, subject: "\(email.text) (\(role.rawValue))", network: nil)
        _ = try await invitations.invite(invitation, token, line, nowMs: nowMs)
        let base = context.snapshot.configuration.domains.api.first.map { "https://" + $0 } ?? place.address
        return Answer(
            InvitationAnswer(url: base + "/console/join?token=" + token.text, expiresAtMilliseconds: invitation.expiresAtMs))
    }
}

/// A link that makes a member, once: `landfall console invite --json`.
package struct InvitationAnswer: Hashable, Sendable, Codable {
    package let url: String
    /// Unix milliseconds.
    let expiresAtMilliseconds: Int64
}
