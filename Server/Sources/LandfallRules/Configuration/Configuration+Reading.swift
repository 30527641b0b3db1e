// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension Configuration {
    /// Reads a `landfall.yaml`.
    /// - Parameters:
    ///   - file: what messages call the text.
    ///   - environment: looks up the variables that the file names.
    /// - Throws: every problem at once.
    package init(
        yaml text: String, file: String = "landfall.yaml",
        environment: @escaping @Sendable (String) -> String? = { ProcessEnvironment.value(of: $0) }
    ) throws(ConfigurationError) {
        self = try ReadConfiguration(yaml: text, file: file, secrets: SecretEnvironment(value: environment)).requireConfiguration()
    }
}

/// What a `landfall.yaml` was read as.
package struct ReadConfiguration: Sendable {
    /// What messages call the text.
    let file: String
    /// What is wrong, in the order of the file. Empty: the configuration can be served.
    package let problems: [ConfigurationProblem]
    /// What is allowed but probably not meant, in the order of the file.
    package let warnings: [ConfigurationProblem]
    /// The file's values; nil if it is not usable YAML.
    package let root: ConfigurationNode?
    private let configuration: Configuration?

    /// - Parameters:
    ///   - file: what messages call the text.
    ///   - secrets: looks up the variables that the file names.
    package init(yaml text: String, file: String = "landfall.yaml", secrets: SecretEnvironment = .process) {
        self.file = file
        var source = ConfigurationText()
        var reader = ConfigurationReader(secrets: secrets)
        let root = source.parse(text)
        configuration = root.flatMap { reader.configuration($0) }
        problems = (source.problems + reader.problems).map { $0.named(in: root) }.sorted { $0.place < $1.place }
        warnings = reader.warnings.map { $0.named(in: root) }.sorted { $0.place < $1.place }
        self.root = root
    }

    /// Nil if there is no configuration.
    var money: MoneyRules? { configuration?.purchases.money }

    /// - Throws: every problem at once.
    package func requireConfiguration() throws(ConfigurationError) -> Configuration {
        guard let configuration, problems.isEmpty else { throw ConfigurationError(file: file, problems: problems) }
        return configuration
    }
}

extension ConfigurationProblem {
    fileprivate func named(in root: ConfigurationNode?) -> ConfigurationProblem {
        var problem = self
        problem.path = root?.path(toNode: place.node) ?? ""
        return problem
    }
}

extension ConfigurationReader {
    fileprivate mutating func configuration(_ root: ConfigurationNode) -> Configuration? {
        let fields = fields(
            root, of: "The configuration", required: ["app", "keys", "paywalls", "placements"],
            optional: [
                "identity", "domains", "attributes", "segments", "audiences", "links", "linkPages", "linkTemplates", "deferredLinks", "attribution", "appleAds",
                "retention", "events", "metrics", "testDevices", "layers", "holdouts", "experiments", "reporting", "accessLevels", "products",
                "purchases", "webhooks", "exports", "alerts", "signIn",
            ]
        )
        guard let fields else { return nil }

        // Everything is read before the first failure ends it, so that all problems are reported.
        let app = fields["app"].flatMap { self.app($0) }
        let keys = fields["keys"].map { self.keys($0) } ?? (sdk: [], server: [])
        let identityKeys = fields["identity"].map { identity($0) } ?? []
        let domains = fields["domains"].map { self.domains($0) } ?? Domains()
        let attributeTypes = fields["attributes"].map { self.attributeTypes($0) } ?? [:]
        let paywalls = fields["paywalls"].map { self.paywalls($0) } ?? Named()
        let purchases = purchaseRules(fields)
        let products = FileProducts(names: purchases.products.map(\.name.text)) { purchases.rule(of: $0) != nil }
        let audiences = self.audiences(
            fields["audiences"], segments: fields["segments"], attributeTypes: attributeTypes, accessLevels: purchases.accessLevels,
            products: products)
        let events = fields["events"].map { self.events($0) } ?? Named()
        let metrics =
            fields["metrics"].map {
                self.metrics($0, events: events.names, products: products, currency: purchases.money.currency)
            } ?? []
        let experiments = self.experiments(fields, paywalls: paywalls)
        let placements =
            fields["placements"].map {
                self.placements($0, audiences: audiences, paywalls: paywalls, experiments: experiments)
            } ?? []
        let links = fields["links"].map { self.links($0, domains: domains, scheme: app?.scheme) } ?? []
        if let app, let place = fields["domains"]?.place { checkWays(of: app, domains, at: place) }
        let linkTemplates = fields["linkTemplates"].map { self.linkTemplates($0, domains: domains, scheme: app?.scheme) } ?? []
        let linkPages = fields["linkPages"].map { self.linkPages($0) } ?? LinkPageSettings()
        let appleAds = fields["appleAds"].map { self.appleAds($0) } ?? (asks: true, access: nil)
        let windows = fields["attribution"].map { attributionWindows($0) } ?? AttributionWindows()
        let addressMatching = fields["deferredLinks"].flatMap { self.addressMatching($0) }
        let retention = fields["retention"].map { self.retention($0) } ?? Retention()
        let testDevices =
            fields["testDevices"].map {
                self.testDevices($0, audiences: audiences.names, placements: placements.map(\.id), paywalls: paywalls)
            } ?? []
        let webhooks = fields["webhooks"].map { self.webhooks($0) } ?? []
        let alerts = fields["alerts"].map { self.alerts($0) } ?? AlertSettings()
        let exports = fields["exports"].flatMap { self.exports($0) }
        let signIn = fields["signIn"].map { self.signIn($0) } ?? SignInRules()
        let reportZone = fields["reporting"].flatMap { self.reportZone($0) } ?? .utc
        guard let app else { return nil }
        return Configuration(
            app: app, keys: keys.sdk, serverKeys: keys.server, identityKeys: identityKeys, domains: domains,
            attributeTypes: attributeTypes,
            paywalls: paywalls.values, audiences: audiences.values, placements: placements, links: links, linkPages: linkPages,
            linkTemplates: linkTemplates, asksAppleAds: appleAds.asks, appleAds: appleAds.access, attributionWindows: windows, addressMatching: addressMatching,
            retention: retention,
            events: Dictionary(events.values.map { ($0.type, $0.declaration) }) { first, _ in first }, metrics: metrics,
            testDevices: testDevices, experiments: experiments.values, reportZone: reportZone, purchases: purchases, webhooks: webhooks, exports: exports,
            alerts: alerts, signIn: signIn
        )
    }

    private mutating func experiments(_ fields: Fields, paywalls: Named<Paywall>) -> Named<Experiment> {
        let layers = fields["layers"].map { self.layers($0) } ?? Named()
        let holdouts = fields["holdouts"].map { self.holdouts($0) } ?? Named()
        guard let node = fields["experiments"] else { return Named() }
        var metrics: Set<ExactText> = []
        // A metric with problems of its own still counts as known.
        if case .mapping(let entries)? = fields["metrics"]?.content { metrics = Set(entries.map { ExactText($0.key) }) }
        let context = ExperimentContext(
            paywalls: paywalls, paywallNode: fields["paywalls"], metrics: metrics, layers: layers, holdouts: holdouts)
        return experiments(node, context)
    }
}
