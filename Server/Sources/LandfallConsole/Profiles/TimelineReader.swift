// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Where a page of a timeline begins. The keys of entries are in the order of time: a key of an event is the server's id of it,
/// which begins with the time of receipt; the others begin with their time too, and go after every event of the same millisecond.
struct TimelineCursor: Hashable, Sendable {
    static let most = 400
    let key: String
    /// Every event on the page has a lower id.
    let eventBound: String
    /// Nothing on the page is later, in Unix milliseconds.
    let atMs: Int64

    /// Nil unless a page could have given this text.
    init?(_ text: String) {
        let head = text.utf8.prefix(14)
        guard text.utf8.count <= Self.most, head.count == 14, !text.utf8.contains(0),
            zip(0..., head).allSatisfy({ place, byte in place == 8 || place == 13 ? byte == UInt8(ascii: "-") : Self.isDigit(byte) }),
            let time = Int64(String(decoding: head.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self), radix: 16)
        else { return nil }
        key = text
        atMs = time
        eventBound = text.utf8.dropFirst(14).first == Self.mark ? UUIDv7.earliest(atMs: time + 1) : text
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// After every hexadecimal digit.
    private static let mark = UInt8(ascii: "g")

    /// The key of an entry that is not an event.
    static func key(atMs: Int64, _ kind: Timeline.Entry.Kind, _ name: String) -> String {
        UUIDv7.earliest(atMs: atMs) + "g" + kind.rawValue + ":" + name
    }
}

/// Merges what the tables know of a person by time. An install has few rows in all tables but that of events, of which each page
/// reads as many as it shows.
struct TimelineReader: Sendable {
    /// The profiles that an install has left, of which the newest are read.
    static let mostLeft: Int64 = 500

    let database: any Database
    let app: AppID

    func page(of person: ProfileReader.Person, _ installs: [Install], before: TimelineCursor?) async throws -> Timeline {
        let entries = try await database.read { [app] connection in
            let store = TimelineRows(app: app, profile: person.profile, connection: connection, bound: before?.eventBound ?? "g")
            var entries: [Timeline.Entry] = []
            for install in installs {
                entries += try store.events(of: install.id, former: false) + store.taps(of: install) + store.leavings(of: install.id)
                entries += Timeline.Entry.attributions(of: install) + [.firstOpen(of: install)]
            }
            for install in person.formerInstalls {
                entries += try store.events(of: install, former: true) + store.leavings(of: install).filter { $0.leaves(person.profile) }
            }
            // Some may be of the cursor's own millisecond, on pages before.
            let charges = try ProfileCharge.read(
                of: person.profile, app, upTo: before?.atMs ?? .max, most: 2 * Timeline.most, connection)
            return entries + charges.map { Timeline.Entry($0, brought: person.installs.first) }
        }
        let all = (entries + Self.identified(person)).filter { entry in
            before.map { entry.key.utf8.lexicographicallyPrecedes($0.key.utf8) } ?? true
        }
        let page = all.sorted { $1.key.utf8.lexicographicallyPrecedes($0.key.utf8) }.prefix(Timeline.most)
        return Timeline(entries: Array(page), before: all.count > page.count ? page.last?.key : nil)
    }

    /// Only a proven customer has a time.
    private static func identified(_ person: ProfileReader.Person) -> [Timeline.Entry] {
        guard let atMs = person.provenAtMs, let customer = person.customer else { return [] }
        return [
            Timeline.Entry(
                key: TimelineCursor.key(atMs: atMs, .identified, person.profile.rawValue), kind: .identified, atMilliseconds: atMs,
                subject: customer, details: [.init(.customer, customer)], install: person.installs.first?.rawValue ?? "–")
        ]
    }
}

/// The rows of one install that a page of its timeline needs.
struct TimelineRows {
    let app: AppID
    let profile: ProfileID
    let connection: any ReadConnection
    let bound: String

    /// - Parameter former: only what the install sent while it showed the profile.
    func events(of install: InstallID, former: Bool) throws -> [Timeline.Entry] {
        let values: [SQLValue] = [
            .text(app.rawValue), .text(install.rawValue), .text(bound), .integer(Int64(Timeline.most + 1)),
        ]
        let rows = try former
            ? connection.rows(Self.formerEventsText, values + [.text(profile.rawValue)]) : connection.rows(Self.eventsText, values)
        return try rows.map { try Timeline.Entry(event: $0, of: install, in: profile) }
    }

    /// Taps that led to the install or came to it, and the one that waited for it.
    func taps(of install: Install) throws -> [Timeline.Entry] {
        let links = install.facts.filter { $0.source == .link }
        var taps = links.map { Timeline.Entry.tap(on: $0, of: install.id) }
        let row = try connection.row(Self.handedText, [.text(app.rawValue), .text(install.id.rawValue)])
        if let row, case let click = try row.text("click_id"), !links.contains(where: { $0.id == "deferred:" + click }) {
            let link = try row.text("link_host") + row.text("link_path"), atMs = try row.integer("created_at_ms")
            taps.append(
                Timeline.Entry(
                    key: TimelineCursor.key(atMs: atMs, .tap, click), kind: .tap, atMilliseconds: atMs, subject: link,
                    details: [.init(.link, link)], install: install.id.rawValue))
        }
        return taps
    }

