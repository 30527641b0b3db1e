// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LandfallConsole
package import LandfallRules
package import LandfallServer
package import LandfallStore
package import Logging
import Metrics
import NIOCore
import ServiceLifecycle

/// The options of a node. Everything else is in landfall.yaml.
package struct ServerOptions: Sendable {
    /// Path of `landfall.yaml`; nil serves the store's version.
    package var configurationFile: String?
    /// Which of the file and the store wins if they differ.
    package var configurationOwner = ConfigurationOwner.store
    package var host = "127.0.0.1"
    /// 0 picks a free one.
    package var port = 8080
    /// Apple's attribution service, or a simulated one. https unless loopback.
    package var appleAdsURL = "https://api-adservices.apple.com/api/v1/"
    /// A simulated Apple Ads that is asked for names and spend; nil: Apple's. https unless loopback.
    package var appleAdsAPI: String?
    /// The team's service that knows where links of old domains lead; nil asks nobody. https unless loopback.
    package var linkResolverURL: String?
    /// A second address for `/metrics`, beside loopback callers of the main port; nil opens no listener.
    package var metricsListen: (host: String, port: Int)?
    /// Path of a file that gets each line of the audit log; nil writes none.
    package var auditLog: String?
    /// Path of the socket for commands on this machine, which need no key; nil opens none.
    package var commandSocket: String?
    /// Addresses and networks whose `X-Forwarded-For` and country header count, such as `10.0.0.0/8`.
    package var trustedProxies: [String] = []
    /// The header in which a trusted proxy gives the client's country, such as `CF-IPCountry`.
    package var countryHeader: String?
    /// Further hosts on which the links of a brand domain are served, each with that domain: this machine's address, for a demo.
    /// Like brand domains they serve nothing else.
    package var linkHosts: [String: String] = [:]
    /// A further address on which links are served and nothing else: no API, no console. Port 0 picks a free one; nil opens no listener.
    package var linksListen: (host: String, port: Int)?
    /// A PEM file with the root certificate that replaces Apple's under purchases; nil: Apple's.
    package var appStoreRoot: String?
    /// A simulated App Store Server API; nil: Apple's. https unless loopback.
    package var appStoreAPIURL: String?
    /// Accepts purchases of StoreKit testing in Xcode, which nobody has signed.
    package var storeKitTesting = false
    /// Webhooks may lead into the server's own network.
    package var webhooksToPrivate = false
    /// Streams the store to another place; nil: nobody does.
    package var stream: StoreStream?
    /// Sends the mail of alerts; nil: nobody does.
    package var mail: (any MailSending)?
    /// Looks at the domains for alerts; nil: nobody does.
    package var examiningDomains: DomainExamining?
    /// Called with the port of that listener, before the server says that it listens.
    package var onLinksListening: @Sendable (Int) -> Void = { _ in }
    /// How many connections this node has at once. Each is an open file.
    package var maxConnections = 50_000
    /// How many first-open streams and waits this node holds at once.
    package var heldLimit = 10_000
    /// How many held answers one network address may have.
    package var heldPerAddress = 512
    /// The memory for installs that were read lately, in bytes. They are answered without reading the store.
    package var installMemory = 128 << 20
    /// The file for the console's link for the first owner; nil writes no file.
    package var consoleSetUpFile: String?
    /// Called with that link, while the store has no member; nil makes none.
    package var announceConsole: (@Sendable (String) -> Void)?
    /// How long a stopping node still serves, while load balancers learn of it from `/readyz`.
    package var drain = Duration.zero
    /// How long a connection may be silent: before a request, within its body, and with an answer that the client does not
    /// read.
    package var idleLimit: Duration {
        get { .nanoseconds(connectionLimits.idle.nanoseconds) }
        set {
            let time = TimeAmount(newValue)
            (connectionLimits.idle, connectionLimits.body, connectionLimits.stall) = (time, time, time)
        }
    }
    /// The largest body of any request, in bytes. Each route has its own lower limit.
    package var bodyLimit: Int {
        get { connectionLimits.bodyLength }
        set { connectionLimits.bodyLength = newValue }
    }
    /// The limits of one connection.
    package var connectionLimits = ConnectionLimits()

    package init() {}
}

