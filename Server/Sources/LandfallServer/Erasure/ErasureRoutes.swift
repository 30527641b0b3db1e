// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallStore
package import LandfallWire
import Logging

/// `DELETE /v1/profiles/me` for the person, `POST /v1/erasures` for the team's backend and `landfall forget`.
package struct ErasureRoutes: Sendable {
    package static let path = "/v1/erasures"
    package let erasing: Eraser

    package init(erasing: Eraser) {
        self.erasing = erasing
    }

    @Sendable package func eraseMe(_ request: Request, context: AppContext) async throws -> Answer<ErasureAnswer> {
        let caller = try context.requireCaller()
        let credential = try caller.requireCredential()
        return said(try await erasing.erase(credential), by: "person", context)
    }

    @Sendable package func erase(_ request: Request, context: AppContext) async throws -> Answer<ErasureAnswer> {
        let caller = try context.requireCaller(), nowMs = erasing.time.nowMs()
        let order = try await request.decoded(as: ErasureOrder.self, upTo: ProfileRoutes.bodyLimit)
        let id = UUIDv7.make(nowMs: nowMs), app = erasing.app
        let answer = try await erasing.erase(try order.subject()) { installs in
            caller.line(.personForgotten, AuditLine.subject(ofInstalls: installs)).insertion(into: app, id: id, nowMs: nowMs)
        }
        return said(answer, by: "team", context)
    }

    private func said(_ answer: ErasureAnswer, by whom: String, _ context: AppContext) -> Answer<ErasureAnswer> {
        answer.log(by: whom, context)
        return Answer(answer)
    }
}

/// The body of `POST /v1/erasures`: exactly one of the three fields.
struct ErasureOrder: Codable {
    var profileId: String?
    var customerId: String?
    var installId: String?

    /// - Throws: `invalid_value` if it names no subject, or more than one.
    func subject() throws -> ErasureSubject {
        let subjects: [ErasureSubject] =
            [profileId.map { .profile(ProfileID($0)) }, customerId.map { .customer(CustomerID($0)) }].compactMap { $0 }
            + [installId.map { .install(InstallID($0)) }].compactMap { $0 }
        guard subjects.count == 1, let subject = subjects.first else {
            throw RequestError.invalid("profileId", "name one person: profileId, customerId or installId.")
        }
        let id = profileId ?? customerId ?? installId ?? ""
        guard (1...Limits.customerID).contains(id.utf8.count) else {
            throw RequestError.invalid("profileId", "an id has 1 to \(Limits.customerID) bytes.")
        }
        return subject
    }
}

extension ErasureAnswer {
    /// Logs for an audit that an erasure happened, without saying whose.
    package func log(by whom: String, _ context: AppContext) {
        context.namedLogger.notice(
            "Data of a person was erased.",
            metadata: ["erasure.by": "\(whom)", "erasure.profiles": "\(profiles)", "erasure.installs": "\(installs)"])
    }
}
