// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Logging
import NIOCore
import NIOFoundationCompat
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

/// A node with a real store of its own. Time moves when the test moves it; Apple is not asked.
struct TestServer {
    let services: Services
    let clock: ManualClock
    let client: any TestClientProtocol

    static func run(
        held: HeldLimits = HeldLimits(node: 100), identityKeys: [IdentityKey] = [], configuration: Configuration? = nil,
        revision: Int64 = 7, isShared: Bool = false,
        proxies: TrustedProxies = .none, countryHeader: HTTPField.Name? = nil, patience: Duration? = nil,
        faults: StoreFaults? = nil, secrets: SecretEnvironment = .process, owner: ConfigurationOwner = .store,
        resolver: (any LinkResolver)? = nil, passwords: PasswordHasher = PasswordHasher(cost: .quick),
        editing: OwnThreads? = nil, trust: AppStoreTrust = AppStoreTrust(), clock: ManualClock = ManualClock(),
        outbound: (any OutboundHTTP)? = nil,
        isEmbedded: Bool = TestEngine.isEmbedded, _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        let own = try await OwnDatabase(isEmbedded: isEmbedded)
        let database = RecordingDatabase(faults.map { FaultyDatabase(own.engine, $0) } ?? own.engine, isShared: isShared)
        let time = ServerTime(
            nowMs: { Int64(clock.date.timeIntervalSince1970 * 1000) },
            sleep: { try await clock.sleep(until: clock.now.advanced(by: $0)) }
        )
        let mark = try await StoreMark.load(from: database, nowMs: time.nowMs())
        let metrics = PrometheusRegistry()
        let snapshot = Snapshot(configuration ?? .sample(identityKeys: identityKeys), revision: revision)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let limitHits = LimitHits(factory: metrics, nowMs: time.nowMs, logger: logger)
        let cache = InstallCache()
        let live = LiveConfiguration(snapshot)
        var console = ConsoleParts(passwords: passwords, startedAtMs: time.nowMs())
        if let editing { console.editing = editing }
        var services = Services(
            configuration: live,
            database: database,
            mark: mark,
            installs: SQLInstallStore(
                database, mark, cache: cache, assignments: live.assignments, feed: console.live, webhooks: live.webhooks),
            installCache: cache,
            events: EventStore(database, mark, feed: console.live, webhooks: live.webhooks),
            links: Links(store: LinkStore(database), resolver: resolver),
            clicks: WatchedClicks(store: SQLClickStore(database, webhooks: live.webhooks), feed: console.live),
            visitors: VisitorNumbers(database),
            addressKeys: AddressKeys(database),
            holds: HeldAnswers(held, onFull: limitHits.hit),
            firstOpens: FirstOpenWriter(patience: patience, onFull: limitHits.hit),
            readiness: FirstOpenWriter(patience: patience),
            time: time,
            metrics: metrics,
            telemetry: Telemetry(metrics),
            limitHits: limitHits,
            proxies: proxies,
            countryHeader: countryHeader,
            secrets: secrets,
            configurationOwner: owner,
            console: console,
            trust: trust,
            outbound: outbound
        )
        services.observation = services.observing()
        let made = services
        let application = Application(
            router: Routes.router(made), logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        try await application.test(.router) { client in
            try await body(TestServer(services: made, clock: clock, client: client))
        }
        try await own.close()
    }
}

extension Placement {
    /// Without experiments.
    convenience init(id: PlacementID, offers: [Offer], everyone: Paywall) {
        self.init(id: id, offers: offers, everyone: Showing(everyone))
    }
}

extension Placement.Offer {
    convenience init(audience: Audience, paywall: Paywall) { self.init(audience: audience, showing: .init(paywall)) }
}

extension Configuration {
    /// One placement that shows `apple-ads` to Apple Ads users, one that shows the same to everyone, one that shows `summer`
    /// after the link `/beach`.
    static func sample(identityKeys: [IdentityKey] = []) -> Configuration {
        func paywall(_ name: String) -> Paywall {
            Paywall(
                id: PaywallID(name), productIDs: ["year"], defaultLocale: LocaleCode(rawValue: "en"),
                remoteConfig: [
                    LocaleCode(rawValue: "en")!: .string(name), LocaleCode(rawValue: "de")!: .string(name + " auf Deutsch"),
                ]
            )
        }
        func link(_ path: String, _ labels: LinkLabels = LinkLabels(), expiresAtMs: Int64? = nil) -> StoredLink {
            StoredLink(
                host: "brandname.go.link", path: LinkPath(stored: path),
                destination: "https://brandname.go.link/summer-clothes?promo=beach", labels: labels, expiresAtMs: expiresAtMs
            )
        }
        let appleAds = Audience(
            id: AudienceID("apple-ads-users"),
            condition: .text(.attributionSource, .isEqual, AttributionSource.appleAds.rawValue)
        )
        let summer = Audience(id: AudienceID("summer-link"), condition: .text(.linkCampaign, .isEqual, "summer"))
        return Configuration(
            app: App(
                id: AppID("example"), name: "Example", bundleID: "com.example.app", teamID: nil, scheme: "example",
                appStoreID: nil),
            keys: [SDKKey(text: "pk_test", environment: .production, expiresAtMs: nil)],
            identityKeys: identityKeys,
            domains: Domains(brand: [BrandDomain(host: "brandname.go.link")], universal: ["example.com"]),
            attributeTypes: ["sessions": .number],
            paywalls: [], audiences: [],
            placements: [
                Placement(
                    id: "offer", offers: [.init(audience: summer, paywall: paywall("summer"))], everyone: paywall("default")),
                Placement(
                    id: "onboarding", offers: [.init(audience: appleAds, paywall: paywall("apple-ads"))],
                    everyone: paywall("default")),
                Placement(id: "settings", offers: [], everyone: paywall("default")),
            ],
            links: [
                link("/beach", LinkLabels(campaign: "summer")), link("/plain"),
                link("/over", LinkLabels(campaign: "spring"), expiresAtMs: 1),
            ],
            asksAppleAds: true
        )
    }
}

/// One install of a phone, as its requests carry it.
struct Phone {
    let id: String
    let secret: String

