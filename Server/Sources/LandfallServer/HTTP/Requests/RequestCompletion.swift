// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import Hummingbird
import LandfallRules
import LandfallStore
import LandfallWire
import Logging
import NIOCore

/// The outermost middleware. It adds version and request id to every answer, renders every error in the same form, and counts
/// and logs every request once.
package struct RequestCompletion: RouterMiddleware {
    package let telemetry: RequestTelemetry
    /// Nil if refusals are not counted.
    package var limitHits: LimitHits?
    private let unknownAddress: @Sendable (Request) -> Response?

    /// - Parameter unknownAddress: the answer where no route has the request's address; nil is the API's ``RequestError/notFound``.
    package init(
        telemetry: RequestTelemetry, limitHits: LimitHits? = nil, unknownAddress: @escaping @Sendable (Request) -> Response? = { _ in nil }
    ) {
        (self.telemetry, self.limitHits, self.unknownAddress) = (telemetry, limitHits, unknownAddress)
    }

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let started = ContinuousClock.now
        var response: Response
        do {
            response = try await found(request, context, next)
            AnswerFields.end(&response.headers, requestID: context.requestID)
        } catch is CancellationError {
            throw CancellationError()  // The client disconnected; an answer would not be read.
        } catch {
            let failure = RequestError(any: error)
            if failure.code == .internalError || (error as? DatabaseError)?.isOfTheDisk == true {
                context.namedLogger.error("A request failed unexpectedly.", metadata: ["error.text": "\(error)"])
            }
            limitHits?.refused(failure)
            response = failure.response(requestID: context.requestID)
        }
        telemetry.ended(
            request.method, route: context.endpointPath, status: response.status.code, after: started.duration(to: .now),
            context.infoLogger
        )
        return response
    }

    /// The router is the only one that throws this error; a route that lacks something throws a ``RequestError``.
    private func found(
        _ request: Request, _ context: AppContext, _ next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            guard let answer = unknownAddress(request) else { throw RequestError.notFound }
            return answer
        }
    }
}

extension DatabaseError {
    /// Something that only the log tells the operator about.
    fileprivate var isOfTheDisk: Bool {
        switch self {
        case .damaged, .diskFailing: true
        default: false
        }
    }
}

extension RequestError {
    /// Renders any error of an inner layer. An unknown error becomes an internal error that reveals nothing.
    package init(any error: any Error) {
        switch error {
        case let error as RequestError: self = error
        case let error as any DetailedRefusal:
            self.init(error.code, error.description)
            details = error.details.flatMap { try? String(decoding: WireCoding.encode($0), as: UTF8.self) }
        case let error as any PassingRefusal:
            self.init(error.code, error.description, retryAfter: error.retryAfter, limit: error.limit)
        case let error as any Refusal: self.init(error.code, error.description)
        case let error as DatabaseError: self.init(error)
        case let error as HTTPError where error.status == .contentTooLarge:
            self.init(.bodyTooLarge, "The body is too large. Send less at a time.")
        default:
            self.init(.internalError, "The server failed on this request. Its log has the request id; try again.")
        }
    }

    private init(_ error: DatabaseError) {
        switch error {
        case .busy: self.init(.busy, "Too many writes of the server's store wait. Try again.", retryAfter: 1, limit: .writer)
        case .tooManyReads:
            self.init(.busy, "Too many reads of the server's store wait. Try again.", retryAfter: 1, limit: .readers)
        case .retry: self.init(.busy, "The store could not commit just now. Try again.", retryAfter: 1)
        case .diskFailing: self.init(.busy, "The server's disk fails just now. Try again.", retryAfter: 5)
        case .diskLow:
            self.init(.diskLow, "The server's disk is nearly full; it only answers reads. Try again later.", retryAfter: 60, limit: .disk)
        case .damaged: self = .storeDamaged
        default: self.init(.internalError, "The server failed on this request. Its log has the request id; try again.")
        }
    }

    package func response(requestID: String) -> Response {
        let (head, body) = rendered(requestID: requestID)
        return Response(status: head.status, headers: head.headerFields, body: ResponseBody(byteBuffer: body))
    }

    /// The single form of every error. Without a middleware around it, as when a connection is refused, it is complete.
    func rendered(requestID: String = AppContext.newRequestID()) -> (head: HTTPResponse, body: ByteBuffer) {
        let problem = ErrorBody(error: ErrorBody.Problem(code: code, message: message, requestId: requestID))
        var body = problem.jsonBytes()
        if let details, details.utf8.count > 2 {
            // Two objects become one.
            body.moveWriterIndex(to: body.writerIndex - 1)
            body.writeString("," + details.dropFirst())
        }
        var headers: HTTPFields = [
            .contentType: "application/json", .cacheControl: "no-store", .contentLength: String(body.readableBytes),
            .landfallVersion: LandfallVersion.current, .landfallRequestID: requestID, .xContentTypeOptions: "nosniff",
        ]
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        if let allow { headers[.allow] = allow }
        return (HTTPResponse(status: status, headerFields: headers), body)
    }
}
