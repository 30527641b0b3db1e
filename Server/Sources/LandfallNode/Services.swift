// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallConsole
import LandfallReports
import LandfallRules
package import LandfallServer
import LandfallStore
import LandfallWire
import Logging

/// The parts of one node. Only the composition gets all of them: routes, jobs, listeners and tests.
package struct Services: Sendable, Redacted {
    let configuration: LiveConfiguration
    let database: any Database
    let mark: StoreMark
    let installs: any InstallStore
    var installCache = InstallCache()
    let events: EventStore
    let links: Links
    let openClickDays = OpenClickDays()
    let closedClickDays = ClosedClickDays()
    let countedOpenDays = CountedOpenDays()
    let rowReads = RowReader.permits()
    /// For results of experiments, and for the impact of a version.
    let countings = RowReader.permits()
    var wrongTokens = WrongTokens()
    /// For all installs of one address together.
    var wrongTokensByAddress = Services.codesByAddress(.whole)
    /// Phones authenticate their clicks; a few arrive before that.
    var unprovenClicks = Services.unprovenClicksByAddress(.whole)
    let clicks: any ClickStore
    /// Which clicks are stored, and which are only counted.
    var clickAdmission = ClickAdmission()
    let visitors: VisitorNumbers
    let addressKeys: AddressKeys
    package let holds: HeldAnswers
    var firstOpens = FirstOpenWriter(patience: nil)
    /// The same for clicks whose page hands a token over, and for `/readyz`.
    var clickStoring = FirstOpenWriter(patience: nil)
    var readiness = FirstOpenWriter(patience: nil)
    let time: ServerTime
    let metrics: PrometheusRegistry
    let telemetry: Telemetry
    let limitHits: LimitHits
    var proxies = TrustedProxies.none
    /// The field in which a trusted proxy gives the client's country.
    var countryHeader: HTTPField.Name?
    /// See ``ServerOptions/linkHosts``.
    var linkHosts: [String: String] = [:]
    var connections = Connections()
    let draining = Draining()
    let streamTrials = AsyncSemaphore(permits: StreamTrialRoute.most)
    /// Looks up the variables that a configuration names.
    var secrets = SecretEnvironment.process
    var configurationOwner = ConfigurationOwner.store
    var console = ConsoleParts()
    let matches = AudienceMatches()
    /// Whose signatures under purchases this node believes.
    var trust = AppStoreTrust()
    let signedHeaders = StoredHeaders()
    /// Calls to other servers; nil: the App Store is not asked, and nothing is forwarded.
    var outbound: (any OutboundHTTP)?
    /// Webhooks may lead into the server's own network.
    var webhooksToPrivate = false
    /// Sends the mail of alerts; nil: nobody does.
    var mail: (any MailSending)?
    /// Looks at the domains for alerts; nil: nobody does.
    var examiningDomains: DomainExamining?
    let webhookTests = AsyncSemaphore(permits: Webhooks.mostTests)
    /// Its limits count for all parts of the node.
    var appStoreAPI: AppStoreAPI?
    /// Of this node's runner; nil: jobs are stored as due.
    var places: JobSlots?
    /// Looks into the queue of jobs.
    var jobAdded: @Sendable () -> Void = {}
    /// Versions that other processes have published.
    var versionNews = VersionNews()
    /// Nil if no other node works on the store.
    var heartbeat: Heartbeat?
    /// Hears of changes as long as the node exists.
    var observation: StoreObservation?

    /// The configuration that is served now. A request keeps its own, see ``AppContext/snapshot``.
    var snapshot: Snapshot { configuration.snapshot }
}