    init(_ number: Int = 1, secret: UInt8 = 7) {
        id = "0198f0c2-7b1a-7c3d-8e4f-" + String(repeating: "0", count: 12 - String(number).count) + String(number)
        self.secret = Data(repeating: secret, count: 32).base64EncodedString().replacingOccurrences(of: "=", with: "")
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    }

    var credential: Credential { Credential(header: "\(id).\(secret)")! }
}

extension TestServer {
    /// Sends one request; `phone: nil` sends the SDK key alone, `key: nil` not even that.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, phone: Phone? = Phone(), key: String? = "pk_test",
        device: String? = nil, linkRules: String? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        if let key { headers[.authorization] = "Bearer \(key)" }
        if let phone { headers[.landfallProfile] = "\(phone.id).\(phone.secret)" }
        if let device { headers[.landfallDevice] = device }
        if let linkRules { headers[.landfallLinkRules] = linkRules }
        return try await client.execute(uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
    }

    /// The lines of one first open.
    func firstOpen(_ body: String, phone: Phone = Phone()) async throws -> [FirstOpenLine] {
        let response = try await send(.post, WirePath.firstOpen, body, phone: phone)
        #expect(response.status == .ok)
        return try response.lines
    }
}

extension TestResponse {
    func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try WireCoding.decode(type, from: Data(buffer: body))
    }

    var problem: ErrorBody.Problem? { try? decoded(ErrorBody.self).error }

    var lines: [FirstOpenLine] {
        get throws {
            try String(buffer: body).split(separator: "\n").map {
                try WireCoding.decode(FirstOpenLine.self, from: Data($0.utf8))
            }
        }
    }
}

extension [FirstOpenLine] {
    /// Of the first profile line.
    var profile: WireProfile? { lazy.compactMap { if case .profile(let profile) = $0 { profile } else { nil } }.first }
}
