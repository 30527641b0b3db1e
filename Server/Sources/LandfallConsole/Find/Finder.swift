// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Looks for something in the whole console, as far as the role of the member may see it. Of the store it reads rows by their keys,
/// ranges of an index, and a bounded number of links.
struct Finder: Sendable {
    /// Links that are looked through for a part of an address. A whole address or suffix is found among any number of them.
    static let mostLinks = 2_000
    /// The newest versions, whose reasons are looked through.
    private static let mostVersions = 50
    /// Domains on which a suffix is looked for.
    private static let mostHosts = 20

    let linkStore: LinkStore
    let profileSearch: ProfileSearch
    let versionStore: ConfigurationStore

    /// - Parameter query: empty for what can be done, and where one can go.
    func find(_ query: FindQuery, _ snapshot: Snapshot, for frame: Frame, nowMs: Int64) async throws -> FoundThings {
        let words = frame.words, configuration = snapshot.configuration
        var found = FoundThings()
        found.add(words.actions, ways(FindAction.all(for: frame), query, words, at: \.place) { $0.name(of: $1) })
        let sections = SectionGroup.allCases.flatMap(\.sections).filter { frame.can($0.right) }
        found.add(words.findPages, ways(sections, query, words, at: \.place) { $0.name(of: $1) })
        guard !query.isEmpty else { return found }
        if frame.can(Frame.Section.links.right) { found.add(words.links, try await links(query, snapshot, words, nowMs: nowMs)) }
        let named: [(Frame.Section, [String])] = [
            (.placements, configuration.placements.map(\.id.rawValue)), (.audiences, configuration.audiences.map(\.id.rawValue)),
            (.paywalls, configuration.paywallNames), (.experiments, configuration.experiments.map(\.id.rawValue)),
        ]
        for (section, names) in named where frame.can(section.right) {
            found.add(words.name(of: section), query.best(of: names).map { FoundThings.Thing($0, at: section.place($0)) })
        }
        if frame.can(Frame.Section.profiles.right) { found.add(words.profiles, try await people(query, snapshot, words)) }
        if frame.can(Frame.Section.versions.right) { found.add(words.versions.title, try await versions(query, words.versions)) }
        return found
    }

    /// They are found by their English names too, in every language.
    private func ways<Way>(
        _ ways: [Way], _ query: FindQuery, _ words: Words, at place: (Way) -> Place, name: (Words, Way) -> String
    ) -> [FoundThings.Thing] {
        let english = Words(.english)
        return ways.filter { query.matches(name(words, $0) + "\n" + name(english, $0)) }.prefix(FoundThings.most).map {
            FoundThings.Thing(name(words, $0), at: place($0))
        }
    }

    /// The link of a whole address or suffix first, then those with the text in their address or destination.
    private func links(_ query: FindQuery, _ snapshot: Snapshot, _ words: Words, nowMs: Int64) async throws -> [FoundThings.Thing] {
        let suffix = query.text.utf8.first == UInt8(ascii: "/") ? String(query.text.dropFirst()) : query.text
        let hosts = snapshot.configuration.domains.brand.prefix(Self.mostHosts).map(\.host)
        let places = ([query.text, "https://" + query.text] + hosts.map { "https://\($0)/" + suffix }).compactMap { LinkPlace(url: $0) }
        let stored = try await linkStore.links(snapshot.app.id, at: places)
        var found = zip(places, stored).compactMap { snapshot.link(host: $0.host, path: $0.path) ?? $1 }
        var list = LinkList(store: linkStore, snapshot: snapshot, nowMs: nowMs), filter = LinkFilter()
        (list.mostRead, filter.query) = (Self.mostLinks, query.text)
        let page = try await list.page(filter, from: nil, most: FoundThings.most)
        found += page.entries.map(\.link)
        var known: Set<LinkPlace> = []
        let things = found.filter { known.insert($0.place).inserted }.prefix(FoundThings.most).map { link in
            let entry = LinkEntry(link, isInFile: false, nowMs: nowMs)
            return FoundThings.Thing(entry.name, entry.destination, at: entry.place)
        }
        guard page.next != nil else { return things }
        return things + [FoundThings.Thing(words.findMore, at: Place("/console/links", query: [("q", query.text)]))]
    }

    private func people(_ query: FindQuery, _ snapshot: Snapshot, _ words: Words) async throws -> [FoundThings.Thing] {
        let found = try await profileSearch.find(query.text, snapshot)
        let things = found.profiles.prefix(FoundThings.most).map { row in
            let details = [row.customer, row.testDevice.map { words.testDevice($0) }].compactMap(\.self)
            return FoundThings.Thing(
                row.profile, details.isEmpty ? nil : details.joined(separator: " · "),
                at: Place("/console/profiles", [row.profile], query: [("install", row.install)]))
        }
        guard found.profiles.count > things.count else { return things }
        return things + [FoundThings.Thing(words.findMore, at: Place("/console/profiles", query: [("q", query.text)]))]
    }

    /// The one of a number first, then the newest ones with the words in their reason.
    private func versions(_ query: FindQuery, _ words: VersionWords) async throws -> [FoundThings.Thing] {
        var found: [ConfigurationStore.Summary] = []
        let digits = query.text.hasPrefix("v") ? String(query.text.dropFirst()) : query.text
        if let number = ConsoleCall.number(digits), number < .max {
            found = try await versionStore.summaries(before: number + 1, limit: 1).filter { $0.number == number }
        }
        found += try await versionStore.summaries(before: .max, limit: Self.mostVersions).filter { version in
            query.matches(words.version(version.number) + "\n" + version.message) && !found.contains { $0.number == version.number }
        }
        return found.prefix(FoundThings.most).map { version in
            FoundThings.Thing(
                words.version(version.number), version.message.isEmpty ? nil : version.message,
                at: Place("/console/versions", ["\(version.number)"]))
        }
    }
}

extension Frame.Section {
    /// The page of one of its things.
    fileprivate func place(_ name: String) -> Place {
        switch self {
        case .audiences: Place("/console/audiences", [name])
        case .paywalls: Place("/console/paywalls", [name])
        case .experiments: Place("/console/experiments", [name])
        default: Place("/console/placements", [name])
        }
    }
}