/// The services of the features, each made from the parts that it needs.
extension Services {
    static func codesByAddress(_ share: NodeShare) -> AddressLimit {
        AddressLimit(.codesByAddress, most: 100, of: "codes that lead nowhere", share: share)
    }
    static func unprovenClicksByAddress(_ share: NodeShare) -> AddressLimit {
        AddressLimit(.unprovenClicksByAddress, most: 600, of: "links with the SDK key alone", share: share)
    }
    var addresses: CallerAddresses { CallerAddresses(proxies: proxies, countryHeader: countryHeader) }
    var hosts: HostReader { HostReader(proxies, countryHeader: countryHeader, linkHosts: linkHosts) }
    var clickIntake: ClickIntake { ClickIntake(admission: clickAdmission, telemetry: telemetry.links, limitHits: limitHits) }
    var linkReports: LinkReports { LinkReports(links: links, clicks: clickIntake) }
    var linkRoutes: LinkRoutes { LinkRoutes(links, clicks, ButtonTapStore(database), clickIntake, visitors, addressKeys, storing: clickStoring, time) }
    var codes: CodeBounds { CodeBounds(byInstall: wrongTokens, byAddress: wrongTokensByAddress, limitHits: limitHits) }
    var answers: PhoneAnswers { PhoneAnswers(time: time, mark) }
    var held: HeldCalls {
        HeldCalls(
            installs: installs, holds: holds, configuration: configuration, addresses: addresses, time: time, storing: firstOpens)
    }
    var storeClock: StoreClock { heartbeat?.storeClock ?? .own }
    var openings: Openings {
        Openings(held: held, links: linkReports, codes: codes, answers: answers, clock: storeClock, telemetry: telemetry.firstOpen)
    }
    var configurationActivation: ConfigurationActivation {
        ConfigurationActivation(live: configuration, holds: holds, telemetry: telemetry.configuration)
    }
    var publishing: VersionPublisher {
        VersionPublisher(
            serving: configurationActivation, store: ConfigurationStore(database),
            schedule: ScheduledVersions(database, app: snapshot.app.id), time: time, secrets: secrets,
            owner: configurationOwner, installs: sampledInstalls)
    }
    var sampledInstalls: SampledInstalls { SampledInstalls(database: database, app: snapshot.app.id, time: time) }
    var explanations: ExplanationRoutes { ExplanationRoutes(database: database, installs: installs, time: time) }
    var experiments: ExperimentRoutes { ExperimentRoutes(database: database, time: time, rows: counting) }
    var counting: RowReader { RowReader(.countings, permits: countings, time: time) }
    var impactMeasurement: ImpactMeasurement { ImpactMeasurement(installs: sampledInstalls) }
    var erasing: Eraser { Eraser(
            database: database, app: snapshot.app.id, time: time, counts: RollupErasure(), webhooks: configuration.webhooks) }
    var clickExpiry: ClickExpiry {
        ClickExpiry(database: database, app: snapshot.app.id, retention: snapshot.retention)
    }
    var addressKeyExpiry: AddressKeyExpiry {
        AddressKeyExpiry(keys: addressKeys, app: snapshot.app.id, matching: snapshot.addressMatching)
    }

    /// Hears of changes as long as the observation is kept.
    func observing() -> StoreObservation {
        let observer = ChangeObserver(
            installCache, links, holds, console.live, addressKeys, jobAdded: jobAdded, versionAdded: versionNews.send)
        return database.observers.add { observer.hear($0) }
    }

    /// The rules of what is deleted when it expires.
    var retentionRules: [RetentionRule] {
        let installs = InstallRetention(database: database, app: snapshot.app.id, time: time, counts: RollupErasure())
        return [.clicks { clickExpiry }, .addresses { addressKeyExpiry }, .visitorKeys(visitors)]
            + [.events(database, configuration)] + RetentionRule.rows(database, configuration) + RetentionRule.console(database, of: snapshot.app.id)
            + RetentionRule.installs(installs, configuration) + [.webhooks(WebhookStore(database, app: snapshot.app.id))]
    }

    var keyUses: KeyUseStore { KeyUseStore(database: database, app: snapshot.app.id) }
    var keyUseWriter: KeyUseWriter { KeyUseWriter(store: keyUses, configuration: configuration, time: time) }

    /// The days of reports.
    var rollups: RollupWork {
        RollupWork(
            database: database, configuration: configuration, time: time, openDays: countedOpenDays,
            onDifferences: RollupTelemetry(metrics).found)
    }

