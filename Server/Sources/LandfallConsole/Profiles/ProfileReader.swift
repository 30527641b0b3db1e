// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Reads everything about one person, by keys alone.
struct ProfileReader: Sendable {
    /// The installs of one profile that a page reads; those seen last.
    static let mostInstalls = 50

    let database: any Database
    let installs: any InstallStore
    let app: AppID

    /// A profile with its installs, before anything else of it is read.
    struct Person: Sendable {
        let profile: ProfileID
        let customer: String?
        let isVerified: Bool
        let attributes: [String: AttributeValue]
        /// Since when a proven customer has this profile.
        let provenAtMs: Int64?
        let installs: [InstallID]
        /// Installs that showed the profile before they moved to another one.
        let formerInstalls: [InstallID]
    }

    /// Nil for an unknown profile.
    func person(_ profile: ProfileID) async throws -> Person? {
        try await database.read { [app] connection in
            let key: [SQLValue] = [.text(app.rawValue), .text(profile.rawValue)], most = SQLValue.integer(Int64(Self.mostInstalls))
            let row = try connection.row(ProfileRow.profileText, key)
            let installs = try connection.rows(Self.installsText, key + [most]).map { InstallID(try $0.text("install_id")) }
            let former = try connection.rows(Self.formerText, key + [most]).map { InstallID(try $0.text("install_id")) }
            guard row != nil || !installs.isEmpty || !former.isEmpty else { return nil }
            let customer = row?.optionalText("customer_id"), attributes = row?.optionalText("attributes") ?? "{}"
            let proven = try customer.flatMap { try connection.row(Self.provenText, [.text(app.rawValue), .text($0)]) }
            return Person(
                profile: profile, customer: customer, isVerified: row?.optionalInteger("customer_is_verified") == 1,
                attributes: attributes == "{}" ? [:] : try [String: AttributeValue].stored(attributes),
                provenAtMs: proven?.optionalText("profile_id") == profile.rawValue ? proven?.optionalInteger("created_at_ms") : nil,
                installs: installs, formerInstalls: former.filter { !installs.contains($0) })
        }
    }

    /// The profile that an install shows; nil for an unknown install.
    func profile(of install: InstallID) async throws -> ProfileID? {
        try await database.read { [app] connection in
            try connection.row(Self.profileText, [.text(app.rawValue), .text(install.rawValue)])
                .map { ProfileID(try $0.text("profile_id")) }
        }
    }

    /// - Parameters:
    ///   - chosen: the install whose facts are wanted; nil, or another person's, takes the one that was seen last.
    ///   - before: where the timeline begins; nil for the newest.
    func document(
        of person: Person, chosen: InstallID?, before: TimelineCursor?, _ snapshot: Snapshot, nowMs: Int64
    ) async throws -> ProfileDocument {
        var known: [Install] = []
        for id in person.installs { if let install = try await installs.install(app, id) { known.append(install) } }
        let install = known.first { $0.id == chosen } ?? known.first
        let timeline = try await TimelineReader(database: database, app: app).page(of: person, known, before: before)
        return try await ProfileDocument(
            profile: person.profile.rawValue, customer: person.customer, customerIsVerified: person.isVerified,
            installs: known.map { ProfileDocument.Install($0, snapshot.testDevices) }, install: install?.id.rawValue,
            facts: install.map { Self.facts(of: $0, snapshot, nowMs: nowMs) } ?? [],
            attributes: person.attributes.sorted { $0.key < $1.key }.map { ProfileDetail($0.key, Self.text(of: $0.value)) },
            attribution: install.map { ProfileDocument.Attribution($0, nowMs: nowMs) },
            assignments: assignments(of: install), timeline: timeline
        )
        .named(by: AppleAdsNames(database, app: app))
    }

    /// As decisions use them: what is stored for the install itself comes before what its phone's first install has.
    private func assignments(of install: Install?) async throws -> [ProfileDocument.Assignment] {
        guard let install else { return [] }
        let rows = try await database.read { [app] connection in
            try connection.rows(
                Self.assignmentsText, [.text(app.rawValue), .text(install.id.rawValue), .text(install.unit.rawValue)])
        }
        let own = Set(try rows.filter { try $0.text("unit") == install.id.rawValue }.map { try $0.text("experiment") })
        return try rows.filter { try $0.text("unit") == install.id.rawValue || !own.contains($0.text("experiment")) }.map { row in
            ProfileDocument.Assignment(
                experiment: try row.text("experiment"), epoch: try row.integer("epoch"), variation: try row.text("variation"),
                bucket: try row.integer("bucket"), step: try row.text("step"), assignedMilliseconds: try row.integer("assigned_at_ms"),
                shownMilliseconds: row.optionalInteger("shown_at_ms"))
        }
    }

