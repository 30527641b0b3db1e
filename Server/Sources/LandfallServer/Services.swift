// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallDatabase
import Logging

/// Everything that handlers need, put together once by `Server`.
struct Services: Sendable, Discreet {
    let configuration: LiveConfiguration
    let database: any Database
    let installs: any InstallStore
    /// Who changes installs beside ``installs`` says so here.
    var installCache = InstallCache()
    let events: EventStore
    let links: Links
    let wrongTokens = WrongTokens()
    /// Of installs together, however many somebody makes.
    let wrongTokensByAddress = AddressBound(.codesByAddress, most: 100, of: "codes that lead nowhere")
    /// Phones prove theirs; a few come before that.
    let unprovenClicks = AddressBound(.unprovenClicksByAddress, most: 600, of: "links with the SDK key alone")
    let clicks: any ClickStore
    /// Which clicks are stored, and which are only counted.
    var clickAdmission = ClickAdmission()
    let visitors: VisitorNumbers
    let holds: Holds
    var firstOpens = FirstOpenStoring(patience: nil)
    let time: ServerTime
    let metrics: PrometheusRegistry
    let telemetry: Telemetry
    let bounds: Bounds
    var proxies = TrustedProxies.none
    /// In which a trusted proxy says the client's country.
    var countryHeader: HTTPField.Name?
    var connections = Connections()
    let leaving = Leaving()

    /// What is served now. A request has its own, see ``AppContext/snapshot``.
    var snapshot: Snapshot { configuration.snapshot }
}

/// One node's parts, connected: what handlers need, and what works beside them.
struct ServingNode: Sendable, Discreet {
    let services: Services
    /// To be run once, for as long as the node serves.
    let jobs: JobRunner

    /// - Parameter kinds: of jobs that this node works on; nil for all.
    init(
        _ snapshot: Snapshot, _ database: any Database, _ mark: StoreMark, _ appleAds: any AppleAdsService,
        kinds: Set<JobKind>? = nil, held: HeldLimits = HeldLimits(), mostConnections: Int = 50_000, time: ServerTime, logger: Logger,
        proxies: TrustedProxies = .none, countryHeader: HTTPField.Name? = nil
    ) {
        let metrics = PrometheusRegistry()
        let bounds = Bounds(factory: metrics, nowMs: time.nowMs, logger: logger)
        let holds = Holds(held, onFull: bounds.hit)
        let cache = InstallCache()
        let exchanger = AppleAdsExchanger(
            AppleAdsAnswers(database, mark, cache: cache), appleAds, time: time, logger: logger, metrics: metrics,
            onChange: { app, install in holds.changed(app: app, install: install) }
        )
        let signals = JobSignals()
        services = Services(
            configuration: LiveConfiguration(snapshot),
            database: database,
            installs: SQLInstallStore(database, mark, cache: cache, tokenQueued: signals.send),
            installCache: cache,
            events: EventStore(database, mark),
            links: Links(store: LinkStore(database)),
            clicks: SQLClickStore(database),
            clickAdmission: ClickAdmission(freeDiskShare: { [disk = database as? any DiskTelling] in disk?.freeDiskShare ?? 1 }),
            visitors: VisitorNumbers(database),
            holds: holds,
            firstOpens: FirstOpenStoring(onFull: bounds.hit),
            time: time,
            metrics: metrics,
            telemetry: Telemetry(metrics),
            bounds: bounds,
            proxies: proxies,
            countryHeader: countryHeader,
            connections: Connections(most: mostConnections, proxies: proxies)
        )
        let works = ([exchanger.work] + services.works).filter { kinds?.contains($0.kind) ?? true }
        jobs = JobRunner(JobQueue(database: database), works, time: time, signals: signals, logger: logger, metrics: metrics)
    }
}
