// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
import Hummingbird
package import Logging
package import Metrics

/// One count, one duration and one log line for each request. Labels are the route's pattern and the class of the status.
package struct RequestTelemetry: Sendable {
    private struct Labels: Hashable, Sendable {
        let route: String
        let method: String
        let status: Int
    }

    private let counts: KnownMetrics<Labels, Counter>
    private let times: KnownMetrics<String, Timer>

    package init(factory: any MetricsFactory) {
        counts = KnownMetrics { labels in
            let dimensions = [("route", labels.route), ("method", labels.method), ("status", "\(labels.status)xx")]
            return Counter(label: "landfall_requests_total", dimensions: dimensions, factory: factory)
        }
        times = KnownMetrics { route in
            Timer(label: "landfall_request_seconds", dimensions: [("route", route)], factory: factory)
        }
    }

    package func ended(
        _ method: HTTPRequest.Method, route: String?, status: Int, after duration: Duration, _ logger: Logger
    ) {
        let route = route ?? "none"
        counts[Labels(route: route, method: Self.label(of: method), status: status / 100)].increment()
        times[route].record(duration: duration)
        Self.log(method.rawValue, route, status, duration, logger)
    }

    private static func log(_ method: String, _ route: String, _ status: Int, _ duration: Duration, _ logger: Logger) {
        logger.info(
            "Request answered.",
            metadata: [
                "http.route": "\(route)", "http.method": "\(method)", "http.status": "\(status)",
                "http.milliseconds": "\(duration.wholeMilliseconds)",
            ]
        )
    }

    /// A closed set: a client's invented method name never becomes a label.
    private static func label(of method: HTTPRequest.Method) -> String {
        switch method {
        case .get, .post, .put, .patch, .delete, .head, .options: method.rawValue
        default: "other"
        }
    }
}

extension RequestTelemetry {
    /// The metrics of a route that reads, looked up once: the look-up by labels is slow beside an answer from memory.
    package struct Route: Sendable {
        fileprivate let name: String
        fileprivate let status: Int
        fileprivate let gets: Counter
        fileprivate let heads: Counter
        fileprivate let time: Timer
    }

    /// The same series that `ended` counts.
    package func route(_ name: String, status: Int) -> Route {
        func count(_ method: HTTPRequest.Method) -> Counter {
            counts[Labels(route: name, method: Self.label(of: method), status: status / 100)]
        }
        return Route(name: name, status: status, gets: count(.get), heads: count(.head), time: times[name])
    }

    /// - Parameter logger: called only if a line is logged.
    func ended(_ route: Route, isHead: Bool, after duration: Duration, level: Logger.Level, _ logger: () -> Logger) {
        (isHead ? route.heads : route.gets).increment()
        route.time.record(duration: duration)
        guard level <= .info else { return }
        Self.log(isHead ? "HEAD" : "GET", route.name, route.status, duration, logger())
    }
}