    /// What audiences read of the install, except custom attributes.
    private static func facts(of install: Install, _ snapshot: Snapshot, nowMs: Int64) -> [ProfileDocument.Fact] {
        let values = snapshot.facts(of: install, nowMs: nowMs).values
        let known = AudienceAttribute.allCases.compactMap { attribute -> ProfileDocument.Fact? in
            guard let value = values.value(of: .known(attribute)) else { return nil }
            let (source, atMs) = attribute.origin(in: install, nowMs: nowMs)
            return ProfileDocument.Fact(attribute.rawValue, text(of: value), source, sinceMilliseconds: atMs)
        }
        return known + values.accesses.map { ProfileDocument.Fact($0.name, text(of: $0.value), .server, sinceMilliseconds: nil) }
    }

    static func text(of value: AttributeValue) -> String {
        switch value {
        case .string(let text): text
        case .number(let number): text(of: JSONValue.number(number))
        case .bool(let flag): "\(flag)"
        }
    }

    static func text(of value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .bool(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .number(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
        case .string(let text): text
        case .array(let values): values.map { text(of: $0) }.joined(separator: ", ")
        case .object: (try? WireCoding.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }

    static let installsText = """
        SELECT i.install_id FROM install i LEFT JOIN install_seen s ON s.app_id = i.app_id AND s.install_id = i.install_id
        WHERE i.app_id = $1 AND i.profile_id = $2
        ORDER BY COALESCE(s.last_seen_at_ms, i.created_at_ms) DESC, i.install_id LIMIT $3
        """
    static let formerText = """
        SELECT install_id FROM former_profile WHERE app_id = $1 AND profile_id = $2 ORDER BY install_id LIMIT $3
        """
    static let provenText = "SELECT profile_id, created_at_ms FROM customer WHERE app_id = $1 AND customer_id = $2"
    static let profileText = "SELECT profile_id FROM install WHERE app_id = $1 AND install_id = $2"
    static let assignmentsText = """
        SELECT unit, experiment, epoch, variation, bucket, step, assigned_at_ms, shown_at_ms FROM experiment_unit
        WHERE app_id = $1 AND unit IN ($2, $3) ORDER BY experiment || '', unit
        """
}

extension AudienceAttribute {
    /// Who says the value, and since when; nil where no time is kept.
    fileprivate func origin(in install: Install, nowMs: Int64) -> (ProfileDocument.Fact.Source, Int64?) {
        switch self {
        case .testDevice: (.configuration, nil)
        case .purchasesAny, .purchasesProducts: (.server, nil)
        case .installDate: (.server, install.firstOpenAtMs)
        case .installLastSeen: (.server, install.lastSeenAtMs)
        case .linkCampaign, .linkAdGroup, .linkCreative, .linkChannel, .linkKeyword, .linkCode, .linkDate:
            (.link, install.latestLink(nowMs: nowMs)?.saidAtMs)
        case _ where rawValue.hasPrefix("attribution."): (.attribution, install.precedence.winner?.recordedAtMs)
        // A phone reports its device with each open.
        default: (.phone, install.lastSeenAtMs)
        }
    }
}

extension ProfileDocument.Install {
    fileprivate init(_ install: Install, _ devices: TestDevices) {
        self.init(
            install: install.id.rawValue, firstOpenMilliseconds: install.firstOpenAtMs, lastSeenMilliseconds: install.lastSeenAtMs ?? install.createdAtMs,
            firstInstall: install.firstInstallID?.rawValue, testDevice: devices.device(install)?.name)
    }
}

extension ProfileDocument.Attribution {
    fileprivate init(_ install: Install, nowMs: Int64) {
        let claims = install.standings.map { ProfileDocument.Claim($0.fact, $0.standing) }
        switch install.attribution(nowMs: nowMs) {
        case .attributed: self.init(state: .attributed, reason: nil, claims: claims)
        case .notAttributed: self.init(state: .notAttributed, reason: nil, claims: claims)
        case .pending: self.init(state: .pending, reason: nil, claims: claims)
        case .unavailable(let reason): self.init(state: .unavailable, reason: reason.rawValue, claims: claims)
        }
    }
}

extension ProfileDocument.Claim {
    fileprivate init(_ fact: AttributionFact, _ standing: FactVerdict) {
        let apple = fact.appleAds
        let details: [(String, String?)] = [
            ("channel", fact.channel), ("campaign", fact.campaign), ("adGroup", fact.adGroup), ("adSet", fact.adSet),
            ("creative", fact.creative), ("campaignId", apple?.campaignId.map { "\($0)" }), ("adGroupId", apple?.adGroupId.map { "\($0)" }),
            ("keywordId", apple?.keywordId.map { "\($0)" }), ("adId", apple?.adId.map { "\($0)" }),
            ("conversionType", apple?.conversionType), ("claimType", apple?.claimType), ("countryOrRegion", apple?.countryOrRegion),
            ("link", fact.link?.code), ("tracker", fact.link?.tracker), ("label", fact.link?.label),
        ]
        self.init(
            source: fact.source.rawValue, status: fact.status.rawValue, isVerified: fact.verified, isTest: fact.test,
            saidMilliseconds: fact.saidAtMs, recordedMilliseconds: fact.recordedAtMs,
            details: details.compactMap { name, value in value.map { ProfileDetail(name, $0) } }, standing: standing)
    }
}
