// SPDX-License-Identifier: Apache-2.0
package import LandfallReports
package import LandfallRules
package import LandfallServer
package import LandfallStore

/// The rooms of the console, each made from the parts that it needs.
package struct ConsoleRooms: Sendable, Redacted {
    package let app: AppID
    package let database: any Database
    package let installs: any InstallStore
    package let configuration: LiveConfiguration
    package let holds: HeldAnswers
    package let connections: Connections
    package let links: Links
    package let reports: Reports
    package let experiments: ExperimentRoutes
    package let explanations: ExplanationRoutes
    package let publishing: VersionPublisher
    package let measuring: ImpactMeasurement
    package let samples: SampledInstalls
    package let erasing: Eraser
    package let testing: TestNotificationRoutes
    package let webhooks: Webhooks
    package let keyUses: KeyUseStore
    package let owner: ConfigurationOwner
    package let console: ConsoleParts
    let matches: AudienceMatches
    package let limitHits: LimitHits
    package let time: ServerTime
    /// Calls to other servers; nil: nobody signs in by a provider.
    package let outbound: (any OutboundHTTP)?

    package init(
        app: AppID, database: any Database, installs: any InstallStore, configuration: LiveConfiguration, holds: HeldAnswers,
        connections: Connections, links: Links, reports: Reports, experiments: ExperimentRoutes, explanations: ExplanationRoutes,
        publishing: VersionPublisher, measuring: ImpactMeasurement, samples: SampledInstalls, erasing: Eraser, testing: TestNotificationRoutes, webhooks: Webhooks, keyUses: KeyUseStore,
        owner: ConfigurationOwner, console: ConsoleParts, matches: AudienceMatches, limitHits: LimitHits, time: ServerTime,
        outbound: (any OutboundHTTP)? = nil
    ) {
        self.app = app
        self.database = database
        self.installs = installs
        self.configuration = configuration
        self.holds = holds
        self.connections = connections
        self.links = links
        self.reports = reports
        self.experiments = experiments
        self.explanations = explanations
        self.publishing = publishing
        self.measuring = measuring
        self.samples = samples
        self.erasing = erasing
        self.testing = testing
        self.webhooks = webhooks
        self.keyUses = keyUses
        self.owner = owner
        self.console = console
        self.matches = matches
        self.limitHits = limitHits
        self.time = time
        self.outbound = outbound
    }

    /// Every page and form, room by room.
    package var routes: [ConsoleRoute] {
        let edits = ConsolePublisher(publishing: publishing, measuring: measuring, app: app), configuring = configurationRoutes
        return [
            entranceRoutes,
            ConsoleRoute.health(HealthPageRoutes(reading: healthReader, testing: testing)),
            ConsoleRoute.keys(KeysPageRoutes(store: keyUses)),
            ConsoleRoute.find(FindRoutes(finder: finder, owner: owner)),
            ConsoleRoute.api,
            ConsoleRoute.help,
            ConsoleRoute.webhooks(WebhookPageRoutes(webhooks: webhooks)),
            ConsoleRoute.reports(ReportPageRoutes(reports: reports, versions: chartVersions)),
            ConsoleRoute.revenue(RevenuePageRoutes(reports: reports, versions: chartVersions)),
            ConsoleRoute.editing(ConsoleRoute.configuration(configuring)),
            ConsoleRoute.editing(ConsoleRoute.newExperiment(NewExperimentRoutes(configuration: configuring, reports: reports))),
            ConsoleRoute.editing(ConsoleRoute.versions(VersionRoutes(publishing: edits))),
            linkRoutesOfConsole,
            profileRoutes,
            ConsoleRoute.experiments(experimentRoom, edits),
        ].flatMap { $0 }
    }

    private var entranceRoutes: [ConsoleRoute] {
        let sessions = SessionStore(database: database, app: app), invitations = Invitations(database: database, app: app)
        let members = MemberStore(database: database, app: app), limits = SignInLimits(database: database, app: app)
        let entering = SignInRoutes(
            members: members, sessions: sessions, invitations: invitations, limits: limits, console: console, limitHits: limitHits)
        let account = AccountRoutes(members: members, sessions: sessions, limits: limits, console: console, limitHits: limitHits)
        let live = LiveRoutes(
            feed: console.live, startedAtMs: console.startedAtMs, reading: console.reading, people: LivePeople(database: database, app: app), sessions: sessions,
            time: time)
        let openID = OpenIDRoutes(
            provider: OpenIDProvider(outbound, time: time), people: OpenIDMembers(database: database, app: app), sessions: sessions, limits: limits,
            console: console, limitHits: limitHits, time: time)
        return ConsoleRoute.entrance(entering, account) + ConsoleRoute.openID(openID)
            + ConsoleRoute.overview(
                OverviewRoutes(reports: reports, database: database, versions: chartVersions, health: healthReader),
                HiddenSetup(database: database, app: app))
            + ConsoleRoute.live(live) + ConsoleRoute.team(TeamRoutes(members: members, invitations: invitations, console: console))
            + ConsoleRoute.audit(AuditRoutes(audit: AuditLog(database: database, app: app)))
    }

    private var chartVersions: ChartVersions { ChartVersions(store: ConfigurationStore(database)) }

    private var healthReader: HealthReader {
        HealthReader(
            database: database, configuration: configuration, holds: holds, connections: connections, console: console, webhooks: webhooks, time: time)
    }

    private var configurationRoutes: ConfigurationRoutes {
        ConfigurationRoutes(
            store: ConfigurationStore(database), ads: AppleAdsNames(database, app: app), installs: samples, reports: reports,
            explanations: explanations, console: console, owner: owner, matches: matches)
    }

    private var linkRoutesOfConsole: [ConsoleRoute] {
        let numbers = LinkNumbers(reports: reports, time: time)
        return ConsoleRoute.links(
            ConsoleLinkRoutes(links: links, numbers: numbers), importing: LinkImportRoutes(links: links),
            changing: LinkChangeRoutes(links: links))
    }

    private var profileRoutes: [ConsoleRoute] {
        let reading = ProfileReader(database: database, installs: installs, app: app)
        return ConsoleRoute.profiles(
            ProfilePageRoutes(search: ProfileSearch(database: database, app: app), reading: reading, erasing: erasing),
            WhyRoutes(reading: reading, explanations: explanations))
    }

    private var finder: Finder {
        Finder(
            linkStore: links.store, profileSearch: ProfileSearch(database: database, app: app), versionStore: ConfigurationStore(database))
    }

    private var experimentRoom: ExperimentRoom {
        ExperimentRoom(experiments: experiments, isFileOwned: owner == .file)
    }
}
