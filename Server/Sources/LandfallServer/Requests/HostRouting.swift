// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallWire
import Logging

/// Routes by the requested host: brand domains to links, every other host to the rest. This is the first middleware, so that a
/// brand domain never serves the API, and every request uses one version of the configuration.
struct HostRouting: RouterMiddleware {
    let configuration: LiveConfiguration
    let hosts: HostReading
    let links: LinkRoutes
    let telemetry: RequestTelemetry
    let bounds: Bounds

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let peer = ClientAddress(context.channel.remoteAddress)
        var context = context
        context.snapshot = configuration.snapshot
        switch hosts.host(of: request.head, in: context.snapshot) {
        case .several:
            bounds.refused(.severalHosts)
            return RequestError.severalHosts.response(requestID: context.requestID)
        case .brand(let domain): return try await link(request, context, on: domain, from: peer)
        case .other(let host):
            guard hosts.isAPI(host, in: context.snapshot) || HealthRoutes.isProbe(request.uri.path) else {
                return RequestError.notFound.response(requestID: context.requestID)
            }
            return try await next(request, context)
        }
    }

    private func link(
        _ request: Request, _ context: AppContext, on domain: BrandDomain, from peer: ClientAddress?
    ) async throws -> Response {
        let started = ContinuousClock.now
        let client = hosts.client(request.head, from: peer)
        var response: Response
        do {
            response = try await links.respond(
                to: request.head, on: domain, in: context.snapshot, for: client, context.namedLogger)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            context.namedLogger.error("A link failed unexpectedly.", metadata: ["error.text": "\(error)"])
            let failure = RequestError(any: error)
            bounds.refused(failure)
            response = failure.response(requestID: context.requestID)
        }
        response.headers[.landfallVersion] = LandfallVersion.current
        response.headers[.landfallRequestID] = context.requestID
        telemetry.ended(
            request.method, route: "link", status: response.status.code, after: started.duration(to: .now), context.infoLogger)
        return response
    }
}

extension RequestError {
    static let severalHosts = RequestError(.malformedRequest, "The request names its host more than once. Send one Host field.")
}
