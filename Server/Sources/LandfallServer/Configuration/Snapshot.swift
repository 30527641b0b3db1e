// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallWire

/// A configuration ready to serve: immutable, in memory, with every name resolved and all values that are derived from it. Requests read
/// nothing else of the configuration. A reference, because every request takes it.
package final class Snapshot: Sendable, Redacted {
    /// Version of the configuration that it was made from.
    package let revision: Int64
    package let configuration: Configuration
    package let app: App
    let identityTokens: IdentityTokens
    /// False: ad tokens are not sent to Apple.
    let asksAppleAds: Bool
    let attributionWindows: AttributionWindows
    /// Nil: no click is looked for by its address.
    package let addressMatching: AddressMatching?
    package let retention: Retention
    let events: [Event.Kind: EventDeclaration]
    package let metrics: [Metric]
    package let testDevices: TestDevices
    /// The app's own hosts and schemes, as links are compared with them.
    let linkDomains: LinkDomains
    /// The only hosts that answer the API; empty: every host that has no other purpose.
    private let apiHosts: Set<ExactText>
    private let universalHosts: Set<ExactText>
    let associationFiles: AssociationFiles
    /// The texts of the pages of links. The pages themselves are made where they are answered: they belong to links, which know snapshots.
    let pageLanguages: PageLanguages
    let linkRules: ServedLinkRules
    private let brandDomains: [ExactText: BrandDomain]
    private let oldDomains: [ExactText: OldDomain]
    private let links: [LinkPlace: StoredLink]
    private let keys: [ExactText: (key: SDKKey, mark: KeyMark)]
    private let serverKeys: [(key: ServerKey, mark: KeyMark)]
    /// When the keys were last used on this node.
    package let keyMarks: KeyMarks
    package let placements: [PlacementID: Placement]
    let comparedValues: ComparedValues
    /// Whether an audience compares when an install was seen last.
    let comparesLastSeen: Bool
    package let experiments: [ExperimentID: Experiment]
    let experimentsByPlacement: [PlacementID: [Experiment]]
    /// The current epoch of each experiment, by its index.
    let epochs: [Int64]
    /// False if no answer can need an assignment of the store: then none is read.
    package let storesAssignments: Bool
    private let attributeTypes: [String: AttributeType]

    /// - Parameter epochs: what the store has counted. Without it, an experiment is in the epoch of its file, or in the first.
    package init(_ configuration: Configuration, revision: Int64, epochs: [ExperimentID: Int64] = [:]) {
        self.revision = revision
        self.configuration = configuration
        app = configuration.app
        identityTokens = IdentityTokens(keys: configuration.identityKeys, bundleID: configuration.app.bundleID)
        asksAppleAds = configuration.asksAppleAds
        attributionWindows = configuration.attributionWindows
        addressMatching = configuration.addressMatching
        retention = configuration.retention
        events = configuration.events
        metrics = configuration.metrics
        testDevices = TestDevices(configuration.testDevices)
        linkDomains = configuration.domains.linkDomains(scheme: configuration.app.scheme)
        associationFiles = AssociationFiles(configuration.app)
        pageLanguages = PageLanguages(configuration.linkPages, app: configuration.app.name)
        apiHosts = Set(configuration.domains.api.map(ExactText.init))
        universalHosts = Set(configuration.domains.universal.map(ExactText.init))
        brandDomains = Dictionary(
            configuration.domains.brand.map { (ExactText($0.host), $0) }, uniquingKeysWith: { first, _ in first })
        linkRules = ServedLinkRules(configuration.domains.brand, links: configuration.links)
        oldDomains = Dictionary(
            configuration.domains.old.map { (ExactText($0.host), $0) }, uniquingKeysWith: { first, _ in first })
        links = Dictionary(
            configuration.links.map { (LinkPlace(host: $0.host, path: $0.path), $0) }, uniquingKeysWith: { first, _ in first }
        )
        let marks = KeyMarks(configuration)
        keyMarks = marks
        serverKeys = configuration.serverKeys.map { ($0, marks[KeyID($0)] ?? KeyMark()) }
        keys = Dictionary(
            uniqueKeysWithValues: configuration.keys.map { (ExactText($0.text), ($0, marks[KeyID($0)] ?? KeyMark())) })
        placements = Dictionary(uniqueKeysWithValues: configuration.placements.map { ($0.id, $0) })
        comparedValues = ComparedValues(configuration.placements)
        comparesLastSeen = comparedValues.has(.installLastSeen)
        attributeTypes = configuration.attributeTypes
        let experiments = configuration.experiments
        self.experiments = Dictionary(experiments.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.epochs = experiments.map { epochs[$0.id] ?? $0.epoch ?? 1 }
        storesAssignments = experiments.contains(where: \.assigns)
        experimentsByPlacement = experiments.isEmpty
            ? [:]
            : Dictionary(
                configuration.placements.map { placement in (placement.id, experiments.filter { placement.has($0) }) },
                uniquingKeysWith: { first, _ in first }
            ).filter { !$0.value.isEmpty }
    }

    /// The app that an active, unexpired SDK key opens; the key counts as used. The keys are public, so a plain look-up gives
    /// nothing away.
    func app(ofKey text: String, nowMs: Int64) -> AppID? {
        guard let (key, mark) = keys[ExactText(text)], key.isActive(nowMs: nowMs) else { return nil }
        mark.used(nowMs: nowMs)
        return app.id
    }

    /// - Parameter host: in lower case, without port and trailing dot.
    package func brandDomain(_ host: String) -> BrandDomain? { brandDomains[ExactText(host)] }

    /// True for the team's web site, which has the association files.
    /// - Parameter host: in lower case, without port and trailing dot.
    package func isUniversal(_ host: String) -> Bool { universalHosts.contains(ExactText(host)) }

    /// True if the API answers on this host. A web site's host has to be named for it, because the proxy of the web site passes
    /// only the association files on.
    /// - Parameter host: no brand domain; in lower case, without port and trailing dot; nil if the request names none.
    package func isAPI(_ host: String?) -> Bool {
        guard let host else { return apiHosts.isEmpty }
        return apiHosts.isEmpty ? !isUniversal(host) : apiHosts.contains(ExactText(host))
    }

    /// True for the hosts of `domains.brand` and `domains.api`.
    /// - Parameter named: as a request writes it: in any case, with or without a port.
    package func serves(_ named: String?) -> Bool {
        guard let named, let host = try? LinkAddress.webHost(named) else { return false }
        return brandDomain(host) != nil || apiHosts.contains(ExactText(host))
    }

    /// A vendor's domain whose links still reach the app.
    /// - Parameter host: in lower case, without port and trailing dot.
    func oldDomain(_ host: String) -> OldDomain? { oldDomains[ExactText(host)] }

    /// A link of the configuration itself.
    package func link(host: String, path: LinkPath) -> StoredLink? { links[LinkPlace(host: host, path: path)] }

    /// What the bearer of this secret key is called and may do, by all entries with it; the key counts as used. Nil for an unknown
    /// or expired key.
    func rights(ofServerKey text: String, nowMs: Int64) -> (name: String, scopes: Set<ServerKey.Scope>)? {
        let opened = serverKeys.filter { $0.key.opens(text, nowMs: nowMs) }
        guard let first = opened.first else { return nil }
        for (_, mark) in opened { mark.used(nowMs: nowMs) }
        return (first.key.name, opened.reduce(into: []) { $0.formUnion($1.key.scopes) })
    }

    /// Nil for a placement that the configuration does not have.
    func decide(
        placement: PlacementID, locale: LocaleCode?, facts: AudienceFacts, pending: Pending
    ) -> Decision? {
        placements[placement]?.decide(locale: locale, facts: facts, pending: pending)
    }

    /// What `everyone` sees: needs no facts. Nil for a placement that the configuration does not have.
    func defaultDecision(placement: PlacementID, locale: LocaleCode?) -> Decision? {
        placements[placement]?.defaultDecision(locale: locale)
    }

    /// Checks declared types; names and sizes are the store's to check. Attributes that are not declared are stored, but no
    /// audience can read them.
    /// - Throws: `invalid_attribute`.
    func check(_ changes: [String: AttributeValue?]) throws(AttributeRefusal) {
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            guard let value, let declared = attributeTypes[name], !declared.accepts(value) else { continue }
            throw AttributeRefusal(name: name, declared: declared)
        }
    }
}
