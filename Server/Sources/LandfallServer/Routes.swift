// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallWire

/// Every URL of the server, in one place.
enum Routes {
    static func router(_ services: Services) -> Router<AppContext> {
        router(services, hosts: HostReading(services), links: LinkRoutes(services: services))
    }

    /// The same with what somebody else uses too.
    static func router(_ services: Services, hosts: HostReading, links: LinkRoutes) -> Router<AppContext> {
        // HEAD where GET is: what many uptime checks ask for.
        let router = Router(context: AppContext.self, options: .autoGenerateHeadEndpoints)
        // Outermost: on a brand domain nothing of what follows exists.
        router.add(middleware: HostRouting(services: services, hosts: hosts, links: links))
        // Then what sees every answer and every error of all that follows.
        router.add(middleware: RequestEnding(telemetry: services.telemetry.requests, bounds: services.bounds))

        let health = HealthRoutes(services: services)
        router.get("/healthz", use: health.alive)
        router.get("/readyz", use: health.ready)
        router.get("/metrics", use: health.metrics)

        let firstOpen = FirstOpenRoutes(services: services)
        let placements = PlacementRoutes(services: services)
        let profiles = ProfileRoutes(services: services)
        let attribution = AttributionRoutes(services: services)
        let events = EventRoutes(services: services)
        let identity = IdentityRoutes(services: services)
        let linkOpens = LinkOpenRoutes(services: services)

        // Only behind the key, so that an unknown path costs no look-up.
        let api = router.group()
            .add(middleware: Authentication(time: services.time))
        api.post(RouterPath(WirePath.firstOpen), use: firstOpen.open)
        api.get("/v1/placements/{id}/paywall", use: placements.paywall)
        api.get(RouterPath(WirePath.profile), use: profiles.me)
        api.delete(RouterPath(WirePath.profile), use: ErasureRoutes(services: services).eraseMe)
        api.post(RouterPath(WirePath.adToken), use: profiles.reportToken)
        api.post(RouterPath(WirePath.attributes), use: profiles.changeAttributes)
        api.post(RouterPath(WirePath.attribution), use: attribution.claim)
        api.post(RouterPath(WirePath.events), use: events.record)
        api.post(RouterPath(WirePath.linkOpen), use: linkOpens.open)
        api.post(RouterPath(WirePath.deferredLink), use: linkOpens.claim)
        api.post(RouterPath(WirePath.identify), use: identity.identify)
        api.post(RouterPath(WirePath.logout), use: identity.logOut)

        addBackend(services) { scope in
            router.group().add(middleware: ServerAuthentication(scope: scope, time: services.time))
        }
        refuseOtherMethods(on: router)
        return router
    }

    /// What commands ask for, by the socket of a store or in the process that holds it: a backend's routes, without a key. No
    /// listener on a network has this router.
    static func commandRouter(_ services: Services) -> Router<AppContext> {
        let router = Router(context: AppContext.self)
        router.add(middleware: RequestEnding(telemetry: services.telemetry.requests))
        router.get("/healthz", use: HealthRoutes(services: services).alive)
        router.get("/v1/doctor", use: DoctorRoutes(services: services).examine)
        let backup = BackupRoutes(backup: StoreBackup(services.database))
        router.post("/v1/backups", use: backup.make)
        router.get("/v1/backups", use: backup.progress)
        addBackend(services) { _ in router.group().add(middleware: OperatorAccess(services: services)) }
        return router
    }

    /// Behind a server key on the network, and for commands.
    /// - Parameter group: the routes that a key with this scope opens.
    private static func addBackend(_ services: Services, in group: (ServerKey.Scope) -> RouterGroup<AppContext>) {
        let making = LinkMakingRoutes(services: services)
        let links = group(.links)
        links.post("/v1/links", use: making.make)
        links.get("/v1/links", use: making.list)
        links.delete("/v1/links", use: making.remove)
        group(.erase).post(RouterPath(ErasureRoutes.path), use: ErasureRoutes(services: services).erase)
        group(.reports).get(RouterPath(ReportRoutes.linksPath), use: ReportRoutes(services: services).links)
    }

    /// A known path with another method is 405 with `Allow`, not 404.
    private static func refuseOtherMethods(on router: Router<AppContext>) {
        let known: [(path: String, method: HTTPRequest.Method)] = [
            ("/healthz", .get), ("/readyz", .get), ("/metrics", .get),
            (WirePath.firstOpen, .post), ("/v1/placements/{id}/paywall", .get), (WirePath.adToken, .post),
            (WirePath.attributes, .post), (WirePath.attribution, .post), (WirePath.events, .post), (WirePath.identify, .post),
            (WirePath.linkOpen, .post), (WirePath.deferredLink, .post), (WirePath.logout, .post),
            (ReportRoutes.linksPath, .get), (ErasureRoutes.path, .post),
        ]
        for (path, allowed) in known { refuse(allBut: [allowed], at: path, on: router) }
        refuse(allBut: [.get, .delete], at: WirePath.profile, on: router)
        refuse(allBut: [.get, .post, .delete], at: "/v1/links", on: router)
    }

    private static func refuse(allBut allowed: [HTTPRequest.Method], at path: String, on router: Router<AppContext>) {
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] where !allowed.contains(method) {
            router.on(RouterPath(path), method: method) { _, _ -> Response in
                throw RequestError(.methodNotAllowed, "This path takes \(names) only.", allow: names)
            }
        }
    }
}
