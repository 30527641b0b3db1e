// SPDX-License-Identifier: Apache-2.0
import LandfallServer

extension LiveRow.Detail {
    /// The person's page, which not every role may see.
    var place: Place? { name == .install ? Place("/console/profiles", [value]) : nil }
}

/// First opens, taps, attributions and exposures as they happen.
struct LivePage {
    /// The most rows of the page, and how many of them it begins with: a page has at most 100 kB.
    static let most = 200, mostFirst = 90

    let frame: Frame
    let kind: LiveRow.Kind?
    /// The newest first.
    let rows: [LiveRow]
    /// When the node began. Of earlier facts it knows the newest that the store had.
    var startedAtMs: Int64 = 0
    /// The configuration names some, so there is a choice.
    var hasTestDevices = false
    var isWithoutTests = false

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(words.live, .live, note: words.timesNote, refreshes: true) {
            div(.class("toolbar")) {
                nav(.class("choices"), .label(words.kinds)) {
                    choice(nil, words.everything)
                    for kind in LiveRow.Kind.allCases { choice(kind, words.name(of: kind)) }
                }
                if hasTestDevices {
                    nav(.class("choices"), .label(words.testDevicesTitle)) {
                        choice(isWithoutTests: false, words.allDevices)
                        choice(isWithoutTests: true, words.withoutTestDevices)
                    }
                }
                p(
                    .class("pulse"), .id("live-state"), Attribute("role", "status"), Attribute("data-on", words.liveOn),
                    Attribute("data-off", words.liveOff), Attribute("data-over", words.liveOver), Attribute("data-paused", words.livePaused)
                ) { words.liveWithoutScript }
                button(
                    .type("button"), .id("pause"), .flag("hidden"), Attribute("aria-pressed", "false"),
                    Attribute("data-resume", words.resume), Attribute("data-pause", words.pause)
                ) { words.pause }
            }
            p(.class("hidden"), .id("live-news"), Attribute("aria-live", "polite"), Attribute("data-text", words.newRows)) {}
            ol(
                .class("rows"), .id("live"), Attribute("data-most", "\(Self.most)"), Attribute("data-after", "\(rows.first?.id ?? 0)"),
                Attribute("data-stream", Place("/console/live/stream", query: query(kind, isWithoutTests)).text)
            ) { for row in rows { html(row) } }
            div(.class("block empty"), .id("live-empty"), .flag("hidden", !rows.isEmpty)) {
                h2 { words.liveEmpty(since: words.moment(startedAtMs), isChosen: kind != nil || isWithoutTests) }
                frame.helpForEmpty(.live)
                p { words.liveEmptyText }
                pre(Attribute("tabindex", "0")) { code { "landfall simulate --server https://YOUR-SERVER --phones 20" } }
            }
        }
    }

    private func choice(_ kind: LiveRow.Kind?, _ name: String) -> HTML {
        a(
            .href(Place("/console/live", query: query(kind, isWithoutTests))),
            .optional("aria-current", kind == self.kind ? "true" : nil)
        ) { name }
    }

    private func choice(isWithoutTests: Bool, _ name: String) -> HTML {
        a(
            .href(Place("/console/live", query: query(kind, isWithoutTests))),
            .optional("aria-current", isWithoutTests == self.isWithoutTests ? "true" : nil)
        ) { name }
    }

    private func query(_ kind: LiveRow.Kind?, _ isWithoutTests: Bool) -> [(String, String?)] {
        [("kind", kind?.rawValue), ("test", isWithoutTests ? "without" : nil)]
    }

    private func html(_ row: LiveRow) -> HTML {
        li(Attribute("data-id", "\(row.id)"), Attribute("data-kind", row.kind.rawValue), .optional("data-fact", row.key.map(String.init))) {
            details {
                summary {
                    time(Attribute("datetime", Language.iso(row.atMs))) { words.clock(row.atMs) }
                    span(.class("badge")) { words.name(of: row.kind) }
                    if row.isTest { span(.class("badge")) { words.testDeviceBadge } }
                    span(.class("what")) { row.subject }
                }
                dl {
                    for detail in row.details {
                        div {
                            dt { words.name(of: detail.name) }
                            dd {
                                if let place = detail.place, frame.can(.people) { a(.href(place)) { detail.value } } else { detail.value }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// One row as the stream carries it: texts that the page's script puts into elements.
struct LiveMessage: Encodable, Sendable {
    let id: Int64
    /// See ``LiveRow/key``. A text, because a script's numbers are shorter.
    let key: String?
    let kind: String
    let iso: String
    let clock: String
    let name: String
    /// The word for a test device, if it was one.
    let badge: String?
    let subject: String
    /// Name and value, and the path of the page about it if there is one.
    let details: [[String]]

    /// - Parameter row: without what names one person, for members who may not see people.
    init(_ row: LiveRow, _ words: Words) {
        id = row.id
        key = row.key.map(String.init)
        kind = row.kind.rawValue
        iso = Language.iso(row.atMs)
        clock = words.clock(row.atMs)
        name = words.name(of: row.kind)
        badge = row.isTest ? words.testDeviceBadge : nil
        subject = row.subject
        details = row.details.map { [words.name(of: $0.name), $0.value] + ($0.place.map { [$0.text] } ?? []) }
    }
}

extension Words {
    /// With seconds, by the page's clock; with the day if it is not today's.
    func clock(_ atMs: Int64) -> String { (clock.today == nil ? Language.calendar(clock.local(atMs)).time : moment(atMs)) + ":" + Language.secondsText(ofMs: atMs) }

    var kinds: String { translate("Kinds") }
    var everything: String { translate("Everything") }
    var liveOn: String { translate("Live", context: "the page") }
    var liveOff: String { translate("Not connected; trying again") }
    var liveOver: String { translate("Not connected. Reload the page.") }
    var allDevices: String { translate("All devices") }
    var withoutTestDevices: String { translate("Without test devices") }
    var testDeviceBadge: String { translate("Test device") }
    var livePaused: String { translate("Paused") }
    var liveWithoutScript: String { translate("Loads again every 10 seconds") }
    var pause: String { translate("Pause") }
    var resume: String { translate("Resume") }
    var newRows: String { translate("New rows: ") }
    /// - Parameter isChosen: other rows may be there.
    func liveEmpty(since time: String, isChosen: Bool) -> String {
        isChosen
            ? translate("Nothing of this choice has happened since this node started, \(time)")
            : translate("Nothing has happened since this node started, \(time)")
    }
    var liveEmptyText: String {
        translate("Rows appear here within a second of a tap, a first open or a shown paywall. To try it with simulated phones:")
    }

    func name(of kind: LiveRow.Kind) -> String {
        switch kind {
        case .firstOpen: translate("First open")
        case .tap: translate("Tap")
        case .attribution: attribution
        case .exposure: shown
        }
    }

    var attribution: String { translate("Attribution") }

    func name(of detail: LiveRow.DetailName) -> String {
        switch detail {
        case .install: translate("Install")
        case .platform: translate("Platform")
        case .country: translate("Country")
        case .version: translate("App version")
        case .link: link
        case .outcome: translate("Led to")
        case .source: translate("Source")
        case .campaign: campaign
        case .placement: translate("Placement")
        case .paywall: translate("Paywall")
        case .audience: translate("Audience")
        case .variation: translate("Variation")
        case .visitor: translate("By")
        }
    }
}
