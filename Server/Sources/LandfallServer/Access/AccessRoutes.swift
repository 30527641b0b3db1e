// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Hummingbird
import LandfallPurchases
import LandfallRules
import LandfallStore
import LandfallWire

/// What a backend may know and decide about a person's access. For a server key with `access`, or for a command.
package struct AccessRoutes: Sendable {
    package static let grantsPath = "/v1/access/grants"
    package static let customerPath = "/v1/customers/{id}/access"

    private let store: AccessStore
    private let answers: PhoneAnswers
    private let time: ServerTime

    package init(store: AccessStore, answers: PhoneAnswers, time: ServerTime) {
        (self.store, self.answers, self.time) = (store, answers, time)
    }

    /// `POST /v1/access/grants`: gives a level to a person until an instant, or for ever.
    @Sendable package func grant(_ request: Request, context: AppContext) async throws -> Answer<GrantAnswer> {
        let caller = try context.requireCaller(), nowMs = time.nowMs()
        let order = try await request.decoded(as: GrantOrder.self, upTo: ProfileRoutes.bodyLimit)
        let level = AccessLevel(rawValue: order.level)
        guard context.snapshot.configuration.purchases.accessLevels.contains(level) else {
            throw RequestError.invalid("level", "one of 'accessLevels' in the configuration.")
        }
        if let endsAtMs = order.endsAtMilliseconds, !(nowMs + 1...Instant.latestMs).contains(endsAtMs) {
            throw RequestError.invalid("endsAtMilliseconds", "an instant in the future and before the year 10000, or null for ever.")
        }
        let grant = AccessGrant(
            id: UUIDv7.make(nowMs: nowMs), level: level, startsAtMs: nowMs, endsAtMs: order.endsAtMilliseconds,
            reason: try Self.reason(order.reason), by: caller.auditName)
        let line = Self.line(caller, .accessGiven, "\(level.rawValue), \(grant.id)", nowMs: nowMs)
        switch try await store.add(grant, to: order.person(), in: caller.app, noting: line, nowMs: nowMs) {
        case .given(let id): return Answer(GrantAnswer(grantId: id))
        case .unknownPerson:
            throw RequestError(.notFound, "Nobody is known by this id. A customer id counts once your backend has verified it.")
        case .tooMany:
            throw RequestError.invalid("level", "at most \(AccessGrant.most) grants of a person are open at one time. Take some back.")
        }
    }

    /// The line does not say whose it is: that is in the grant, as long as there is one.
    private static func line(_ caller: Caller, _ action: AuditAction, _ subject: String, nowMs: Int64) -> Statement {
        caller.line(action, subject).insertion(into: caller.app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
    }

    /// `DELETE /v1/access/grants/ID?reason=`: a repeated call is not an error.
    @Sendable package func takeBack(_ request: Request, context: AppContext) async throws -> Answer<GrantAnswer> {
        let caller = try context.requireCaller(), id = try context.parameters.require("id"), nowMs = time.nowMs()
        let reason = try Self.reason(request.uri.queryParameters["reason"].map(String.init) ?? "")
        let line = Self.line(caller, .accessTakenBack, id, nowMs: nowMs)
        guard try await store.takeBack(id, in: caller.app, because: reason, by: caller.auditName, noting: line, nowMs: nowMs) else {
            throw RequestError(.notFound, "There is no grant with this id.")
        }
        return Answer(GrantAnswer(grantId: id))
    }

    /// `GET /v1/customers/ID/access`: of a verified customer. Another id is as if it did not exist: anybody could have named it.
    @Sendable package func ofCustomer(_ request: Request, context: AppContext) async throws -> Answer<CustomerAccess> {
        let caller = try context.requireCaller(), nowMs = time.nowMs()
        // The router leaves a path as it came.
        let id = try context.parameters.require("id").removingPercentEncoding.map { CustomerID($0) }
        guard let id, !id.rawValue.utf8.contains(0), let (profile, access) = try await store.access(of: id, in: caller.app) else {
            throw RequestError(.notFound, "No verified customer has this id.")
        }
        return Answer(CustomerAccess(id, profile, access, answers.tokens, nowMs: nowMs))
    }

    private static func reason(_ text: String) throws -> String {
        guard text.utf8.count <= AccessGrant.longestReason, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw RequestError.invalid("reason", "at most \(AccessGrant.longestReason) bytes in one line.")
        }
        return text
    }
}

/// The body of `POST /v1/access/grants`.
private struct GrantOrder: Decodable {
    let profileId: String?
    let customerId: String?
    let level: String
    let endsAtMilliseconds: Int64?
    let reason: String

    func person() throws -> AccessStore.Person {
        guard (1...Limits.customerID).contains((profileId ?? customerId ?? "").utf8.count) else {
            throw RequestError.invalid(profileId == nil ? "customerId" : "profileId", "an id has 1 to \(Limits.customerID) bytes.")
        }
        return switch (profileId, customerId) {
        case (let id?, nil): .profile(ProfileID(id))
        case (nil, let id?): .customer(CustomerID(rawValue: id))
        default: throw RequestError.invalid("profileId", "name one person: profileId or customerId.")
        }
    }
}

package struct GrantAnswer: Codable, Sendable { package let grantId: String }

/// What a customer may use, as their profile says it.
package struct CustomerAccess: Encodable, Sendable {
    let customerId: String
    let profileId: ProfileID
    let purchaseToken: String?
    let asOfMilliseconds: Int64
    let purchasesKnown: Bool?
    let accessLevels: [String: WireAccessLevel]?
    let subscriptions: [WireSubscription]?
    let oneTimePurchases: [WireOneTimePurchase]?

    init(_ customer: CustomerID, _ profile: ProfileID, _ access: ProfileAccess?, _ tokens: PurchaseTokens, nowMs: Int64) {
        var told = WireProfile(id: profile, installId: InstallID(""), epoch: 0, version: 0, attributionVersion: 0)
        told.tell(access, nowMs: nowMs)
        customerId = customer.rawValue
        profileId = profile
        purchaseToken = tokens.token(of: profile)
        asOfMilliseconds = nowMs
        (purchasesKnown, accessLevels) = (told.purchasesKnown, told.accessLevels)
        (subscriptions, oneTimePurchases) = (told.subscriptions, told.oneTimePurchases)
    }
}
