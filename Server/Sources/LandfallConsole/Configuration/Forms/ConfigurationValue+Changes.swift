// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallWire

extension ConfigurationValue {
    /// The edits that make an entry say another value. What says the same in both stays as it is written, with its comments.
    /// - Parameters:
    ///   - node: the entry.
    ///   - old: what the entry says, in the form in which the new value is.
    /// - Throws: `not_found`, where the file is deeper than a path.
    func edits(of node: ConfigurationNode, from old: ConfigurationValue, at steps: [ConfigurationEditPath.Step]) throws -> [ConfigurationEdit] {
        func path(_ step: ConfigurationEditPath.Step? = nil) throws -> ConfigurationEditPath {
            guard let path = ConfigurationEditPath(steps + (step.map { [$0] } ?? [])) else { throw RequestError.notFound }
            return path
        }
        guard !saysTheSame(as: old) else { return [] }
        switch (node.content, old, self) {
        case (.mapping(let entries), .mapping(let olds), .mapping(let news))
        where entries.count == olds.count && olds.allSatisfy({ old in entries.contains { $0.key.hasSameBytes(as: old.name) } }):
            let changed = try news.flatMap { new in
                guard let inner = node[new.name], let old = olds.first(where: { $0.name.hasSameBytes(as: new.name) }) else {
                    return [ConfigurationEdit.set(try path(.key(new.name)), to: new.value)]
                }
                return try new.value.edits(of: inner, from: old.value, at: steps + [.key(new.name)])
            }
            let gone = olds.filter { old in !news.contains { $0.name.hasSameBytes(as: old.name) } }
            return try changed + gone.map { .remove(try path(.key($0.name))) }
        case (.list(let nodes), .list(let olds), .list(let news)) where nodes.count == olds.count:
            let start = zip(olds, news).prefix { $0.saysTheSame(as: $1) }.count
            let end = zip(olds.dropFirst(start).reversed(), news.dropFirst(start).reversed()).prefix { $0.saysTheSame(as: $1) }.count
            let replaced = start..<olds.count - end
            switch news.count - olds.count {
            case 0:
                return try replaced.flatMap { try news[$0].edits(of: nodes[$0], from: olds[$0], at: steps + [.index($0)]) }
            case ..<0 where replaced.count == olds.count - news.count: return try replaced.map { .remove(try path(.index($0))) }
            case 1 where replaced.isEmpty && end == 0: return [.set(try path(.index(olds.count)), to: news[olds.count])]
            default: return [.set(try path(), to: self)]
            }
        default: return [.set(try path(), to: self)]
        }
    }

    private func saysTheSame(as other: ConfigurationValue) -> Bool { inLine.hasSameBytes(as: other.inLine) }
}
