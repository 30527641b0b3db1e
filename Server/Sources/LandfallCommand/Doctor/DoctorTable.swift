// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// Findings for people: a line each, what to do below it, and how many there are.
struct DoctorTable {
    let findings: [DoctorFinding]

    var lines: [String] {
        let width = findings.map(\.check.count).max() ?? 0
        let indentation = String(repeating: " ", count: width + 4)
        let rows = findings.flatMap { finding in
            let name = finding.check.padded(to: width)
            return ["\(finding.ok ? "✔" : "✘") \(name)  \(finding.message)"] + (finding.fix.map { ["\(indentation)→ \($0)"] } ?? [])
        }
        let wrong = findings.count { !$0.ok }
        return rows + ["\(findings.count) check\(findings.count == 1 ? "" : "s"), \(wrong == 0 ? "all in order" : "\(wrong) not in order")."]
    }
}