    var reports: Reports {
        let rows = RowReader(permits: rowReads, time: time)
        return Reports(
            store: ReportStore(database, openClickDays, closedClickDays, rows: rows), time: time, rollups: rollups, trust: trust)
    }

    var sessions: SessionStore { SessionStore(database: database, app: snapshot.app.id) }
    var invitations: Invitations { Invitations(database: database, app: snapshot.app.id) }
    /// Every page and form of the console.
    var consoleRoutes: [ConsoleRoute] {
        ConsoleRooms(
            app: snapshot.app.id, database: database, installs: installs, configuration: configuration, holds: holds,
            connections: connections, links: links, reports: reports, experiments: experiments, explanations: explanations,
            publishing: publishing, measuring: impactMeasurement, samples: sampledInstalls, erasing: erasing, testing: testNotificationRoutes, webhooks: webhooks, keyUses: keyUses,
            owner: configurationOwner, console: console, matches: matches, limitHits: limitHits, time: time,
            outbound: outbound
        ).routes
    }

    func nodeTelemetry(_ watch: StoreWatch) -> NodeTelemetry {
        NodeTelemetry(
            connections, holds, configuration, InstallCacheTelemetry(installCache, factory: metrics), draining, watch, heartbeat,
            time: time, factory: metrics)
    }

    /// What connections answer themselves, with the parts that the router uses too.
    func fastPath(_ hosts: HostReader, _ links: LinkRoutes, _ logger: Logger) -> FastPath {
        let requests = telemetry.requests
        return FastPath(
            configuration, hosts, LinkFastPathRoute(hosts, links, requests, logger), anywhere: [HealthFastPathRoute(requests)],
            api: [PlacementFastPathRoute(installs, requests, time), ProfileFastPathRoute(installs, answers, requests, time)],
            telemetry: requests, time: time, countryHeader: countryHeader, draining: draining, logger)
    }

    var notifications: NotificationStore { NotificationStore(database, places: places, headers: signedHeaders) }
    var notificationRoutes: NotificationRoutes {
        NotificationRoutes(store: notifications, trust: trust, telemetry: telemetry.purchases, time: time)
    }

    var testNotificationRoutes: TestNotificationRoutes {
        TestNotificationRoutes(appStoreAPI, database, trust: trust, time: time)
    }

    var refundRoutes: RefundRoutes {
        RefundRoutes(appStoreAPI, database, mark, trust: trust, metrics: metrics, time: time)
    }

    var purchases: PurchaseStore { PurchaseStore(database, mark, headers: signedHeaders, webhooks: configuration.webhooks) }
    var purchaseRoutes: PurchaseRoutes {
        PurchaseRoutes(store: purchases, trust: trust, answers: answers, telemetry: telemetry.purchases, time: time)
    }

    var accessRoutes: AccessRoutes { AccessRoutes(store: AccessStore(database, webhooks: configuration.webhooks), answers: answers, time: time) }

    var retentionClock: RetentionClock { RetentionClock(database: database, app: snapshot.app.id) }

    /// Names and spend of Apple Ads.
    func appleAdsReports(_ addresses: AppleAdsAddresses, _ outbound: any OutboundHTTP, _ logger: Logger) -> AppleAdsReportsWork {
        AppleAdsReportsWork(
            database, configuration: configuration, addresses: addresses, outbound: outbound, time: time,
            telemetry: AppleAdsReportsTelemetry(logger: logger, factory: metrics))
    }

    /// The node's background work besides what asks Apple.
    func works(_ logger: Logger) -> [JobWork] {
        let retention = RetentionWork(
            app: snapshot.app.id, rules: retentionRules, clock: retentionClock, time: time,
            telemetry: RetentionTelemetry(logger: logger, factory: metrics))
        let notifications = NotificationWork(
            store: notifications, mark, trust: trust, configuration: configuration, telemetry: telemetry.purchases, time: time, logger: logger)
        let rules = RulesWork(database, mark, configuration: configuration, time: time)
        return [notifications.work, rules.work(of: snapshot.app.id), retention.work, erasing.work, rollups.work, rollups.recounts]
            + outboundWorks(logger)
    }

