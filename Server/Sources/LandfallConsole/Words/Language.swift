// SPDX-License-Identifier: Apache-2.0

/// A language of the console. English is in the code; any other is a file of ``EmbeddedFile/catalogues``.
package struct Language: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    package static let english = Language("en")
    package static let allCases = [english] + EmbeddedFile.catalogues.map { Language($0.tag, $0.file) }

    /// As BCP 47 writes it.
    package let tag: String
    let catalogue: Catalogue

    private init(_ tag: String, _ file: [UInt8]? = nil) {
        self.tag = tag
        catalogue = file.flatMap { try? CatalogueFile($0) }.map(Catalogue.init) ?? .english
    }

    package init?(tag: String) {
        guard let language = Self.allCases.first(where: { $0.tag == tag }) else { return nil }
        self = language
    }

    package static func == (one: Language, other: Language) -> Bool { one.tag == other.tag }
    package func hash(into hasher: inout Hasher) { hasher.combine(tag) }

    package var description: String { tag }

    /// In the language itself.
    var name: String { translate("English", context: "the name of this language, in itself") }

    /// The first language of an `Accept-Language` field that the console speaks; English if there is none.
    init(accepting field: String?) {
        let accepted = (field ?? "").utf8.prefix(500).split(separator: UInt8(ascii: ",")).compactMap { part -> (Language, Double)? in
            let pieces = part.split(separator: UInt8(ascii: ";"))
            guard let tag = pieces.first else { return nil }
            let name = String(decoding: tag.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self).lowercased()
            let quality = pieces.dropFirst().first.map { String(decoding: $0.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self) }
            let weight = quality.map { $0.hasPrefix("q=") ? Double($0.dropFirst(2)) ?? 0 : 0 } ?? 1
            return Self.spoken(name).map { ($0, weight) }
        }
        var best: (Language, Double)?
        for tag in accepted where tag.1 > 0 && tag.1 > best?.1 ?? 0 { best = tag }
        self = best?.0 ?? .english
    }

    /// - Parameter tag: in lower case. Of a script or region that the console lacks, the language counts: `zh-tw` is `zh-Hans`.
    private static func spoken(_ tag: String) -> Language? {
        func language(_ tag: String) -> Substring { tag.lowercased().prefix { $0 != "-" } }
        return allCases.first { $0.tag.lowercased() == tag } ?? allCases.first { language($0.tag) == language(tag) }
    }
}

extension Language: Translating {
    var language: Language { self }
}
