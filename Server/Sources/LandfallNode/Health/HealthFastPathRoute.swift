// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import LandfallServer

/// `/healthz` answered on the connection's event loop. An answer means only that the process answers.
package struct HealthFastPathRoute: FastPathRoute {
    private let answer: FastPathAnswer

    package init(_ telemetry: RequestTelemetry) {
        answer = FastPathAnswer(
            head: .ofAPI(.ok, HealthRoutes.aliveFields), body: HealthRoutes.aliveBody,
            route: telemetry.route("/healthz", status: 200))
    }

    package func answer(to request: PlainRequest, in _: Snapshot) -> FastPathAnswer? { request.isFor("/healthz") ? answer : nil }
}
