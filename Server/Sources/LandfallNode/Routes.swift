// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallConsole
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallWire

/// Every URL of the server, in one place.
enum Routes {
    static func router(_ services: Services) -> Router<AppContext> {
        router(services, hosts: services.hosts, links: services.linkRoutes)
    }

    /// The same with the parts that other code uses too.
    static func router(_ services: Services, hosts: HostReader, links: LinkRoutes) -> Router<AppContext> {
        // HEAD wherever GET is: many uptime checks use it.
        let router = Router(context: AppContext.self, options: .autoGenerateHeadEndpoints)
        // Outermost: a brand domain has none of the following routes.
        router.add(middleware: HostRouting(
                configuration: services.configuration, hosts: hosts, links: links, telemetry: services.telemetry.requests,
                limitHits: services.limitHits))
        // Then the middleware that sees every answer and every error of the following, and answers where no route has the address.
        router.add(middleware: RequestCompletion(telemetry: services.telemetry.requests, limitHits: services.limitHits) { request in
                request.uri.path.hasPrefix("/console/") ? ConsoleEntrance.unknownAddress(request) : nil
            })

        let health = health(services)
        router.get("/healthz", use: health.alive)
        router.get("/readyz", use: health.ready)
        router.get("/metrics", use: health.metrics)
        router.get(RouterPath(AllowedDomainRoute.path), use: AllowedDomainRoute(proxies: hosts.proxies).answer)

        // Outside the key: Apple has none, and signs instead.
        router.post(RouterPath(NotificationRoutes.path), use: services.notificationRoutes.receive)

        let firstOpen = FirstOpenRoutes(openings: services.openings)
        let placements = PlacementRoutes(held: services.held)
        let profiles = ProfileRoutes(
            installs: services.installs, held: services.held, answers: services.answers, time: services.time)
        let attribution = AttributionRoutes(installs: services.installs, answers: services.answers)
        let events = EventRoutes(events: services.events, time: services.time)
        let identity = IdentityRoutes(installs: services.installs, answers: services.answers, time: services.time)
        let linkOpens = LinkOpenRoutes(
            reports: services.linkReports, unproven: services.unprovenClicks, codes: services.codes,
            addresses: services.addresses, installs: services.installs, answers: services.answers, time: services.time)

        // Only behind the key, so that an unknown path costs no look-up.
        let api = router.group()
            .add(middleware: Authentication(time: services.time))
        api.post(RouterPath(WirePath.firstOpen), use: firstOpen.open)
        api.get("/v1/placements/{id}/paywall", use: placements.paywall)
        api.get(RouterPath(WirePath.profile), use: profiles.me)
        api.delete(RouterPath(WirePath.profile), use: ErasureRoutes(erasing: services.erasing).eraseMe)
        api.post(RouterPath(WirePath.adToken), use: profiles.reportToken)
        api.post(RouterPath(WirePath.attributes), use: profiles.changeAttributes)
        api.post(RouterPath(WirePath.attribution), use: attribution.claim)
        api.post(RouterPath(WirePath.events), use: events.record)
        api.post(RouterPath(WirePath.purchases), use: services.purchaseRoutes.report)
        api.post(RouterPath(WirePath.linkOpen), use: linkOpens.open)
        api.post(RouterPath(WirePath.deferredLink), use: linkOpens.claim)
        api.post(RouterPath(WirePath.identify), use: identity.identify)
        api.post(RouterPath(WirePath.logout), use: identity.logOut)
        api.get(RouterPath(StreamTrialRoute.path), use: StreamTrialRoute(time: services.time, running: services.streamTrials, addresses: services.addresses).stream)

        addBackend(services) { scope in
            router.group().add(middleware: ServerAuthentication(scope: scope, time: services.time))
        }
        refuseOtherMethods(on: router)
        addConsole(services, to: router)
        return router
    }

    private static func addConsole(_ services: Services, to router: Router<AppContext>) {
        ConsoleEntrance(
            sessions: services.sessions, addresses: services.addresses, time: services.time, limitHits: services.limitHits,
            editing: services.console.editing
        ).add(services.consoleRoutes, to: router)
    }

