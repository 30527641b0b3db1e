// SPDX-License-Identifier: Apache-2.0

/// A person as a search finds them.
struct ProfileRow: Encodable, Hashable, Sendable {
    let profile: String
    /// Nil: no install shows the profile now.
    let install: String?
    let customer: String?
    let firstOpenMilliseconds: Int64?
    let lastSeenMilliseconds: Int64?
    let platform: String?
    let appVersion: String?
    /// The name of the test device.
    let testDevice: String?
}

/// What a search found, as its `.json` says it.
struct FoundProfiles: Encodable, Hashable, Sendable {
    let profiles: [ProfileRow]
    /// True if there are more than these.
    let isCut: Bool
}

/// Finds people by an id, never by a part of a name.
struct ProfilesPage {
    let frame: Frame
    /// What was searched; empty for the newest first opens.
    let query: String
    /// Only test devices.
    let isTest: Bool
    let found: FoundProfiles
    /// A person was just forgotten; false for the second value if jobs do the rest.
    var forgotten: Bool?

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(words.profiles, .profiles, note: words.timesNote) {
            if let forgotten {
                div(.class("alert good"), Attribute("role", "status")) { p { forgotten ? words.isForgotten : words.isBeingForgotten } }
            }
            form(.class("block narrow"), .action(Place("/console/profiles")), Attribute("role", "search")) {
                Field(name: "q", title: words.findProfile, type: "search", value: query, hint: words.findProfileText, isRequired: false).html
                button(.class("primary")) { words.findPeople }
            }
            section(.class("block")) {
                header(.class("head")) {
                    h2 { heading }
                    nav(.class("choices"), .label(words.whichProfiles)) {
                        choice(words.newestOpens, isTest: false)
                        choice(words.testDevicesTitle, isTest: true)
                    }
                }
                if found.profiles.isEmpty {
                    p(.class("empty")) { isTest ? words.noTestDevices : words.noProfiles }
                    if query.isEmpty { frame.helpForEmpty(.profiles) }
                } else {
                    scrollingTable(
                        heading, titles: [words.profileTitle, words.customerTerm, words.firstOpenTerm, words.lastSeen, words.deviceTerm]
                    ) { for row in found.profiles { html(row) } }
                }
                if found.isCut, !query.isEmpty || isTest { p(.class("hint")) { words.moreProfiles } }
            }
        }
    }

    private var heading: String { isTest ? words.testDevicesTitle : query.isEmpty ? words.newestOpens : words.foundProfiles }

    private func choice(_ name: String, isTest: Bool) -> HTML {
        a(
            .href(Place("/console/profiles", query: [("test", isTest ? "only" : nil)])),
            .optional("aria-current", isTest == self.isTest && query.isEmpty ? "true" : nil)
        ) { name }
    }

    private func html(_ row: ProfileRow) -> HTML {
        tr {
            th(Attribute("scope", "row")) {
                a(.href(Place("/console/profiles", [row.profile], query: [("install", row.install)]))) { row.profile }
                if let name = row.testDevice { span(.class("badge")) { words.testDevice(name) } }
            }
            td { row.customer ?? "–" }
            td(.class("nowrap")) { row.firstOpenMilliseconds.map { words.instant($0) } ?? words.noInstall }
            td(.class("nowrap")) { row.lastSeenMilliseconds.map { words.instant($0) } ?? "–" }
            td { [row.platform, row.appVersion].compactMap { $0 }.joined(separator: " · ") }
        }
    }
}
