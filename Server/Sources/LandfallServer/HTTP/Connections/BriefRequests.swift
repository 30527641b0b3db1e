// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import Hummingbird
import LandfallWire

/// Requests that may run on their connection's own loop: phones send them all the time, and they take some ten microseconds beside the
/// waits. Everything else leaves the loop before its work begins: pages, reports, publishing, cryptography, large bodies.
package struct BriefRequests: RouterMiddleware {
    /// The longest body, in bytes. Reading a larger one would delay the loop's other connections.
    static let longestBody = 16 * 1024

    package init() {}

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard LoopExecutor.current != nil, !Self.isBrief(request.head) else { return try await next(request, context) }
        let response = try await LoopExecutor.$current.withValue(nil) {
            try await withTaskExecutorPreference(globalConcurrentExecutor) { try await next(request, context) }
        }
        return Self.leavingTheLoop(response)
    }

    static func isBrief(_ head: HTTPRequest) -> Bool {
        guard head.method == .post, let length = head.headerFields[.contentLength].flatMap({ Int($0) }), length <= longestBody else { return false }
        switch head.path {
        case WirePath.firstOpen, WirePath.events, WirePath.adToken: return true
        default: return false
        }
    }

    /// The framework writes the body after the middleware. One of unknown length is made while it is written.
    private static func leavingTheLoop(_ response: Response) -> Response {
        guard response.body.contentLength == nil else { return response }
        var response = response
        let body = response.body
        response.body = ResponseBody { writer in
            let inner = writer
            try await withTaskExecutorPreference(globalConcurrentExecutor) { try await body.write(inner) }
        }
        return response
    }
}
