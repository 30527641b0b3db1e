// SPDX-License-Identifier: Apache-2.0

/// A person as a search finds them.
package struct ProfileRow: Encodable, Hashable, Sendable {
    package let profile: String
    /// Nil: no install shows the profile now.
    package let install: String?
    package let customer: String?
    package let firstOpenMilliseconds: Int64?
    package let lastSeenMilliseconds: Int64?
    package let platform: String?
    package let appVersion: String?
    /// The name of the test device.
    package let testDevice: String?

    package init(
        profile: String, install: String?, customer: String?, firstOpenMilliseconds: Int64?, lastSeenMilliseconds: Int64?,
        platform: String?, appVersion: String?, testDevice: String?
    ) {
        self.profile = profile
        self.install = install
        self.customer = customer
        self.firstOpenMilliseconds = firstOpenMilliseconds
        self.lastSeenMilliseconds = lastSeenMilliseconds
        self.platform = platform
        self.appVersion = appVersion
        self.testDevice = testDevice
    }
}

/// What a search found, as its `.json` says it.
package struct FoundProfiles: Encodable, Hashable, Sendable {
    package let profiles: [ProfileRow]
    /// True if there are more than these.
    package let isCut: Bool

    package init(profiles: [ProfileRow], isCut: Bool) {
        self.profiles = profiles
        self.isCut = isCut
    }
}

/// Finds people by an id, never by a part of a name.
package struct ProfilesPage {
    package let frame: Frame
    /// What was searched; empty for the newest first opens.
    package let query: String
    /// Only test devices.
    package let isTest: Bool
    package let found: FoundProfiles
    /// A person was just forgotten; false for the second value if jobs do the rest.
    package var forgotten: Bool?

    package init(frame: Frame, query: String, isTest: Bool, found: FoundProfiles, forgotten: Bool? = nil) {
        self.frame = frame
        self.query = query
        self.isTest = isTest
        self.found = found
        self.forgotten = forgotten
    }

    private var words: Words { frame.words }

    package var html: HTML {
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
                if found.profiles.isEmpty { p(.class("empty")) { isTest ? words.noTestDevices : words.noProfiles } } else {
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
