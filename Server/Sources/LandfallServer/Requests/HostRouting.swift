// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallWire
import Logging

/// Tells brand domains from the rest by the host that was asked for: links there, everything else here. The first of all
/// middleware, so that nothing of the API is ever on a brand domain.
struct HostRouting: RouterMiddleware {
    private let services: Services
    private let links: LinkRoutes

    init(services: Services) {
        self.services = services
        links = LinkRoutes(services: services)
    }

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let peer = ClientAddress(context.channel.remoteAddress)
        let isProxied = services.proxies.contains(peer)
        // The first Host is the request's authority; what is left among the fields is a second.
        guard request.headers[.anotherHost] == nil else {
            return RequestError.severalHosts.response(requestID: context.requestID)
        }
        let host = host(of: request, isProxied: isProxied)
        if let host, let domain = services.snapshot.brandDomain(host) {
            return try await link(request, context, on: domain, peer: peer, isProxied: isProxied)
        }
        let apiHosts = services.snapshot.apiHosts
        guard apiHosts.isEmpty || host.map(apiHosts.contains) == true || Self.isProbe(request.uri.path) else {
            return RequestError.notFound.response(requestID: context.requestID)
        }
        return try await next(request, context)
    }

    /// As hosts are compared; nil where the request names none, or what is none.
    private func host(of request: Request, isProxied: Bool) -> String? {
        if isProxied, let forwarded = request.headers[.xForwardedHost] {
            return try? LinkAddress.webHost(forwarded)
        }
        return request.head.authority.flatMap { try? LinkAddress.webHost($0) }
    }

    /// Probes come by address.
    private static func isProbe(_ path: String) -> Bool { ["/healthz", "/readyz", "/metrics"].contains(path) }

    private func link(
        _ request: Request, _ context: AppContext, on domain: BrandDomain, peer: ClientAddress?, isProxied: Bool
    ) async throws -> Response {
        let started = ContinuousClock.now
        let userAgent = request.headers[.userAgent]
        let purpose = request.headers[.secPurpose] ?? request.headers[.purpose] ?? request.headers[.xPurpose]
        let client = LinkClient(
            visitor: LinkVisitor(userAgent: userAgent, method: request.method, purpose: purpose),
            address: services.proxies.client(peer: peer, forwarded: request.headers[values: .xForwardedFor]),
            userAgent: userAgent, country: isProxied ? country(of: request) : nil, isAhead: LinkVisitor.isAhead(purpose)
        )
        var response: Response
        do {
            response = try await links.respond(to: request, on: domain, for: client, context.logger)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            context.logger.error("A link failed unexpectedly.", metadata: ["error.text": "\(error)"])
            response = RequestError(any: error).response(requestID: context.requestID)
        }
        response.headers[.landfallVersion] = LandfallVersion.current
        response.headers[.landfallRequestID] = context.requestID
        services.telemetry.requests.ended(
            request, route: "link", status: response.status.code, after: started.duration(to: .now), context.logger)
        return response
    }

    private func country(of request: Request) -> String? {
        guard let name = services.countryHeader, let value = request.headers[name]?.uppercased() else { return nil }
        // XX and T1 are what proxies say where they do not know.
        guard value.utf8.count == 2, value.utf8.allSatisfy({ (65...90).contains($0) }), value != "XX" else { return nil }
        return value
    }
}

extension RequestError {
    static let severalHosts = RequestError(.malformedRequest, "The request names its host more than once. Send one Host field.")
}

extension HTTPField.Name {
    static let anotherHost = HTTPField.Name("Host")!
    static let purpose = HTTPField.Name("Purpose")!
    static let xPurpose = HTTPField.Name("X-Purpose")!
}