    private func outboundWorks(_ logger: Logger) -> [JobWork] {
        guard let outbound, let appStoreAPI else { return [] }
        let reconcile = AppStoreReconcile(
            appStoreAPI, database, mark, notifications: notifications, trust: trust, configuration: configuration, time: time,
            logger: logger, metrics: metrics)
        let forwarding = ForwardingWork(
            ForwardingStore(database), by: outbound, resolve: { await HostAddresses.find($0) ?? [] }, configuration: configuration,
            time: time, logger: logger, metrics: metrics)
        return [
            reconcile.work(of: snapshot.app.id), forwarding.work, webhooks(by: outbound, logger).work,
            dailyExports(by: outbound, logger).work(of: snapshot.app.id), alerts(by: outbound, logger).work,
        ]
    }

    /// What writes the files of `exports`.
    func dailyExports(by outbound: any OutboundHTTP, _ logger: Logger) -> DailyExportWork {
        DailyExportWork(
            database, configuration: configuration, to: DailyExportWork.places(secrets, by: outbound, time: time), time: time,
            telemetry: DailyExportTelemetry(logger: logger, factory: metrics))
    }

    /// Where webhooks may lead, and messages of alerts.
    var webhookAddress: WebhookAddress {
        WebhookAddress(resolve: { await HostAddresses.find($0) ?? [] }, allowsPrivate: webhooksToPrivate)
    }

    /// What the team sees of endpoints, and does with them.
    var webhooks: Webhooks {
        Webhooks(
            WebhookStore(database, app: snapshot.app.id), by: outbound, at: webhookAddress, tests: webhookTests, time: time)
    }

    /// What brings facts to the endpoints of the configuration.
    func webhooks(by outbound: any OutboundHTTP, _ logger: Logger) -> WebhookWork {
        WebhookWork(
            WebhookStore(database, app: snapshot.app.id), by: outbound,
            at: webhookAddress, configuration: configuration, time: time,
            freeDiskShare: { [disk = database as? any DiskSpaceReporting] in disk?.freeDiskShare ?? 1 },
            telemetry: WebhookTelemetry(logger: logger, factory: metrics))
    }

    /// What looks for trouble, and tells people.
    func alerts(by outbound: any OutboundHTTP, _ logger: Logger) -> AlertWork {
        let telemetry = AlertTelemetry(logger: logger, factory: metrics)
        return AlertWork(
            database, app: snapshot.app.id,
            meter: AlertMeter(database, app: snapshot.app.id, sources: alertSources, telemetry: telemetry, time: time), http: outbound,
            mail: mail, at: webhookAddress, configuration: configuration, telemetry: telemetry, time: time)
    }
}

