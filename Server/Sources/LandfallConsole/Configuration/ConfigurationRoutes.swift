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

    func newest() async throws -> ConfigurationDocument? { try await documents.newest(store) }

    /// The newest version and the entry that the address names.
    /// - Throws: `not_found`.
    func entry(_ section: String, _ call: ConsoleCall) async throws -> (ConfigurationDocument, name: String, ConfigurationNode) {
        guard let name = call.context.parameters.get("name"), let document = try await newest(),
            let node = document.entry(section, name), !node.isNull
        else { throw RequestError.notFound }
        return (document, name, node)
    }

    /// Nil for a member who may not change anything.
    func forms(_ call: ConsoleCall, _ document: ConfigurationDocument) throws -> ConfigurationForms? {
        try call.member.member.role.rights.contains(.publishing) ? ConfigurationForms(base: document.number) : nil
    }

    func frame(_ call: ConsoleCall) throws -> Frame {
        var frame = try call.frame
        frame.isFileOwned = owner == .file
        return frame
    }

    func filter(_ call: ConsoleCall) -> NameFilter { NameFilter(text: call.query("q"), page: call.query("page")) }
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

    /// Counts the audiences of a page, if the address asks for it.
    /// - Returns: whether they can be counted; nil where they cannot.
    func counting(_ names: [String], _ document: ConfigurationDocument, _ call: ConsoleCall) async throws -> MatchCounts? {
        let snapshot = call.context.snapshot, wanted = Set(names.filter { $0 != PlacementEntry.everyone }.map { AudienceID($0) })
        guard snapshot.revision == document.number, !wanted.isEmpty else { return nil }
        guard call.query("count") == "now" else { return .possible }
        let counted = try await matches.count(
            wanted, of: snapshot, in: installs, numbers: SystemRandomNumberGenerator(), nowMs: call.nowMs)
        return counted == nil ? .busy : .possible
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