    /// The routes for commands, through a store's socket or in the process that holds the store: a backend's routes, without a
    /// key. No listener on a network has this router.
    /// - Parameter reloading: reads the node's file again; nil if no server runs.
    static func commandRouter(_ services: Services, reloading: ConfigurationPublisher? = nil) -> Router<AppContext> {
        let router = Router(context: AppContext.self)
        router.add(middleware: RequestCompletion(telemetry: services.telemetry.requests))
        router.get("/healthz", use: health(services).alive)
        if let reloading { router.post(RouterPath(ReloadRoutes.path), use: ReloadRoutes(publishing: reloading).reload) }
        let doctor = DoctorRoutes(
            database: services.database, configuration: services.configuration, connections: services.connections, draining: services.draining)
        router.get("/v1/doctor", use: doctor.examine)
        router.get("/v1/doctor/subject", use: doctor.subject)
        let backup = BackupRoutes(backup: StoreBackup(services.database, time: services.time), draining: services.draining)
        router.post("/v1/backups", use: backup.make)
        router.get("/v1/backups", use: backup.progress)
        router.group().add(middleware: OperatorAccess(configuration: services.configuration))
            .post(RouterPath(RebuildRoutes.path), use: RebuildRoutes(rollups: services.rollups).rebuild)
            .post(
                RouterPath(RetentionClockRoutes.path),
                use: RetentionClockRoutes(clock: services.retentionClock, time: services.time).confirm)
            .post(
                RouterPath(GivenUpNotificationRoutes.path),
                use: GivenUpNotificationRoutes(GivenUpNotifications(services.database), time: services.time).retry)
            .post(
                RouterPath(TestNotificationRoutes.path),
                use: services.testNotificationRoutes.send)
            .post(RouterPath(RefundRoutes.path), use: services.refundRoutes.look)
            .get(RouterPath(AlertRoutes.path), use: services.alertRoutes.list)
            .post(RouterPath(AlertRoutes.testPath), use: services.alertRoutes.test)
        let exports = ExportRoutes(database: services.database, time: services.time)
        router.group().add(middleware: OperatorAccess(configuration: services.configuration))
            .get(RouterPath(ExportRoutes.path), use: exports.offer)
            .get(RouterPath(ExportRoutes.tablePath), use: exports.page)
        let invitations = InvitationRoutes(
            invitations: services.invitations, place: services.console.place, time: services.time)
        router.group().add(middleware: OperatorAccess(configuration: services.configuration))
            .post(RouterPath(InvitationRoutes.path), use: invitations.invite)
        addBackend(services) { _ in router.group().add(middleware: OperatorAccess(configuration: services.configuration)) }
        return router
    }

    private static func health(_ services: Services) -> HealthRoutes {
        HealthRoutes(
            configuration: services.configuration, database: services.database, holds: services.holds,
            draining: services.draining, registry: services.metrics, storing: services.readiness, heartbeat: services.heartbeat,
            trust: services.trust, time: services.time)
    }

    /// Behind a server key on the network, and for commands.
    /// - Parameter group: the routes for a key with this scope.
    private static func addBackend(_ services: Services, in group: (ServerKey.Scope) -> RouterGroup<AppContext>) {
        let making = LinkCreationRoutes(links: services.links, time: services.time)
        let links = group(.links)
        links.post("/v1/links", use: making.make)
        links.get("/v1/links", use: LinkListRoutes(links: services.links, time: services.time).list)
        links.patch("/v1/links", use: LinkBatchRoutes(links: services.links, time: services.time).change)
        links.delete("/v1/links", use: making.remove)
        let one = OneLinkRoutes(links: services.links, time: services.time)
        links.get(RouterPath(OneLinkRoutes.path), use: one.show)
        links.patch(RouterPath(OneLinkRoutes.path), use: one.change)
        links.delete(RouterPath(OneLinkRoutes.path), use: one.remove)
        addPublishing(services, to: group(.configuration))
        group(.erase).post(RouterPath(ErasureRoutes.path), use: ErasureRoutes(erasing: services.erasing).erase)
        let reports = ReportRoutes(reports: services.reports)
        group(.reports).get(RouterPath(ReportRoutes.path), use: reports.report)
        group(.reports).get(RouterPath(RevenueRoutes.path), use: RevenueRoutes(reports: services.reports).report)
        let experiments = services.experiments
        group(.reports).get(RouterPath(ExperimentRoutes.path), use: experiments.list)
        group(.reports).get(RouterPath(ExperimentRoutes.resultsPath), use: experiments.results)
        group(.reports).get(RouterPath(ExperimentRoutes.numbersPath), use: experiments.numbers)
        group(.reports).get(RouterPath(ExperimentRoutes.unitsPath), use: experiments.units)
        let access = services.accessRoutes
        group(.access).post(RouterPath(AccessRoutes.grantsPath), use: access.grant)
        group(.access).delete(RouterPath(AccessRoutes.grantsPath + "/{id}"), use: access.takeBack)
        group(.access).get(RouterPath(AccessRoutes.customerPath), use: access.ofCustomer)
        group(.profiles).get(RouterPath(ExplanationRoutes.path), use: services.explanations.explain)
        addWebhooks(WebhookRoutes(services.webhooks), to: group(.webhooks))
    }

