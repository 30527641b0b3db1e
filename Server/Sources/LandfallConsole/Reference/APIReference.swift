// SPDX-License-Identifier: Apache-2.0
import Yams

/// What programs may call, as the OpenAPI description says it: the parts that pages show, with every reference resolved.
struct APIReference: Sendable {
    struct Group: Hashable, Sendable {
        let name: String
        let about: String
        let operations: [Operation]

        /// The last part of the address of its page.
        var slug: String { name.split(separator: " ").joined(separator: "-") }
    }

    struct Operation: Hashable, Sendable {
        let id: String
        let method: String
        let path: String
        let summary: String
        let about: String
        /// The ways to prove who calls; each is a list of what is needed together. Empty: everyone may call.
        let access: [[String]]
        let parameters: [Parameter]
        let body: Content?
        let answers: [Answer]
    }

    struct Parameter: Hashable, Sendable {
        let name: String
        /// `path`, `query` or `header`.
        let place: String
        let isRequired: Bool
        let type: TypeText
        let about: String
    }

    struct Content: Hashable, Sendable {
        let mediaType: String
        let type: TypeText
        /// Of a type without a name.
        let fields: [Field]
        /// JSON, or the text as it is; nil if the description has none.
        let example: String?
    }

    struct Answer: Hashable, Sendable {
        let status: String
        /// Of an answer that several calls share: ``APIReference/shared`` says it once.
        let name: String?
        let about: String
        let content: [Content]

        /// The error codes that its text names.
        var codes: [String] {
            about.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { index, part in
                !index.isMultiple(of: 2) && part.contains("_") && part.utf8.allSatisfy { (97...122).contains($0) || $0 == UInt8(ascii: "_") }
            }.map { String($0.element) }
        }
    }

    /// A field of an object.
    struct Field: Hashable, Sendable {
        let name: String
        let isRequired: Bool
        let type: TypeText
        let about: String
    }

    /// An object that has a name.
    struct Named: Hashable, Sendable {
        let name: String
        let type: TypeText
        let about: String
        let fields: [Field]
    }

    /// The words for a type, and the names of the types in it, which pages link to.
    struct TypeText: Hashable, Sendable {
        let text: String
        let names: [String]
    }

    let version: String
    let about: String
    /// In the order of the description.
    let groups: [Group]
    let types: [String: Named]
    /// Answers that several calls share, by name.
    let shared: [Answer]

    /// Of this release. It is read once, with the first page that shows it; nil if the file is not what its checks make sure of.
    static let own = APIReference(yaml: String(decoding: EmbeddedFile.apiDescription, as: UTF8.self))

    init?(yaml: String) {
        guard let root = try? Yams.compose(yaml: yaml), let reading = APIReading(root) else { return nil }
        self.init(version: reading.version, about: reading.about, groups: reading.groups, types: reading.types, shared: reading.shared)
    }

    private init(version: String, about: String, groups: [Group], types: [String: Named], shared: [Answer]) {
        (self.version, self.about, self.groups, self.types, self.shared) = (version, about, groups, types, shared)
    }

    /// The types that a group's calls have, and those in them, by name.
    func types(of group: Group) -> [Named] {
        var names: Set<String> = []
        var waiting = group.operations.flatMap { operation in
            operation.parameters.flatMap(\.type.names) + (operation.body.map { Self.names(of: $0) } ?? [])
                + operation.answers.flatMap(\.content).flatMap { Self.names(of: $0) }
        }
        while let name = waiting.popLast() {
            guard let type = types[name], names.insert(name).inserted else { continue }
            waiting += type.type.names + type.fields.flatMap(\.type.names)
        }
        return names.sorted().compactMap { types[$0] }
    }

    private static func names(of content: Content) -> [String] { content.type.names + content.fields.flatMap(\.type.names) }
}
