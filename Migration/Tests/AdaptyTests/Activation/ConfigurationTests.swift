// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import LandfallTesting
import Testing

@Suite("Options of the builder", .timeLimit(.minutes(1)))
struct ConfigurationTests {
    private static let server = URL(string: "https://api.example.com")!
    private var builder: AdaptyConfiguration.Builder { .init(AdaptyConfiguration(apiKey: "pk_demo", serverURL: Self.server)) }

    static let unlike: [@Sendable (AdaptyConfiguration.Builder) -> AdaptyConfiguration.Builder] = [
        { $0.with(apiKey: "pk_other") },
        { $0.with(customerUserId: "ada") },
        { $0.with(customerUserId: "ada", withAppAccountToken: UUID()) },
        { $0.with(observerMode: true) },
        { $0.with(idfaCollectionDisabled: true) },
        { $0.with(ipAddressCollectionDisabled: true) },
        { $0.with(clearDataOnBackup: true) },
        { $0.with(callbackDispatchQueue: DispatchQueue(label: "other")) },
        { $0.with(serverCluster: .cn) },
        { $0.with(proxy: "127.0.0.1", port: 8_080) },
        { $0.with(transactionFinishBehavior: .manual) },
        { $0.with(logLevel: .debug) },
        { $0.with(links: LinkRules(domains: LinkDomains(brand: ["links.example.com"]))) },
        { $0.with(storageDirectory: URL(filePath: "/tmp/other")) },
        { $0.with(attributionLimit: 8) },
    ]

    @Test("Each option makes another configuration, which a second activation refuses", arguments: unlike.indices)
    func unequal(index: Int) {
        #expect(Self.unlike[index](builder).build() != builder.build())
    }

    @Test("The builder can be read: what was set so far")
    func reading() {
        let (token, queue) = (UUID(), DispatchQueue(label: "callbacks"))
        let builder = builder.with(apiKey: "pk_other").with(customerUserId: "ada", withAppAccountToken: token).with(observerMode: true)
            .with(idfaCollectionDisabled: true).with(ipAddressCollectionDisabled: true).with(callbackDispatchQueue: queue)
            .with(serverCluster: .eu).with(logLevel: .debug)

        #expect([builder.apiKey, builder.customerUserId] == ["pk_other", "ada"])
        #expect(builder.appAccountToken == token)
        #expect([builder.observerMode, builder.idfaCollectionDisabled, builder.ipAddressCollectionDisabled] == [true, true, true])
        #expect(builder.callbackDispatchQueue === queue)
        #expect(builder.serverCluster == .eu)
        #expect(builder.logLevel == .debug)
        #expect(self.builder.customerUserId == nil)
    }

    @Test("The app's links reach the client's configuration, and Info.plist's do without them")
    func links() {
        let rules = LinkRules(
            domains: LinkDomains(brand: ["links.example.com"], universal: ["example.com"], schemes: ["example"]),
            wrapperHosts: ["mail.example.com"])

        #expect(builder.with(links: rules).build().landfall(server: Self.server) { _ in }.links == rules)
        #expect(builder.build().landfall(server: Self.server) { _ in }.links.domains == LinkDomains())
    }

    @Test(
        "The limit of the wait for attribution is the document's, or the app's own",
        arguments: [
            (nil, Duration.seconds(5), Duration.seconds(3)), (8, .seconds(8), .seconds(8)), (.nan, .zero, .zero),
            (-1, .zero, .zero),
        ])
    func attributionLimit(own: TimeInterval?, limit: Duration, timer: Duration) {
        let settings = (own.map { builder.with(attributionLimit: $0) } ?? builder).build().landfall(server: Self.server) { _ in }

        #expect(settings.attributionLimit == limit)
        #expect(settings.ownTimer == timer)
    }

    @Test(
        "What changes nothing is said at activation, once",
        arguments: [
            (unlike[2], Notice.appAccountToken), (unlike[8], .serverCluster), (unlike[9], .proxy),
        ])
    func notices(option: @Sendable (AdaptyConfiguration.Builder) -> AdaptyConfiguration.Builder, notice: Notice) throws {
        let lines = LogLines()
        let activation = activation(LogDesk(write: { lines.append($0) }))

        let configuration = option(builder).build()
        try activation.activate(configuration)
        try activation.activate(configuration)

        #expect(lines.all.map(\.message).filter { $0 == notice.text }.count == 1)
    }

    @Test("Options that are always so, and the plain configuration, say nothing")
    func silent() throws {
        let quiet = builder.with(idfaCollectionDisabled: true).with(ipAddressCollectionDisabled: true)
            .with(clearDataOnBackup: true).with(customerUserId: "ada").with(observerMode: true).with(transactionFinishBehavior: .manual)
            .build()

        #expect(quiet.notices.isEmpty)
        #expect(builder.build().notices.isEmpty)
    }

    @Test("An account token without a person is left out")
    func tokenAlone() {
        #expect(builder.with(customerUserId: nil, withAppAccountToken: UUID()).build().appAccountToken == nil)
    }

    @Test("Completions and the delegate are called on the named queue, else on the main one")
    func queue() throws {
        let queue = DispatchQueue(label: "com.example.callbacks")
        let plain = activation(LogDesk(write: { _ in }))
        let named = activation(LogDesk(write: { _ in }))

        try plain.activate(builder.build())
        try named.activate(builder.with(callbackDispatchQueue: queue).build())

        #expect(plain.callbackQueue.label == DispatchQueue.main.label)
        #expect(named.callbackQueue === queue)
        #expect(builder.with(callbackDispatchQueue: .main).build() == builder.with(callbackDispatchQueue: .main).build())
    }

    @Test("The level of the configuration counts from the activation on")
    func level() throws {
        let desk = LogDesk(write: { _ in })

        try activation(desk).activate(builder.with(logLevel: .verbose).build())

        #expect(desk.level == .verbose)
    }

    private func activation(_ log: LogDesk) -> Activation {
        let clock = ManualClock()
        return Activation(time: clock.time, log: log) { settings in
            var settings = settings
            settings.transport = ScriptedTransport()
            settings.storage = MemoryStorage()
            settings.time = clock.time
            return LandfallClient(settings)
        }
    }
}