    private static func addWebhooks(_ webhooks: WebhookRoutes, to group: RouterGroup<AppContext>) {
        group.get(RouterPath(WebhookRoutes.path), use: webhooks.list)
        group.get(RouterPath(WebhookRoutes.deliveriesPath), use: webhooks.deliveries)
        group.get(RouterPath(WebhookRoutes.deliveryPath), use: webhooks.delivery)
        group.post(RouterPath(WebhookRoutes.retryPath), use: webhooks.retry)
        group.post(RouterPath(WebhookRoutes.replayPath), use: webhooks.replay)
        group.post(RouterPath(WebhookRoutes.testPath), use: webhooks.test)
        group.post(RouterPath(WebhookRoutes.onPath), use: webhooks.switchOn)
        group.get(RouterPath(WebhookRoutes.messagesPath), use: webhooks.messages)
    }

    private static func addPublishing(_ services: Services, to group: RouterGroup<AppContext>) {
        let publishing = PublishingRoutes(publishing: services.publishing)
        group.post(RouterPath(PublishingRoutes.path), use: publishing.publish)
        group.get(RouterPath(PublishingRoutes.path), use: publishing.export)
        group.get(RouterPath(PublishingRoutes.versionsPath), use: publishing.versions)
        group.get(RouterPath(PublishingRoutes.versionsPath + "/{number}"), use: publishing.version)
        group.post(RouterPath(PublishingRoutes.rollbackPath), use: publishing.rollBack)
        group.post(
            RouterPath(ImpactRoutes.path),
            use: ImpactRoutes(publishing: services.publishing, measuring: services.impactMeasurement, rows: services.counting).measure)
        group.get(RouterPath(FallbackRoutes.path), use: FallbackRoutes().export)
        group.delete(RouterPath(PublishingRoutes.scheduledPath + "/{id}"), use: publishing.cancel)
    }

    /// A known path with another method is 405 with `Allow`, not 404.
    private static func refuseOtherMethods(on router: Router<AppContext>) {
        let known: [(path: String, method: HTTPRequest.Method)] = [
            ("/healthz", .get), ("/readyz", .get), ("/metrics", .get), (AllowedDomainRoute.path, .get),
            (WirePath.firstOpen, .post), ("/v1/placements/{id}/paywall", .get), (WirePath.adToken, .post),
            (WirePath.attributes, .post), (WirePath.attribution, .post), (WirePath.events, .post), (WirePath.identify, .post),
            (WirePath.purchases, .post), (WirePath.linkOpen, .post), (WirePath.deferredLink, .post), (WirePath.logout, .post),
            (NotificationRoutes.path, .post), (ReportRoutes.path, .get), (RevenueRoutes.path, .get), (ErasureRoutes.path, .post), (StreamTrialRoute.path, .get),
            (PublishingRoutes.versionsPath, .get), (PublishingRoutes.versionsPath + "/{number}", .get),
            (PublishingRoutes.rollbackPath, .post), (PublishingRoutes.scheduledPath + "/{id}", .delete),
            (ImpactRoutes.path, .post), (FallbackRoutes.path, .get), (ExplanationRoutes.path, .get),
            (AccessRoutes.grantsPath, .post), (AccessRoutes.grantsPath + "/{id}", .delete), (AccessRoutes.customerPath, .get),
            (ExperimentRoutes.path, .get), (ExperimentRoutes.resultsPath, .get), (ExperimentRoutes.numbersPath, .get),
            (ExperimentRoutes.unitsPath, .get), (WebhookRoutes.path, .get), (WebhookRoutes.deliveriesPath, .get), (WebhookRoutes.deliveryPath, .get),
            (WebhookRoutes.retryPath, .post), (WebhookRoutes.replayPath, .post), (WebhookRoutes.testPath, .post), (WebhookRoutes.onPath, .post),
            (WebhookRoutes.messagesPath, .get),
        ]
        for (path, allowed) in known { refuse(allBut: [allowed], at: path, on: router) }
        refuse(allBut: [.get, .delete], at: WirePath.profile, on: router)
        refuse(allBut: [.get, .post, .patch, .delete], at: "/v1/links", on: router)
        refuse(allBut: [.get, .patch, .delete], at: OneLinkRoutes.path, on: router)
        refuse(allBut: [.get, .post], at: PublishingRoutes.path, on: router)
    }

    private static func refuse(allBut allowed: [HTTPRequest.Method], at path: String, on router: Router<AppContext>) {
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        let methods = [HTTPRequest.Method.get, .post, .put, .patch, .delete, .options, .trace, .connect, .init("QUERY")!]
        for method in methods where !allowed.contains(method) {
            router.on(RouterPath(path), method: method) { _, _ -> Response in
                throw RequestError(.methodNotAllowed, "This path takes \(names) only.", allow: names)
            }
        }
    }
}
