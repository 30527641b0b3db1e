// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallWire

/// The pages of placements, audiences and paywalls: what the newest version of the configuration says.
struct ConfigurationRoutes: Sendable {
    let store: ConfigurationStore
    let ads: AppleAdsNames
    let installs: SampledInstalls
    let reports: Reports
    let explanations: ExplanationRoutes
    let console: ConsoleParts
    let owner: ConfigurationOwner
    let documents = ConfigurationDocuments()
    let matches: AudienceMatches

    private func newest() async throws -> ConfigurationDocument? { try await documents.newest(store) }

    /// The newest version and the entry that the address names.
    /// - Throws: `not_found`.
    private func entry(_ section: String, _ call: ConsoleCall) async throws -> (ConfigurationDocument, name: String, ConfigurationNode) {
        guard let name = call.context.parameters.get("name"), let document = try await newest(),
            let node = document.entry(section, name), !node.isNull
        else { throw RequestError.notFound }
        return (document, name, node)
    }

    /// Nil for a member who may not change anything.
    private func forms(_ call: ConsoleCall, _ document: ConfigurationDocument) throws -> ConfigurationForms? {
        try call.member.member.role.rights.contains(.publishing) ? ConfigurationForms(base: document.number) : nil
    }

    private func frame(_ call: ConsoleCall) throws -> Frame {
        var frame = try call.frame
        frame.isFileOwned = owner == .file
        return frame
    }

    private func filter(_ call: ConsoleCall) -> NameFilter { NameFilter(text: call.query("q"), page: call.query("page")) }
}

extension ConfigurationRoutes {
    /// `GET /console/placements?q=&page=`
    @Sendable func placements(_ call: ConsoleCall) async throws -> Response {
        let document = try await newest()
        var filter = filter(call)
        let placements = filter.slice(document?.entries("placements") ?? []) { $0.key }.map { entry in
            PlacementsPage.Placement(name: entry.key, entries: entry.value.items.map { PlacementEntry($0) })
        }
        return ConsoleAnswer.page(
            PlacementsPage(frame: try frame(call), version: document?.number, placements: placements, filter: filter).html)
    }

    /// `GET /console/placements/{name}?count=now&device=`
    @Sendable func placement(_ call: ConsoleCall) async throws -> Response {
        let (document, name, node) = try await entry("placements", call)
        let counting = try await counting(node.items.compactMap { $0.text("audience") }, document, call)
        return ConsoleAnswer.page(try await placementPage(call, document, name, node, forms(call, document), counting))
    }

    func placementPage(
        _ call: ConsoleCall, _ document: ConfigurationDocument, _ name: String, _ node: ConfigurationNode, _ forms: ConfigurationForms?,
        _ counting: MatchCounts? = nil
    ) async throws -> HTML {
        // The numbers are about the published version.
        let counted = forms?.draft == nil ? matches.known(document.number, nowMs: call.nowMs) : nil
        let entries = node.items.map { element in
            var entry = PlacementEntry(element)
            entry.matches = counted?.sample(of: AudienceID(entry.audience))
            return entry
        }
        var page = PlacementPage(
            frame: try call.frame, version: document.number, name: name, entries: entries, uses: document.uses(ofPlacement: name),
            yaml: document.text(of: [.key("placements"), .key(name)]))
        page.forms = forms
        page.counting = counting
        page.shares = try await shares(at: name, call)
        let isDraft = forms?.draft != nil
        page.devices = try devices(at: name, in: isDraft ? document : nil, call)
        page.device = try await device(at: name, in: isDraft ? document : nil, call)
        if forms != nil {
            let asked = Set(entries.map { ExactText($0.audience) })
            page.audiences = document.entries("audiences").map(\.key).filter { !asked.contains(ExactText($0)) }
            page.paywalls = document.entries("paywalls").map(\.key)
            page.experiments = document.entries("experiments").map(\.key)
        }
        return page.html
    }