    func leavings(of install: InstallID) throws -> [Timeline.Entry] {
        let rows = try connection.rows(
            Self.leftText, [.text(app.rawValue), .text(install.rawValue), .integer(TimelineReader.mostLeft)])
        return try rows.map { row in
            let left = try row.text("profile_id"), atMs = try row.integer("left_at_ms")
            return Timeline.Entry(
                key: TimelineCursor.key(atMs: atMs, .leaving, install.rawValue + left), kind: .leaving, atMilliseconds: atMs,
                subject: left, details: [.init(.profile, left)], install: install.rawValue)
        }
    }

    private static let columns = """
        SELECT id, event_id, profile_id, type, occurred_at_ms, received_at_ms, placement, paywall, variation_id, audience, revision,
          origin, value_milliunits, currency, properties
        FROM event
        """
    static let eventsText = columns + "\nWHERE app_id = $1 AND install_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4"
    static let formerEventsText =
        columns + "\nWHERE app_id = $1 AND install_id = $2 AND id < $3 AND profile_id = $5 ORDER BY id DESC LIMIT $4"
    static let handedText = """
        SELECT click_id, link_host, link_path, created_at_ms FROM deferred_link WHERE app_id = $1 AND taken_by_install = $2
        """
    static let leftText = """
        SELECT profile_id, left_at_ms FROM former_profile WHERE app_id = $1 AND install_id = $2
        ORDER BY left_at_ms + 0 DESC, profile_id LIMIT $3
        """
}

extension Timeline.Entry {
    fileprivate static func details(_ pairs: [(Term, String?)]) -> [Detail] {
        pairs.compactMap { term, value in value.map { Detail(term, $0) } }
    }

    fileprivate func leaves(_ profile: ProfileID) -> Bool { details.contains { $0.term == .profile && $0.value == profile.rawValue } }

    /// - Parameter profile: of the page; an event of another one says so.
    fileprivate init(event row: Row, of install: InstallID, in profile: ProfileID) throws {
        let type = try row.text("type"), receivedAtMs = try row.integer("received_at_ms"), occurredAtMs = try row.integer("occurred_at_ms")
        let isExposure = type == Event.Kind.paywallShown.rawValue, sent = try row.text("profile_id")
        let placement = row.optionalText("placement"), paywall = row.optionalText("paywall")
        self.init(
            key: try row.text("id"), kind: isExposure ? .exposure : .event, atMilliseconds: receivedAtMs,
            happenedMilliseconds: receivedAtMs - occurredAtMs >= 1_000 ? occurredAtMs : nil,
            subject: (isExposure ? [placement, paywall] : [type, placement]).compactMap { $0 }.joined(separator: " › "),
            details: Self.details([
                (.placement, placement), (.paywall, paywall), (.audience, row.optionalText("audience")),
                (.variation, row.optionalText("variation_id")), (.origin, row.optionalText("origin")),
                (.revision, row.optionalInteger("revision").map { "\($0)" }),
                (.value, row.optionalInteger("value_milliunits").map { ProfileReader.text(of: JSONValue.number(Double($0) / 1000)) }),
                (.currency, row.optionalText("currency")), (.properties, row.optionalText("properties")),
                (.profile, sent == profile.rawValue ? nil : sent),
            ]),
            install: install.rawValue, event: try row.text("event_id"))
    }

    fileprivate static func firstOpen(of install: Install) -> Timeline.Entry {
        Timeline.Entry(
            key: TimelineCursor.key(atMs: install.createdAtMs, .firstOpen, install.id.rawValue), kind: .firstOpen,
            atMilliseconds: install.createdAtMs,
            happenedMilliseconds: install.createdAtMs - install.installedAtMs >= 1_000 ? install.installedAtMs : nil,
            subject: [install.device.platform, install.device.appVersion].compactMap { $0 }.joined(separator: " · "),
            details: details([
                (.platform, install.device.platform), (.version, install.device.appVersion), (.country, install.device.country),
            ]),
            install: install.id.rawValue)
    }

    fileprivate static func tap(on fact: AttributionFact, of install: InstallID) -> Timeline.Entry {
        Timeline.Entry(
            key: TimelineCursor.key(atMs: fact.saidAtMs, .tap, fact.id), kind: .tap, atMilliseconds: fact.saidAtMs,
            subject: fact.link?.code ?? fact.campaign ?? fact.source.rawValue,
            details: details([
                (.link, fact.link?.code), (.campaign, fact.campaign), (.adGroup, fact.adGroup), (.creative, fact.creative),
                (.channel, fact.channel),
            ]),
            install: install.rawValue)
    }

    /// A tap that only says which link it was says nothing about the source.
    fileprivate static func attributions(of install: Install) -> [Timeline.Entry] {
        install.facts.filter { $0.source != .link || $0.status == .nonOrganic }.map { fact in
            let campaign = fact.campaignKey
            return Timeline.Entry(
                key: TimelineCursor.key(atMs: fact.recordedAtMs, .attribution, fact.id), kind: .attribution,
                atMilliseconds: fact.recordedAtMs,
                happenedMilliseconds: fact.recordedAtMs - fact.saidAtMs >= 1_000 ? fact.saidAtMs : nil,
                subject: [fact.source.rawValue, campaign].compactMap { $0 }.joined(separator: " › "),
                details: details([
                    (.source, fact.source.rawValue), (.status, fact.status.rawValue), (.campaign, campaign), (.adGroup, fact.adGroup),
                    (.creative, fact.creative), (.channel, fact.channel), (.link, fact.link?.code),
                ]),
                install: install.id.rawValue)
        }
    }
}
