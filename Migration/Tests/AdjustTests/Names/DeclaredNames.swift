// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The public names that Swift sources declare, read line by line: they are written one declaration a line.
struct DeclaredNames {
    /// `Type`, `Type.member` or `constant`.
    private(set) var all: Set<String> = []
    private(set) var unavailable: Set<String> = []

    static func adjust() throws -> DeclaredNames {
        var names = DeclaredNames()
        for folder in ["Sources/Adjust", "Sources/AdjustSdk"] {
            for file in try files(in: AdjustNames.package.appending(path: folder)) {
                names.read(try String(contentsOf: file, encoding: .utf8))
            }
        }
        return names
    }

    static func files(in folder: URL) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))
            .filter { $0.hasSuffix(".swift") }.sorted().map { folder.appending(path: $0) }
    }

    mutating func read(_ source: String) {
        var type: String?
        var isProtocol = false
        var isTypePublic = false
        var isUnavailable = false
        for line in source.components(separatedBy: "\n") {
            if line.hasPrefix("}") { type = nil }
            if line.contains("@available(*, unavailable") { isUnavailable = true }
            let match = line.firstMatch(
                of: /^( *)(?:@\S+(?:\(\S*\))? )*(public )?(?:final |private\(set\) |internal\(set\) |static |weak |convenience |optional |override )*(class|enum|struct|protocol|extension|func|var|let|case|typealias|init)\b[? ]*([A-Za-z_]*)/
            )
            guard let match else { continue }
            let (indentation, isPublic, kind, name) = (match.1.count, match.2 != nil, match.3, String(match.4))
            if indentation == 0, ["class", "enum", "struct", "protocol", "extension"].contains(kind) {
                type = name
                isProtocol = kind == "protocol"
                isTypePublic = isPublic
                if isPublic, kind != "extension" { all.insert(name) }
                continue
            }
            guard isPublic || isProtocol && indentation == 4 || kind == "case" && indentation == 4 && isTypePublic, !name.hasPrefix("__") else {
                continue
            }
            if kind == "case", let type {
                // Several in one line.
                let names = line.trimmingCharacters(in: .whitespaces).dropFirst("case ".count).components(separatedBy: ", ")
                all.formUnion(names.map { "\(type).\($0.prefix { $0.isLetter })" })
                continue
            }
            let full = [type, kind == "init" ? "init" : name].compactMap(\.self).joined(separator: ".")
            all.insert(full)
            if isUnavailable { unavailable.insert(full) }
            isUnavailable = false
        }
    }
}
