// SPDX-License-Identifier: Apache-2.0

extension ProfilePage {
    private var words: Words { frame.words }

    var timeline: HTML {
        section(.class("block"), .id("timeline")) {
            h2 { words.timeline }
            if profile.timeline.entries.isEmpty { p(.class("empty")) { words.noEntries } } else {
                p(.class("hint")) { words.timelineText }
                ol(.class("rows timeline")) { for entry in profile.timeline.entries { html(entry) } }
            }
            p(.class("pages")) {
                if !isNewest { a(.class("button"), .href(page(before: nil))) { words.newestEntries } }
                if let before = profile.timeline.before { a(.class("button"), .href(page(before: before))) { words.older } }
            }
        }
    }

    private func page(before key: String?) -> Place {
        Place("/console/profiles", [profile.profile], query: [("install", profile.install), ("before", key)])
    }

    private func html(_ entry: Timeline.Entry) -> HTML {
        li(Attribute("data-kind", entry.kind.rawValue)) {
            details {
                summary {
                    time(Attribute("datetime", Language.iso(entry.atMilliseconds))) { frame.words.instant(entry.atMilliseconds) }
                    span(.class("badge")) { words.name(of: entry.kind) }
                    span(.class("what")) { [entry.subject, money(entry)].compactMap { $0 }.joined(separator: " · ") }
                }
                dl {
                    if let happened = entry.happenedMilliseconds {
                        div { dt { words.happenedAt }; dd { frame.words.instant(happened) } }
                    }
                    for detail in entry.details {
                        div { dt { words.name(of: detail.term) }; dd { html(detail) } }
                    }
                    div { dt { words.installTerm }; dd { entry.install } }
                    if let event = entry.event { div { dt { words.eventTerm }; dd { event } } }
                }
                if entry.kind == .exposure, let event = entry.event, let placement = entry.value(.placement) {
                    p(.class("then")) {
                        a(
                            .href(
                                Place(
                                    "/console/profiles", [profile.profile, "why"],
                                    query: [("install", entry.install), ("placement", placement), ("at", event)]))
                        ) { words.whyThen }
                    }
                }
            }
        }
    }

    /// With a minus for what was paid back.
    private func money(_ entry: Timeline.Entry) -> String? {
        entry.money.map { words.language.money(entry.kind == .refund ? -$0.milliunits : $0.milliunits, $0.currency) }
    }

    private func html(_ detail: Timeline.Entry.Detail) -> HTML {
        switch detail.term {
        case .state: HTML(Timeline.Entry.State(rawValue: detail.value).map { words.name(of: $0) } ?? detail.value)
        case .profile where detail.value != profile.profile: a(.href(Place("/console/profiles", [detail.value]))) { detail.value }
        case .origin: HTML(words.origin(detail.value))
        default: HTML(detail.value)
        }
    }
}
