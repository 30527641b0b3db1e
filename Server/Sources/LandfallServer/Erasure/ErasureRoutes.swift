// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
package import LandfallWire
import Logging

/// `DELETE /v1/profiles/me` for the person, `POST /v1/erasures` for the team's backend and `landfall forget`.
package struct ErasureRoutes: Sendable {
    package static let path = "/v1/erasures"
    package let erasing: Erasing

    package init(erasing: Erasing) {
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

extension ErasureAnswer {
    /// Logs for an audit that an erasure happened, without saying whose.
    package func log(by whom: String, _ context: AppContext) {
        context.namedLogger.notice(
            "Data of a person was erased.",
            metadata: ["erasure.by": "\(whom)", "erasure.profiles": "\(profiles)", "erasure.installs": "\(installs)"])
    }
}
