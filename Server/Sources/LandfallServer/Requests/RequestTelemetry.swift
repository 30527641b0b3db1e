// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import Logging
import Metrics

/// One count, one time and one log line a request. Labels are the route's pattern and the class of the status.
struct RequestTelemetry: Sendable {
    let factory: any MetricsFactory

    func ended(_ request: Request, route: String?, status: Int, after duration: Duration, _ logger: Logger) {
        let route = route ?? "none"
        let outcome = "\(status / 100)xx"
        let labels = [("route", route), ("method", Self.label(of: request.method)), ("status", outcome)]
        Counter(label: "landfall_requests_total", dimensions: labels, factory: factory).increment()
        Timer(label: "landfall_request_seconds", dimensions: [("route", route)], factory: factory).record(duration: duration)
        logger.info(
            "Request answered.",
            metadata: [
                "http.route": "\(route)", "http.method": "\(request.method.rawValue)", "http.status": "\(status)",
                "http.milliseconds": "\(duration.wholeMilliseconds)",
            ]
        )
    }

    /// A closed set: a stranger's method name never becomes a label.
    private static func label(of method: HTTPRequest.Method) -> String {
        switch method {
        case .get, .post, .put, .patch, .delete, .head, .options: method.rawValue
        default: "other"
        }
    }
}
