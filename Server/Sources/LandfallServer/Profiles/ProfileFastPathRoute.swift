// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallRules
import LandfallWire
import NIOCore

/// `GET /v1/profiles/me` if the answer need not wait, for an install that is cached or can be read at once, see
/// ``ProfileRoutes/me(_:context:)``.
package struct ProfileFastPathRoute: FastPathRoute {
    private let installs: any InstallStore
    private let answers: PhoneAnswers
    private let time: ServerTime
    private let head = PreparedAnswer.ofAPI(.ok, AnswerFields.json)
    private let route: RequestTelemetry.Route

    package init(_ installs: any InstallStore, _ answers: PhoneAnswers, _ telemetry: RequestTelemetry, _ time: ServerTime) {
        self.installs = installs
        self.answers = answers
        self.time = time
        route = telemetry.route(WirePath.profile, status: 200)
    }

    package func answer(to request: PlainRequest, in snapshot: Snapshot) -> FastPathAnswer? {
        var waiting = Waiting()
        guard request.isFor("/v1/profiles/me", taking: { waiting.take($0, $1) }) else { return nil }
        let nowMs = time.nowMs()
        guard let caller = FastPathCaller(request, snapshot, nowMs: nowMs), let known = caller.install(in: installs)
        else { return nil }
        if waiting.waitMs > 0, let after = waiting.after, known.install.version <= after { return nil }
        var json = JSONWriter(capacity: 1_024)
        let attribution = answers.resolution(of: known.install, nowMs: nowMs).attribution
        ProfileAnswer.write(attribution, to: &json) { known.writeProfile(to: &$0, answers.tokens, nowMs: nowMs) }
        return FastPathAnswer(head: head, body: ByteBuffer(bytes: json.bytes), route: route)
    }
}
