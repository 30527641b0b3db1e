// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import Hummingbird
import LandfallRules
package import LandfallServer
import LandfallWire
import Logging

/// Routes by the requested host: brand domains to links, the web site to the association files, every other host to the rest. This is the first middleware, so that a
/// brand domain never serves the API, and every request uses one version of the configuration.
package struct HostRouting: RouterMiddleware {
    package let configuration: LiveConfiguration
    package let hosts: HostReader
    private let clients: LinkClients
    private let domains: AllowedDomainRoute
    package let links: LinkRoutes
    package let telemetry: RequestTelemetry
    package let limitHits: LimitHits

    package init(configuration: LiveConfiguration, hosts: HostReader, links: LinkRoutes, telemetry: RequestTelemetry, limitHits: LimitHits) {
        (self.configuration, self.hosts, self.links, self.telemetry, self.limitHits) = (configuration, hosts, links, telemetry, limitHits)
        clients = LinkClients(hosts)
        domains = AllowedDomainRoute(proxies: hosts.proxies)
    }

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let response = try await routed(request, context: context, next: next)
        // Also of a path without a route: on a connection that stays open, bytes behind the head would be read as the next answer.
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func routed(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let peer = ClientAddress(context.channel.remoteAddress)
        var context = context
        context.snapshot = configuration.snapshot
        switch hosts.host(of: request.head, in: context.snapshot) {
        case .several:
            limitHits.refused(.severalHosts)
            return RequestError.severalHosts.response(requestID: context.requestID)
        case .brand(let domain):
            let started = ContinuousClock.now
            let response = try await link(request, context, on: domain, from: peer)
            return ended(response, to: request, context, since: started)
        case .other(let host):
            if let host, context.snapshot.isUniversal(host) {
                let started = ContinuousClock.now
                if let file = links.associationFile(for: request.head, in: context.snapshot) {
                    return ended(file, to: request, context, since: started)
                }
            }
            guard
                context.snapshot.isAPI(host) || ConnectionRules.isProbe(request.uri.path) || ThisMachine.isCalling(request.head, from: peer)
                    || domains.isAsked(request.head, by: peer, in: context.snapshot)
            else {
                return RequestError.notFound.response(requestID: context.requestID)
            }
            return try await next(request, context)
        }
    }

    private func link(
        _ request: Request, _ context: AppContext, on domain: BrandDomain, from peer: ClientAddress?
    ) async throws -> Response {
        let client = clients.client(request.head, from: peer)
        do {
            return try await links.respond(
                to: request.head, on: domain, in: context.snapshot, for: client, context.namedLogger)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            context.namedLogger.error("A link failed unexpectedly.", metadata: ["error.text": "\(error)"])
            let failure = RequestError(any: error)
            limitHits.refused(failure)
            return failure.response(requestID: context.requestID)
        }
    }

    private func ended(
        _ response: Response, to request: Request, _ context: AppContext, since started: ContinuousClock.Instant
    ) -> Response {
        var response = response
        response.headers[.landfallVersion] = LandfallVersion.current
        response.headers[.landfallRequestID] = context.requestID
        telemetry.ended(
            request.method, route: "link", status: response.status.code, after: started.duration(to: .now), context.infoLogger)
        return response
    }
}
