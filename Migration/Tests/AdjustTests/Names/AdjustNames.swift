// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The list of names in Adjust-names.md, and the names that the module's source declares.
struct AdjustNames {
    enum Way: String, CaseIterable {
        case works, saysSo = "says so", absent
    }

    /// As listed, without the labels of its arguments unless it is listed with them only to tell it from another.
    let listed: [(name: String, way: Way)]
    let ours: Set<String>
    /// The figures that the page gives.
    let figures: [Way: Int]

    static let package = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    init(page: String) throws {
        var listed: [(String, Way)] = []
        for line in page.components(separatedBy: "\n") where line.hasPrefix("| `") {
            let cells = line.components(separatedBy: " | ")
            guard cells.count == 3, let way = Way(rawValue: cells[1]) else { throw UnreadableRow(line) }
            listed += Self.names(in: cells[0]).map { ($0, way) }
        }
        self.listed = listed
        ours = Set(page.components(separatedBy: "\n").filter { $0.hasPrefix("Not of the original") }.flatMap(Self.names))
        var figures: [Way: Int] = [:]
        for way in Way.allCases {
            figures[way] = page.firstMatch(of: try Regex("<!-- names:.*\(way.rawValue) ([0-9]+)"))?[1].substring.flatMap { Int($0) }
        }
        self.figures = figures
    }

    static func read() throws -> AdjustNames {
        try AdjustNames(page: String(contentsOf: package.appending(path: "Adjust-names.md"), encoding: .utf8))
    }

    private static func names(in text: String) -> [String] {
        text.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }

    /// `Type.member`, `Type` or `constant`, without labels.
    static func bare(_ name: String) -> String { String(name.prefix { $0 != "(" }) }
}

struct UnreadableRow: Error, CustomStringConvertible {
    let description: String
    init(_ line: String) { description = "This row is not '| names | works, says so or absent | text |': \(line)" }
}