/// One node of the server: the composition of every feature. Runs until its task is cancelled or it is asked to stop.
package struct LandfallServer: Service, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let options: ServerOptions
    private let services: Services
    /// The services beside the listener, in the order in which they start; they stop in the opposite order.
    private let background: [any Service]
    private let commands: CommandSocket?
    private let linksListener: LinksListener?
    private let publishing: ConfigurationPublisher
    private let logger: Logger
    private let onListening: @Sendable (Int) async -> Void

    /// Migrates the store and reads the configuration.
    /// - Parameter onListening: called once with the port when the server is ready for requests.
    /// - Throws: the reason why the node cannot serve, in words for the operator.
    package init(
        options: ServerOptions, database: any Database, logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
        try await self.init(options: options, database: database, logger: logger, time: .live, onListening: onListening)
    }

    init(
        options: ServerOptions, database: any Database, logger: Logger, time: ServerTime,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
        let proxies = try TrustedProxies(options.trustedProxies)
        let countryHeader = try options.countryHeader.map { text in
            guard let name = HTTPField.Name(text) else { throw InvalidHeaderName(text: text) }
            return name
        }
        let trust = try AppStoreTrust(rootFile: options.appStoreRoot, takesStoreKitTesting: options.storeKitTesting)
        for remark in trust.remarks { logger.warning("Purchases are believed that Apple has not signed.", metadata: ["purchases.trust": "\(remark)"]) }
        let auditFile = options.auditLog.map { AuditFile(path: $0) }
        let auditStart = try auditFile.map { try AuditFileWriter.start(of: $0, nowMs: time.nowMs(), logger: logger) }
        try await Self.migrate(database, logger)
        let mark = try await StoreMark.load(from: database, nowMs: time.nowMs())
        var unbuilt: (number: Int64, error: any Error)?
        var refused: (any Error)?
        var text: String?
        let snapshot = try await Configuration.start(
            file: options.configurationFile, owner: options.configurationOwner,
            isAlone: { try await (database as? any SharedDatabase)?.isAlone(by: time) ?? true },
            store: ConfigurationStore(database), nowMs: time.nowMs(), onUnbuilt: { unbuilt = unbuilt ?? ($0, $1) }, onRefused: { refused = $0 },
            onKept: logger.kept, onText: { text = $0 })
        let appStoreHosts = try AppStoreAPIHosts(url: options.appStoreAPIURL)
        let appleAds = try LiveAppleAdsService.make(url: options.appleAdsURL)
        let adsAddresses = try options.appleAdsAPI.map { try AppleAdsAddresses(base: $0) } ?? .apple
        let resolver = try options.linkResolverURL.map { try HTTPLinkResolver(url: $0) }
        // Its client has to be shut down, so nothing that throws may follow.
        let outbound = LiveOutboundHTTP()
        let node = ServingNode(
            snapshot, database, mark, appleAds, held: HeldLimits(node: options.heldLimit, address: options.heldPerAddress),
            mostConnections: options.maxConnections, known: .memory(options.installMemory), time: time, logger: logger, proxies: proxies, countryHeader: countryHeader,
            linkHosts: options.linkHosts, owner: options.configurationOwner, resolver: resolver,
            trust: trust, outbound: outbound, adsAddresses: adsAddresses, appStoreHosts: appStoreHosts, webhooksToPrivate: options.webhooksToPrivate, mail: options.mail,
            examiningDomains: options.examiningDomains, stream: options.stream
        )
        if let refused {
            node.services.configuration.fileIsRead(refusal: refused)
            logger.refused(serving: snapshot.revision, refused)
        }
        if let unbuilt {
            node.services.configuration.isBehind(unbuilt.number)
            logger.behind(unbuilt.number, serving: snapshot.revision, unbuilt.error)
        }
        let console = node.services.console
        if console.reading == nil {
            do { try await LiveHistory(database: database, app: snapshot.app.id).fill(console.live) } catch {
                logger.warning("Live begins empty: earlier events could not be read.", metadata: ["error.text": "\(error)"])
            }
        }
        if options.trustedProxies.isEmpty {
            logger.notice(
                "Callers on this machine or in a private network have no limit for each address: name your proxies in --trusted-proxies."
            )
        }
        let metrics = node.services.metrics
        if let store = StoreTelemetry(database, factory: metrics) { metrics.beforeReading { store.report() } }
        if let pool = (database as? any PoolCounting).map({ PoolTelemetry($0, factory: metrics) }) { metrics.beforeReading { pool.report() } }
        if let stream = options.stream.map({ StreamTelemetry($0, time: time, factory: metrics) }) { metrics.beforeReading { stream.report() } }
        if let replica = ReplicaTelemetry(database, factory: metrics) { metrics.beforeReading { replica.report() } }
        let watch = StoreWatch(database, time: time, logger: logger)
        let telemetry = node.services.nodeTelemetry(watch), process = ProcessTelemetry(factory: metrics)
        metrics.beforeReading {
            telemetry.report()
            process.report()
        }
        self.options = options
        self.logger = logger
        self.onListening = onListening
        let auditWriter = auditFile.map { file in
            AuditFileWriter(
                file: file, tail: AuditTail(database: database, app: snapshot.app.id), start: auditStart ?? "", time: time, logger: logger)
        }
        let publishing = ConfigurationPublisher(
            node.services.publishing, database: database, file: options.configurationFile, text: text, news: node.services.versionNews, logger: logger)
        self.publishing = publishing
        commands = options.commandSocket.map { CommandSocket(path: $0, Routes.commandRouter(node.services, reloading: publishing), logger) }
        linksListener = options.linksListen.map { LinksListener($0, node.services, options.connectionLimits, logger) }
        self.background =
            // The heartbeat is stopped last: until then the node's jobs are its own. The stream ends behind what writes.
            (node.services.heartbeat.map { [$0] } ?? [])
            + (options.stream.map { [StreamService(stream: $0)] } ?? [])
            + [watch, appleAds, outbound, node.jobs, publishing, node.services.keyUseWriter]
            + ((database as? any SharedDatabase).map { [ChangeListener($0, node.services.holds, time: time)] } ?? [])
            + (console.reading.map { [LiveReader(reading: $0, feed: console.live, time: time)] } ?? [])
            + (resolver.map { [$0] } ?? [])
            + (options.metricsListen.map { [MetricsListener($0, metrics, node.services.limitHits, logger)] } ?? [])
            + (auditWriter.map { [$0] } ?? [])
            + (commands.map { [$0] } ?? [])
            + (linksListener.map { [$0] } ?? [])
        self.services = node.services
    }

    /// Migrates the schema to this release's, and checks that nothing of it is missing.
    private static func migrate(_ database: any Database, _ logger: Logger) async throws {
        let store = database as? any StoreExamining
        let before = (try? await store?.appliedMigrations().count) ?? 0
        try await database.migrate(Schema.migrations)
        guard let store else { return }
        let after = try await store.appliedMigrations().count
        if after > before {
            logger.notice("The store's schema was migrated.", metadata: ["migrations.run": "\(after - before)", "migrations.all": "\(after)"])
        }
        let lacks = try await store.schemaLacks(after: Schema.migrations)
        if !lacks.rows.isEmpty, let text = lacks.text { throw DatabaseError.schemaLacks(text) }
        if let text = lacks.text { logger.error("The store lacks indexes; statements are slow.", metadata: ["schema.lacks": "\(text)"]) }
    }

    /// Prints only the type's name, see ``Redacted``: the code that runs this value may log it.
    package var description: String { "LandfallServer" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Reads the configuration file again and publishes it, if it can be served. Logs the result.
    package func publishConfiguration() async { await publishing.publishFile() }

    package func run() async throws {
        let hosts = services.hosts, links = services.linkRoutes
        let rules = options.connectionLimits.rules(
            services.limitHits, services.connections, services.fastPath(hosts, links, logger), draining: services.draining)
        let limitHits = services.limitHits, handlings = Handlings(), listener = ListenerShutdown()
        let application = Application(
            router: Routes.router(services, hosts: hosts, links: links),
            server: HTTPServerBuilder { [limits = options.connectionLimits] responder in
                PromptAccepting(
                    http: HTTP1Channel(responder: responder, configuration: limits.http1(rules)), handlings: handlings)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(options.host, port: options.port), serverName: nil, backlog: 4096, reuseAddress: true
            ),
            services: background,
            onServerRunning: { channel in
                listener.opened(channel)
                options.connectionLimits.apply(to: channel)
                await AcceptPause.add(to: channel, limitHits)
                await commands?.opened()
                if let port = await linksListener?.port() { options.onLinksListening(port) }
                let port = channel.localAddress?.port ?? options.port
                logger.notice(
                    "The server is ready.",
                    metadata: [
                        "release": "\(LandfallVersion.current)", "port": "\(port)",
                        "configuration.version": "\(services.snapshot.revision)",
                    ])
                // No connection is taken before this closure returns. Beside other nodes the link may wait for silent ones; phones must not.
                if services.heartbeat == nil { await openConsole(port: port) } else { Task { await openConsole(port: port) } }
                await onListening(port)
            },
            logger: logger
        )
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [application], logger: logger))
        // Detached: the listener is told later that this task is asked to stop, see `leave`.
        let serving = Task.detached(priority: PromptAccepting.accepting) { try await group.run() }
        try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                defer { tasks.cancelAll() }
                tasks.addTask {
                    try? await gracefulShutdown()
                    if !Task.isCancelled { await leave(group, listener, drain: options.drain) }
                }
                if let serving = services.heartbeat?.serving {
                    tasks.addTask {
                        for await _ in serving {}
                        // What it would write meanwhile belongs to another store.
                        if !Task.isCancelled { await leave(group, listener, drain: .zero) }
                    }
                }
                let result = await serving.result
                await handlings.ended()
                logger.notice("The server has stopped: every answer that began was sent.")
                try result.get()
                if services.heartbeat?.condition.isReplaced == true { throw StoreReplaced() }
            }
        } onCancel: {
            serving.cancel()
            handlings.cancel()
        }
    }

    private func openConsole(port: Int) async {
        guard let announce = options.announceConsole else { return }
        let opening = FirstOwnerInvitation(
            invitations: services.invitations, place: services.console.place, file: options.consoleSetUpFile,
            others: { [services] in try await (services.database as? any SharedDatabase)?.livingOthers(by: services.time) ?? [] },
            time: services.time, logger: logger)
        // A browser cannot open a wildcard address; it can open this machine's.
        let host = ["0.0.0.0", "::"].contains(options.host) ? "127.0.0.1" : options.host
        let near = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        let address = services.snapshot.configuration.domains.api.first.map { "https://" + $0 } ?? near
        if let link = await opening.link(at: address) { announce(link) }
    }

    /// Goes on serving, also new connections, while load balancers learn that the node stops. Each connection ends with its next answer.
    /// Then the held answers are sent, so that the listener need not wait for them, and connections are closed.
    private func leave(_ group: ServiceGroup, _ listener: ListenerShutdown, drain: Duration) async {
        services.draining.begin()
        logger.notice("The server is stopping; it still serves for a moment.", metadata: ["drain": "\(drain)"])
        if drain > .zero {
            try? await services.time.sleep(drain)
            if await listener.takeNoMore() { try? await services.time.sleep(ListenerShutdown.pause) }
        }
        services.holds.stop()
        services.console.live.stop()
        await group.triggerGracefulShutdown()
    }
}
