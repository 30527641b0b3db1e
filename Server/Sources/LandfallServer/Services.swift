// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallDatabase
import LandfallWire
import Logging

/// The parts of one node. Nobody is handed them all but who puts the node together: routes, jobs, listeners and tests.
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

/// What features are made of, each of the parts that it needs.
extension Services {
    var addresses: CallerAddresses { CallerAddresses(proxies: proxies) }
    var hosts: HostReading { HostReading(proxies, countryHeader: countryHeader) }
    var clickTaking: ClickTaking { ClickTaking(admission: clickAdmission, telemetry: telemetry.links, bounds: bounds) }
    var linkReports: LinkReports { LinkReports(links: links, clicks: clickTaking) }
    var linkRoutes: LinkRoutes { LinkRoutes(configuration, links, clicks, clickTaking, visitors, time) }
    var codes: CodeBounds { CodeBounds(byInstall: wrongTokens, byAddress: wrongTokensByAddress, bounds: bounds) }
    var answers: PhoneAnswers { PhoneAnswers(holds: holds, time: time) }
    var held: HeldAnswers {
        HeldAnswers(installs: installs, holds: holds, configuration: configuration, addresses: addresses, time: time)
    }
    var openings: Openings {
        Openings(storing: firstOpens, held: held, links: linkReports, codes: codes, telemetry: telemetry.firstOpen)
    }
    var erasing: Erasing { Erasing(database: database, app: snapshot.app.id, time: time, onErased: gone) }
    var clickForgetting: ClickForgetting {
        ClickForgetting(database: database, app: snapshot.app.id, retention: snapshot.retention)
    }
    var addressForgetting: AddressForgetting {
        AddressForgetting(database: database, app: snapshot.app.id, matching: snapshot.addressMatching)
    }

    /// An install is not as it was, or is no more: nothing from before is found in memory, and what is held for it looks.
    private var gone: @Sendable (InstallID) -> Void {
        { [holds, installCache, app = snapshot.app.id] install in
            installCache.changed(install, profile: nil)
            holds.changed(app: app, install: install)
        }
    }

    /// What is deleted when its time is over.
    var retentionRules: [RetentionRule] {
        let installs = InstallRetention(database: database, app: snapshot.app.id, time: time, onGone: gone)
        return [.clicks { clickForgetting }, .addresses { addressForgetting }, .visitorKeys(visitors)]
            + RetentionRule.rows(database, configuration) + RetentionRule.installs(installs, configuration)
    }

    /// What this node does without being asked, besides Apple's exchange.
    var works: [JobWork] { [RetentionWork(app: snapshot.app.id, rules: retentionRules, time: time).work, erasing.work] }
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