    /// `GET /console/audiences?q=&page=&count=now`
    @Sendable func audiences(_ call: ConsoleCall) async throws -> Response {
        let document = try await newest()
        var filter = filter(call)
        let entries = filter.slice(document?.entries("audiences") ?? []) { $0.key }
        var counting: MatchCounts?
        if let document { counting = try await self.counting(entries.map(\.key), document, call) }
        let counted = document.flatMap { matches.known($0.number, nowMs: call.nowMs) }
        let conditions = ConditionPartReader(segments: document?.root["segments"])
        let audiences = entries.map { entry in
            AudiencesPage.Audience(
                name: entry.key, condition: conditions.part(entry.value),
                uses: document?.uses(ofAudience: entry.key).count ?? 0, matches: counted?.sample(of: AudienceID(entry.key)))
        }
        var page = AudiencesPage(frame: try frame(call), version: document?.number, audiences: audiences, filter: filter)
        page.counting = counting
        return ConsoleAnswer.page(page.html)
    }

    /// `GET /console/audiences/{name}?count=now`
    @Sendable func audience(_ call: ConsoleCall) async throws -> Response {
        let (document, name, node) = try await entry("audiences", call)
        let matches = try await matches(AudienceID(name), document, call)
        return ConsoleAnswer.page(try await audiencePage(call, document, name, node, forms(call, document), matches))
    }

    func audiencePage(
        _ call: ConsoleCall, _ document: ConfigurationDocument, _ name: String, _ node: ConfigurationNode, _ forms: ConfigurationForms?,
        _ matches: AudiencePage.Matches
    ) async throws -> HTML {
        var page = AudiencePage(
            frame: try call.frame, version: document.number, name: name,
            condition: ConditionPartReader(segments: document.root["segments"]).part(node), matches: matches,
            uses: document.uses(ofAudience: name), yaml: document.text(of: [.key("audiences"), .key(name)]))
        page.forms = forms
        if forms != nil {
            page.rows = Array(ConfigurationFormChange.rows(of: node).prefix(AudiencePage.mostRows))
            page.attributes = Self.attributes(of: document)
            page.ads = try await AppleAdsSuggestions(for: page.rows, ads)
            page.suggestions = ConfigurationFormChange.suggestions(
                Set(page.rows.map { ExactText($0.attribute) }), in: document, ads: page.ads.ids)
        }
        return page.html
    }

    /// What a comparison can look at.
    static func attributes(of document: ConfigurationDocument) -> [String] {
        let access = document.accessLevels.flatMap { level in AccessField.allCases.map { $0.name(of: level) } }
        let customs = document.entries("attributes").map { ConditionSubject.customPrefix + $0.key }
        return AudienceAttribute.allCases.map(\.rawValue) + access + customs
    }

    /// Counts the audiences of a page, if the address asks for it.
    /// - Returns: whether they can be counted; nil where they cannot.
    private func counting(_ names: [String], _ document: ConfigurationDocument, _ call: ConsoleCall) async throws -> MatchCounts? {
        let snapshot = call.context.snapshot, wanted = Set(names.filter { $0 != PlacementEntry.everyone }.map { AudienceID($0) })
        guard snapshot.revision == document.number, !wanted.isEmpty else { return nil }
        guard call.query("count") == "now" else { return .possible }
        let counted = try await matches.count(
            wanted, of: snapshot, in: installs, numbers: SystemRandomNumberGenerator(), nowMs: call.nowMs)
        return counted == nil ? .busy : .possible
    }

    /// Of an audience on a page that may carry a draft.
    func matches(
        ofDraft name: String, _ document: ConfigurationDocument, _ forms: ConfigurationForms, _ call: ConsoleCall
    ) async throws -> AudiencePage.Matches {
        guard forms.draft != nil else { return try await matches(AudienceID(name), document, call) }
        guard call.form["change"] == "count", forms.problems.isEmpty else { return .notCounted }
        // To count, nobody needs the secrets that the file names.
        let reading = ReadConfiguration(
            yaml: document.text, secrets: SecretEnvironment(value: { ProcessEnvironment.anySecret(of: $0) }))
        guard let configuration = try? reading.requireConfiguration(),
            let audience = configuration.audiences.first(where: { $0.id == AudienceID(name) })
        else { return .notServed }
        let counted = try await matches.count(
            ofDraft: audience, call.context.snapshot, in: installs, numbers: SystemRandomNumberGenerator(), nowMs: call.nowMs)
        guard let counted else { return .busy }
        return counted.sample(of: audience.id).map { .counted($0) } ?? .notServed
    }

