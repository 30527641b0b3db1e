// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Explanation {
    /// As lines, with the names in one column.
    public var description: String {
        var table = TextTable()
        table.add("install", install?.rawValue ?? "not known yet")
        table.add("profile", profile?.rawValue ?? "not known yet")
        for fact in facts { table.add(fact.subject, fact.value) }
        table.begin("waits for")
        for wait in waits { table.add(wait.what, wait.remaining.map { "at most \($0.inWords)" } ?? "open end") }
        table.begin("errands")
        for errand in errands { table.add(errand.name, errand.text) }
        table.begin("queued")
        table.add("events, attributes, claims", "\(queue.events), \(queue.attributeChanges), \(queue.attributionClaims)")
        table.add("clicks, links, codes", "\(queue.clicks), \(queue.links), \(queue.codes)")
        if !experiments.isEmpty {
            table.begin("experiments")
            for report in experiments { table.add(report.assignment.experiment.rawValue, report.text) }
        }
        for placement in placements {
            let locale = placement.locale.isEmpty ? "" : " (\(placement.locale))"
            table.begin("placement '\(placement.placement)'\(locale)")
            table.add("now", "\(placement.rung ?? "nothing"): \(placement.why)")
            for rung in placement.rungs { table.add(rung.name, rung.text) }
        }
        if !setup.isEmpty {
            table.begin("to put right")
            for text in setup { table.add("", text) }
        }
        return table.text
    }
}

extension Explanation.ErrandReport {
    fileprivate var text: String {
        var text = state
        if let nextTry { text += ", next try in \(nextTry.inWords)" }
        if let lastError, let lastErrorAge { text += "; \(lastErrorAge.inWords) ago: \(lastError)" }
        return text
    }
}

extension Explanation.ExperimentReport {
    fileprivate var text: String {
        "variation '\(assignment.variation)', epoch \(assignment.epoch), bucket \(assignment.bucket)" + (isDecided ? ", decided" : "")
    }
}

extension Explanation.Rung {
    fileprivate var text: String {
        guard isThere else { return "–" }
        let what = (paywall.map { "'\($0)'" } ?? "nothing to show") + (variation.map { ", variation '\($0)'" } ?? "")
        return "\(what), audience '\(audience?.rawValue ?? "")'" + (attribution.map { ", attribution: \($0)" } ?? "")
    }
}

/// Lines that begin with a name, under headings.
private struct TextTable {
    private enum Line {
        case heading(String)
        case row(String, String)
    }

    private var lines: [Line] = []

    mutating func begin(_ heading: String) { lines.append(.heading(heading)) }
    mutating func add(_ name: String, _ text: String) { lines.append(.row(name, text)) }

    var text: String {
        let widths = lines.map { line in if case .row(let name, _) = line { name.count } else { 0 } }
        let width = widths.max() ?? 0
        return lines.map { line in
            switch line {
            case .heading(let heading): heading
            case .row(let name, let text): "  \(name)\(String(repeating: " ", count: width - name.count))  \(text)"
            }
        }.joined(separator: "\n")
    }
}
