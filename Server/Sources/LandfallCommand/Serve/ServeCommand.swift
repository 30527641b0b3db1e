// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallNode
import LandfallRules
import LandfallSQLite
import LandfallStore
import Logging

/// `landfall serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves apps: first opens, paywalls, attribution.",
        discussion: """
            Keeps its store in one folder and needs nothing else; with --database any number of nodes
            share a PostgreSQL. The configuration file is published
            when the store has none, or when the file changed; without a file, the store's version is served.
            SIGHUP reads the file again. SIGTERM and SIGINT end the server, a second one at once.
            """
    )

    @Option(help: "The configuration, landfall.yaml (LANDFALL_CONFIG).")
    var config: String?

    @Option(
        help: "Which configuration wins if the file and the store differ: store, or file; with file nothing else can be published (LANDFALL_CONFIG_OWNER; store)."
    )
    var configOwner: String?

    @OptionGroup var store: StorePlaceOption

    @OptionGroup var replica: ReplicaOption

    @OptionGroup var stream: StreamOptions

    @Option(help: "The address to listen on (LANDFALL_HOST; 127.0.0.1).")
    var host: String?

    @Option(help: "The port to listen on; 0 picks a free one (LANDFALL_PORT; 8080).")
    var port: Int?

    @Option(help: "Apple's attribution service, or a simulated one; https unless on loopback (LANDFALL_APPLE_ADS).")
    var appleAds: String?

    @Option(help: "A simulated Apple Ads to ask for names and spend; https unless on loopback (LANDFALL_APPLE_ADS_API; Apple's).")
    var appleAdsAPI: String?

    @Option(help: "The folder of the files that 'privateKeyFile' names (LANDFALL_SECRETS; none).", completion: .directory)
    var secrets: String?

    @Option(
        help: "A PEM file with the root certificate of a simulated App Store; it replaces Apple's under purchases (LANDFALL_APP_STORE_ROOT; Apple's)."
    )
    var appStoreRoot: String?

    @Option(help: "A simulated App Store in place of Apple's App Store Server API; https unless on loopback (LANDFALL_APP_STORE_API; Apple's).")
    var appStoreAPI: String?

    @Flag(help: "Also accept purchases of StoreKit testing in Xcode, which nobody has signed: for development (LANDFALL_STOREKIT_TESTING).")
    var storekitTesting = false

    @Flag(help: "Also deliver webhooks to private and loopback addresses (LANDFALL_WEBHOOKS_TO_PRIVATE).")
    var webhooksToPrivate = false

    @Option(
        help: "Your service for links of 'domains.old' that the server does not know; https unless on loopback (LANDFALL_LINK_RESOLVER; none)."
    )
    var linkResolver: String?

    @Option(help: "A second address for /metrics, HOST:PORT, for example 127.0.0.1:9090 (LANDFALL_METRICS_LISTEN; nowhere).")
    var metricsListen: String?

    @Option(
        help: "The proxies whose X-Forwarded-For counts: addresses and networks, separated by commas (LANDFALL_TRUSTED_PROXIES; none).")
    var trustedProxies: String?

    @Option(
        help: "The header in which these proxies give the client's country, for example CF-IPCountry (LANDFALL_COUNTRY_HEADER; none).")
    var countryHeader: String?

    @Option(help: "How many first opens and waits are held at once; further ones are answered immediately (LANDFALL_HELD_LIMIT; three quarters of --max-connections).")
    var heldLimit: Int?

    @Option(help: "How many held answers one network address may have (LANDFALL_HELD_PER_ADDRESS; 512).")
    var heldPerAddress: Int?

    @Option(help: "How many connections are open at once (LANDFALL_MAX_CONNECTIONS; what the machine's open files and memory allow).")
    var maxConnections: Int?

    @Option(
        help: "How many seconds a connection may be silent: before a request, in its body, with an unread answer (LANDFALL_IDLE_LIMIT; 60)."
    )
    var idleLimit: Int?

    @Option(
        help: "How many KiB the body of any request may have; each route has its own lower limit (LANDFALL_BODY_LIMIT; 8192, less with little memory)."
    )
    var bodyLimit: Int?

    @Option(
        help: "How many first opens, clicks and other writes may wait for the store (LANDFALL_WRITE_LIMIT; 16384, less with little memory).")
    var writeLimit: Int?

    @Option(
        help: "How many requests with events, imports or deletions may wait for it (LANDFALL_BULK_WRITE_LIMIT; 256, less with little memory).")
    var bulkWriteLimit: Int?

    @Option(
        help: "How many MiB of memory are for installs that were read lately (LANDFALL_INSTALL_MEMORY; a sixteenth of the machine's, 8 to 1024).")
    var installMemory: Int?

    @Option(help: "How the log is written: text, or json with one object a line (LANDFALL_LOG_FORMAT; text).")
    var logFormat: String?

    @Option(help: "A file that gets each line of the console's audit log, as one JSON object a line (LANDFALL_AUDIT_LOG; none).")
    var auditLog: String?

    @Option(
        help: "How many seconds it still serves after SIGTERM, while /readyz tells load balancers that it stops (LANDFALL_DRAIN; 5).")
    var drain: Int?

    func run() async throws {
        // The reader of configurations looks up all secrets in the environment.
        if let secrets { setenv(PrivateKeyPlace.folderVariable, secrets, 1) }
        let environment = FlagEnvironment()
        let port = try ListeningPort(try port ?? environment.number("port") ?? 8080)
        var options = ServerOptions()
        options.configurationFile = config ?? environment.text("config")
        let ownerName = configOwner ?? environment.text("config-owner") ?? ConfigurationOwner.store.rawValue
        guard let owner = ConfigurationOwner(rawValue: ownerName) else {
            throw ValidationError("--config-owner is '\(ownerName)'; use store or file.")
        }
        options.configurationOwner = owner
        options.host = host ?? environment.text("host") ?? options.host
        options.port = port.number
        options.appleAdsURL = AppleAdsAddress.complete(appleAds ?? environment.text("apple-ads") ?? options.appleAdsURL)
        options.appleAdsAPI = appleAdsAPI ?? environment.text("apple-ads-api")
        options.appStoreRoot = appStoreRoot ?? environment.text("app-store-root")
        options.appStoreAPIURL = appStoreAPI ?? environment.text("app-store-api")
        options.storeKitTesting = try storekitTesting || environment.isOn("storekit-testing")
        options.webhooksToPrivate = try webhooksToPrivate || environment.isOn("webhooks-to-private")
        options.mail = LiveMail()
        #if HTTPS
        options.examiningDomains = { await DomainExamination(subject: $0, file: $1, resolution: Resolution(overrides: [])).looks() }
        #endif
        options.linkResolverURL = linkResolver ?? environment.text("link-resolver")
        let metrics = try (metricsListen ?? environment.text("metrics-listen")).map { try ListeningAddress($0) }
        options.metricsListen = metrics.map { ($0.host, $0.port.number) }

        let proxies = trustedProxies ?? environment.text("trusted-proxies") ?? ""
        options.trustedProxies = proxies.split { $0 == "," || $0 == " " }.map(String.init)
        options.countryHeader = countryHeader ?? environment.text("country-header")

        let files = OpenFiles.raiseLimit(), memory = Memory.available
        try OpenFiles.require(files)
        let connections = try Self.number("max-connections", maxConnections, in: 1...1_000_000, environment)
        let limits = NodeLimits(openFiles: files, memory: memory, connections: connections)
        options.maxConnections = limits.connections
        options.heldLimit = try Self.number("held-limit", heldLimit, in: 0...1_000_000, environment) ?? limits.held
        options.heldPerAddress =
            try Self.number("held-per-address", heldPerAddress, in: 0...1_000_000, environment) ?? options.heldPerAddress
        options.idleLimit = .seconds(try Self.number("idle-limit", idleLimit, in: 1...3_600, environment) ?? 60)
        options.bodyLimit = try Self.number("body-limit", bodyLimit, in: 1...1_048_576, environment).map { $0 << 10 } ?? limits.body
        var writes = WriteLimits()
        writes.interactive = try Self.number("write-limit", writeLimit, in: 1...1_000_000, environment) ?? limits.writes
        writes.bulk = try Self.number("bulk-write-limit", bulkWriteLimit, in: 1...1_000_000, environment) ?? limits.bulkWrites
        options.installMemory =
            try Self.number("install-memory", installMemory, in: 0...1_048_576, environment).map { $0 << 20 } ?? limits.installs
        let drain = Duration.seconds(try Self.number("drain", drain, in: 0...600, environment) ?? 5)
        options.drain = drain

        options.auditLog = auditLog ?? environment.text("audit-log")

        let logger = try Serving.logger(environment, format: logFormat)
        logger.notice(
            "The limits of this node, from its options and its machine.",
            metadata: [
                "connections.most": "\(options.maxConnections)", "held.most": "\(options.heldLimit)",
                "held.perAddress": "\(options.heldPerAddress)", "body.kilobytes": "\(options.bodyLimit >> 10)",
                "writes.most": "\(writes.interactive)", "writes.bulk.most": "\(writes.bulk)",
                "installs.megabytes": "\(options.installMemory >> 20)", "files.most": "\(files)",
                "memory.megabytes": "\(memory >> 20)",
            ])
        if options.maxConnections > OpenFiles.connections(of: files) {
            logger.warning(
                "The limit of open files is too low for the allowed connections: raise it (LimitNOFILE), or allow fewer connections.",
                metadata: ["connections.most": "\(options.maxConnections)", "files.most": "\(files)"])
        }
        // Files of this process must not be accessible to other users, whatever umask it inherited.
        umask(0o077)
        await OpenFiles.openTimers()
        let place = try store.place(environment), notice = ServiceNotice(), stops = await StopSignals(logger: logger)
        let replica = try replica.address(environment, of: place)
        let streamOrder = try stream.order(environment, of: place)
        let wait = DatabaseWait(host: options.host, port: port.number, notice, stops, logger) { [writes] in
            try await OpenedStore.open(place, replica, writes)
        }
        var found: (store: OpenedStore, port: Int)?
        try await port.explaining(host: options.host) { found = try await wait.store() }
        guard let (opened, boundPort) = found else { return }
        let database = opened.database
        options.port = boundPort
        options.commandSocket = opened.socket?.path
        options.consoleSetUpFile = opened.folder.map { $0.path + "/console-setup" }
        options.announceConsole = { link in FileHandle.standardError.write(Data("console: \(link)\n".utf8)) }
        if opened.folder != nil, opened.socket == nil {
            logger.warning("The folder's path is too long for a socket: use commands with --server and --key.")
        }
        try await StreamOrder.streaming(streamOrder, database, logger) { [options] stream in
            var options = options
            options.stream = stream
            let server = try await LandfallServer(options: options, database: database, logger: logger) { [options] port in
                Serving.announce(host: options.host, port: port)
                notice.ready()
            }
            let hangUps = await HangUps(server, notice)
            try await port.explaining(host: options.host, or: metrics) { try await Serving.run(server, besides: [hangUps, notice], drain: drain, stops: stops, logger: logger) }
        }
        try await opened.close()
    }

    /// - Throws: a sentence that names the option, if its value is out of range.
    private static func number(
        _ flag: String, _ value: Int?, in range: ClosedRange<Int>, _ environment: FlagEnvironment
    ) throws -> Int? {
        guard let number = try value ?? environment.number(flag) else { return nil }
        guard range.contains(number) else {
            throw ValidationError("--\(flag) is \(number); it has to be \(range.lowerBound)…\(range.upperBound).")
        }
        return number
    }
}

/// The address of Apple's service: an address without a path gets Apple's path.
enum AppleAdsAddress {
    static func complete(_ address: String) -> String {
        guard let components = URLComponents(string: address), ["", "/"].contains(components.path) else { return address }
        return (address.hasSuffix("/") ? String(address.dropLast()) : address) + "/api/v1/"
    }
}
