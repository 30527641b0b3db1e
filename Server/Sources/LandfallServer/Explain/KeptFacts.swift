// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallStore
import LandfallWire

/// The values that are stored with an exposure, so that it can be explained later: the values of the install that the audiences
/// of its placement read when the exposure arrived.
struct KeptFacts: Hashable, Sendable, Codable {
    /// The version of the configuration that was served then.
    let revision: Int64
    let attributionVersion: Int64
    /// Values by the names of their attributes; null for a missing value.
    let values: [String: JSONValue]

    /// Nil if the event is not an exposure, or if its placement does not exist.
    init?(_ event: Event, of install: Install, by snapshot: Snapshot, _ facts: AudienceFacts) {
        guard event.isKept, let placement = event.placement else { return nil }
        self.init(placement, of: install, by: snapshot, facts)
    }

    /// Nil if the placement does not exist.
    init?(_ placement: PlacementID, of install: Install, by snapshot: Snapshot, _ facts: AudienceFacts) {
        guard let placement = snapshot.placements[placement] else { return nil }
        revision = snapshot.revision
        attributionVersion = install.attributionVersion
        values = Dictionary(
            placement.program.leaves.map { ($0.test.subject.name, facts.values.value(of: $0.test.subject) ?? .null) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The text that its row contains.
    var text: String? { try? String(decoding: WireCoding.encode(self), as: UTF8.self) }

    init?(text: String?) {
        guard let text, let kept = try? WireCoding.decode(KeptFacts.self, from: Data(text.utf8)) else { return nil }
        self = kept
    }
}

extension InstallUnit {
    /// The facts to store with these events, by the events' ids. Reads the install only if one of the events is an exposure.
    func kept(of events: [Event], by snapshot: Snapshot, _ connection: any ReadConnection) throws -> [String: KeptFacts] {
        guard events.contains(where: \.isKept),
            let install = try StoredInstall(
                app, id, storeEpoch: storeEpoch, readsLastSeen: snapshot.comparesLastSeen, from: connection)?.install
        else { return [:] }
        let facts = snapshot.facts(of: install, nowMs: nowMs)
        return events.reduce(into: [:]) { kept, event in kept[event.id] = KeptFacts(event, of: install, by: snapshot, facts) }
    }
}

extension Event {
    /// True for an exposure, and for a decision of an experiment.
    fileprivate var isKept: Bool { type == .paywallShown || assignment != nil }
}

extension FactValues {
    /// All values, under the names that ``KeptFacts`` uses.
    var said: [String: JSONValue] {
        var said: [String: JSONValue] = [:]
        for attribute in AudienceAttribute.allCases { said[attribute.rawValue] = value(of: .known(attribute)) }
        for (name, value) in customs { said[ConditionSubject.customPrefix + name] = value }
        for (name, value) in accesses { said[name] = value }
        said[ConditionSubject.unit.name] = value(of: .unit)
        return said
    }

    /// - Parameter said: values by their names, in the form of ``said``; null is a missing value.
    convenience init(said: [String: JSONValue]) {
        var written = WrittenFacts()
        written.cells = AudienceAttribute.allCases.map { written.cell($0, said[$0.rawValue]) }
        for (name, value) in said {
            if name.hasPrefix(ConditionSubject.customPrefix) {
                written.set(String(name.dropFirst(ConditionSubject.customPrefix.count)), to: value)
            } else if name.hasPrefix(AccessField.prefix) {
                written.set(access: name, to: value)
            }
        }
        written.unit = written.texts.text(said[ConditionSubject.unit.name]?.string)
        self.init(written)
    }
}

extension WrittenFacts {
    fileprivate mutating func cell(_ attribute: AudienceAttribute, _ value: JSONValue?) -> Cell {
        switch (attribute.kind, value) {
        case (_, nil), (_, .null?): return .missing
        case (.boolean, .bool(let flag)?): return Cell(flag: flag)
        case (.date, .string(let text)?): return Instant(text).map { Cell(instant: $0.milliseconds) } ?? .missing
        case (.version, .string(let text)?): return texts.version(text)
        case (.locale, .string(let text)?): return texts.locale(LocaleCode(deviceLocale: text), else: text)
        case (.list, .array(let values)?): return list(values.compactMap(\.string))
        default: return texts.text(value?.string)
        }
    }

    fileprivate mutating func set(access name: String, to value: JSONValue) {
        switch value {
        case .string(let text): add(access: name, .string(text))
        case .bool(let flag): add(access: name, .bool(flag))
        case .integer, .number, .null, .array, .object: break
        }
    }

    fileprivate mutating func set(_ name: String, to value: JSONValue) {
        switch value {
        case .string(let text): add(name, .string(text))
        case .integer(let number): add(name, .number(Double(number)))
        case .number(let number): add(name, .number(number))
        case .bool(let flag): add(name, .bool(flag))
        case .null, .array, .object: break
        }
    }
}
