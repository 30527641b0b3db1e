// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// `/healthz` of a connection that has nothing else to do. That it answers is all that it says.
struct HealthLoopRoute: LoopRoute {
    private let answer: LoopAnswer

    init(_ telemetry: RequestTelemetry) {
        answer = LoopAnswer(
            head: .ofAPI(.ok, HealthRoutes.aliveFields), body: HealthRoutes.aliveBody,
            route: telemetry.route("/healthz", status: 200))
    }

    func answer(to request: PlainRequest, in _: Snapshot) -> LoopAnswer? { request.isFor("/healthz") ? answer : nil }
}
