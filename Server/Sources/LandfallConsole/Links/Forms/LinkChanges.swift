// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallWire

/// Changes several stored links at once. There is no archive: an archived link is one that has expired.
struct LinkChanges: Sendable {
    /// The most links at once.
    static let most = LinkStore.largestUnit

    enum Change: Hashable, Sendable {
        /// From now on it leads nowhere; one that has expired already stays as it is.
        case archive
        /// An expired link leads somewhere again, and does not expire.
        case takeUp
        /// Labels of neither stay as they are.
        case relabel([LinkEntry.LabelName: String], cleared: Set<LinkEntry.LabelName>)

        var action: AuditAction {
            switch self {
            case .archive: .linkArchived
            case .takeUp: .linkTakenUp
            case .relabel: .linkRelabelled
            }
        }

        func applied(to link: StoredLink, nowMs: Int64) -> StoredLink {
            var link = link
            switch self {
            case .archive: if !link.isExpired(nowMs: nowMs) { link.expiresAtMs = nowMs }
            case .takeUp: if link.isExpired(nowMs: nowMs) { link.expiresAtMs = nil }
            case .relabel(let values, let cleared):
                for name in cleared { link.labels[name] = nil }
                for (name, value) in values { link.labels[name] = value }
            }
            return link
        }
    }

    /// The result for one link.
    enum Outcome: Hashable, Sendable {
        case changed(from: StoredLink, to: StoredLink)
        case unchanged(StoredLink)
        /// The configuration has it: it is changed there.
        case inFile(StoredLink)
        case refused(StoredLink, LinkRefusal)
        /// Somebody changed or removed it after it was read.
        case changedMeanwhile(StoredLink)
        case missing
    }

    let links: Links
    let snapshot: Snapshot

    /// What ``apply(_:to:noting:nowMs:)`` would do at this moment; stores nothing.
    /// - Parameter places: nil for an address that is no link's.
    /// - Returns: an outcome for each, in order.
    func check(_ change: Change, of places: [LinkPlace?], nowMs: Int64) async throws -> [Outcome] {
        let there = try await links.store.links(snapshot.app.id, at: places.compactMap { $0 })
        let making = LinkCreation(links: links, snapshot: snapshot)
        var outcomes: [Outcome] = [], rest = there[...]
        for place in places {
            guard let place else {
                outcomes.append(.missing)
                continue
            }
            let stored = rest.removeFirst()
            if let link = snapshot.link(host: place.host, path: place.path) {
                outcomes.append(.inFile(link))
                continue
            }
            guard let link = stored else {
                outcomes.append(.missing)
                continue
            }
            let changed = change.applied(to: link, nowMs: nowMs)
            if changed == link {
                outcomes.append(.unchanged(link))
            } else if change != .archive, let refusal = try await making.refusal(ofChanged: changed, nowMs: nowMs) {
                // A link that could not be made any more can still be archived.
                outcomes.append(.refused(link, refusal))
            } else {
                outcomes.append(.changed(from: link, to: changed))
            }
        }
        return outcomes
    }

    /// Changes every link that it can, in one transaction; repeating it changes nothing.
    /// - Parameters:
    ///   - places: at most ``most``, each once.
    ///   - noting: the line of the audit log about a changed link.
    func apply(
        _ change: Change, to places: [LinkPlace?], noting: @escaping @Sendable (StoredLink) -> AuditLine, nowMs: Int64
    ) async throws -> [Outcome] {
        let outcomes = try await check(change, of: places, nowMs: nowMs)
        let changes = outcomes.compactMap { outcome in
            if case .changed(let old, let new) = outcome { LinkStore.Change(old: old, new: new) } else { nil }
        }
        var isChanged = try await links.store.change(changes, of: snapshot.app.id, noting: noting, nowMs: nowMs)[...]
        return outcomes.map { outcome in
            guard case .changed(let old, _) = outcome, !isChanged.removeFirst() else { return outcome }
            return .changedMeanwhile(old)
        }
    }
}

extension LinkLabels {
    subscript(name: LinkEntry.LabelName) -> String? {
        get { self[keyPath: Self.path(of: name)] }
        set { self[keyPath: Self.path(of: name)] = newValue }
    }

    private static func path(of name: LinkEntry.LabelName) -> WritableKeyPath<LinkLabels, String?> {
        switch name {
        case .campaign: \.campaign
        case .adGroup: \.adGroup
        case .creative: \.creative
        case .label: \.label
        case .channel: \.channel
        }
    }
}