/// One node's parts, connected: what handlers need, and the services beside them.
package struct ServingNode: Sendable, Redacted {
    package let services: Services
    /// Run it once, as long as the node serves.
    package let jobs: JobRunner

    /// - Parameter kinds: the jobs that this node works on; nil for all.
    init(
        _ snapshot: Snapshot, _ database: any Database, _ mark: StoreMark, _ appleAds: any AppleAdsService,
        kinds: Set<JobKind>? = nil, held: HeldLimits = HeldLimits(), mostConnections: Int = 50_000,
        known: InstallCache.Limits = InstallCache.Limits(), time: ServerTime, logger: Logger,
        proxies: TrustedProxies = .none, countryHeader: HTTPField.Name? = nil, linkHosts: [String: String] = [:],
        secrets: SecretEnvironment = .process,
        owner: ConfigurationOwner = .store, resolver: HTTPLinkResolver? = nil, trust: AppStoreTrust = AppStoreTrust(),
        outbound: (any OutboundHTTP)? = nil, adsAddresses: AppleAdsAddresses = .apple, appStoreHosts: AppStoreAPIHosts = .apple,
        webhooksToPrivate: Bool = false, mail: (any MailSending)? = nil, examiningDomains: DomainExamining? = nil, stream: StoreStream? = nil
    ) {
        let metrics = PrometheusRegistry()
        let limitHits = LimitHits(factory: metrics, nowMs: time.nowMs, logger: logger)
        let holds = HeldAnswers(held, onFull: limitHits.hit)
        let cache = InstallCache(known)
        var console = ConsoleParts(startedAtMs: time.nowMs())
        let shared = database as? any SharedDatabase
        // What nodes share, the feed reads; it hears of nothing twice.
        let feed = shared == nil ? console.live : nil
        console.reading = shared.map { LiveReading($0, app: snapshot.app.id, mark: mark, feed: console.live, time: time) }
        let live = LiveConfiguration(snapshot)
        let exchanger = AppleAdsExchanger(
            AppleAdsAnswers(database, mark, feed: feed, webhooks: live.webhooks), appleAds, time: time, logger: logger, metrics: metrics)
        let places = JobSlots(of: shared?.node), news = VersionNews()
        let heartbeat = shared.map { Heartbeat($0, mark: mark, live, news, time: time, logger: logger) }
        if let heartbeat { console.nodes = { heartbeat.health } }
        if let stream { console.stream = { stream.condition } }
        let share = heartbeat.map { heartbeat in NodeShare { heartbeat.condition.living } } ?? .whole
        let stored = SQLClickStore(database, webhooks: live.webhooks)
        var services = Services(
            configuration: live,
            database: database,
            mark: mark,
            installs: SQLInstallStore(
                database, mark, cache: cache, assignments: live.assignments, places: places, clock: heartbeat?.storeClock ?? .own, feed: feed,
                webhooks: live.webhooks),
            installCache: cache,
            events: EventStore(database, mark, feed: feed, webhooks: live.webhooks),
            links: Links(
                store: LinkStore(database),
                resolver: resolver.map { BoundedLinkResolver(factory: metrics, share: share, onLimit: limitHits.hit, asking: $0.ask) }),
            wrongTokens: WrongTokens(share: share),
            wrongTokensByAddress: Services.codesByAddress(share),
            unprovenClicks: Services.unprovenClicksByAddress(share),
            clicks: feed.map { WatchedClicks(store: stored, feed: $0) } ?? stored,
            clickAdmission: ClickAdmission(share: share, freeDiskShare: { [disk = database as? any DiskSpaceReporting] in disk?.freeDiskShare ?? 1 }),
            visitors: VisitorNumbers(database),
            addressKeys: AddressKeys(database),
            holds: holds,
            firstOpens: FirstOpenWriter(onFull: limitHits.hit),
            clickStoring: FirstOpenWriter(patience: .seconds(1), onFull: limitHits.hit),
            readiness: FirstOpenWriter(patience: .seconds(2), mostLate: 4),
            time: time,
            metrics: metrics,
            telemetry: Telemetry(metrics),
            limitHits: limitHits,
            proxies: proxies,
            countryHeader: countryHeader,
            linkHosts: linkHosts,
            connections: Connections(most: mostConnections, proxies: proxies),
            secrets: secrets,
            configurationOwner: owner,
            console: console,
            trust: trust,
            outbound: outbound,
            webhooksToPrivate: webhooksToPrivate,
            mail: mail,
            examiningDomains: examiningDomains,
            appStoreAPI: outbound.map { AppStoreAPI(appStoreHosts, by: $0, time: time, metrics: metrics) },
            places: places,
            jobAdded: places.signals.send,
            versionNews: news,
            heartbeat: heartbeat
        )
        services.observation = services.observing()
        self.services = services
        // A node without a way out asks nobody.
        let asking = outbound.map { [services.appleAdsReports(adsAddresses, $0, logger).work(of: snapshot.app.id)] } ?? []
        let works = ([exchanger.work, services.publishing.work(logger)] + services.works(logger) + asking).filter { kinds?.contains($0.kind) ?? true }
        jobs = JobRunner(JobQueue(database: database, node: shared?.node), works, time: time, places: places, logger: logger, metrics: metrics)
    }
}