    private func matches(
        _ audience: AudienceID, _ document: ConfigurationDocument, _ call: ConsoleCall
    ) async throws -> AudiencePage.Matches {
        let snapshot = call.context.snapshot
        guard snapshot.revision == document.number else { return .notServed }
        if call.query("count") == "now" {
            let counted = try await matches.count(
                [audience], of: snapshot, in: installs, numbers: SystemRandomNumberGenerator(), nowMs: call.nowMs)
            guard let counted else { return .busy }
            return counted.sample(of: audience).map { .counted($0) } ?? .notServed
        }
        let known = matches.known(document.number, nowMs: call.nowMs)
        return known?.sample(of: audience).map { .counted($0) } ?? .notCounted
    }

    /// `GET /console/paywalls?q=&page=`
    @Sendable func paywalls(_ call: ConsoleCall) async throws -> Response {
        let document = try await newest()
        var filter = filter(call)
        let paywalls = filter.slice(document?.entries("paywalls") ?? []) { $0.key }.map { entry in
            PaywallsPage.Paywall(
                name: entry.key, products: entry.value["products"]?.items.compactMap(\.text) ?? [],
                locales: entry.value["remoteConfig"]?.entries.map(\.key) ?? [],
                uses: document?.uses(ofPaywall: entry.key).count ?? 0)
        }
        return ConsoleAnswer.page(
            PaywallsPage(frame: try frame(call), version: document?.number, paywalls: paywalls, filter: filter).html)
    }

    /// `GET /console/paywalls/{name}?locale=`
    @Sendable func paywall(_ call: ConsoleCall) async throws -> Response {
        let (document, name, node) = try await entry("paywalls", call)
        return ConsoleAnswer.page(try paywallPage(call, document, name, node, forms(call, document), locale: call.query("locale")))
    }

    func paywallPage(
        _ call: ConsoleCall, _ document: ConfigurationDocument, _ name: String, _ node: ConfigurationNode, _ forms: ConfigurationForms?,
        locale: String?
    ) throws -> HTML {
        var page = PaywallPage(try call.frame, document, name, node, locale: locale)
        page.forms = forms
        return page.html
    }
}

extension PlacementEntry {
    init(_ node: ConfigurationNode) {
        let showing: Showing =
            if let paywall = node.text("paywall") { .paywall(paywall) } else if let experiment = node.text("experiment") {
                .experiment(experiment)
            } else { .unknown }
        self.init(audience: node.text("audience") ?? "–", showing: showing)
    }
}

extension AudienceMatches.Counted {
    /// Nil where the audience was not counted.
    func sample(of audience: AudienceID) -> MatchSample? {
        guard let numbers = audiences[audience] else { return nil }
        let interval = WilsonInterval.bounds(numbers.count.yes, of: numbers.sampled)
        return MatchSample(
            count: numbers.count, sampled: numbers.sampled, isEverything: numbers.sampled < AudienceMatches.sample,
            interval: interval[0]...interval[1], atMs: numbers.atMs)
    }
}

extension ConsoleRoute {
    static func configuration(_ routes: ConfigurationRoutes) -> [ConsoleRoute] {
        let limit = ConsolePublisher.formLimit
        return [
            get("/console/placements", .member(.configuration), routes.placements),
            get("/console/placements/{name}", .member(.configuration), routes.placement),
            post("/console/placements/{name}", .member(.publishing), formLimit: limit, routes.changePlacement),
            get("/console/audiences", .member(.configuration), routes.audiences),
            get("/console/audiences/{name}", .member(.configuration), routes.audience),
            post("/console/audiences/{name}", .member(.publishing), formLimit: limit, routes.changeAudience),
            get("/console/paywalls", .member(.configuration), routes.paywalls),
            get("/console/paywalls/{name}", .member(.configuration), routes.paywall),
            get("/console/new/{kind}", .member(.publishing), routes.newEntry),
            post("/console/new/{kind}", .member(.publishing), formLimit: limit, routes.createEntry),
            post("/console/experiments/{name}/delete", .member(.publishing), routes.deleteExperiment),
            post("/console/paywalls/{name}", .member(.publishing), formLimit: limit, routes.changePaywall),
        ]
    }
}
