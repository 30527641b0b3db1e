// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationNode {
    /// Of the entry or element that the step leads to; nil if there is none.
    func index(of step: ConfigurationEditPath.Step) -> Int? {
        switch (step, content) {
        case (.key(let name), .mapping(let entries)): entries.firstIndex { $0.key.hasSameBytes(as: name) }
        case (.index(let index), .list(let elements)): elements.indices.contains(index) ? index : nil
        default: nil
        }
    }

    /// Compares without regard to places in the text.
    func saysTheSame(as other: ConfigurationNode) -> Bool {
        switch (content, other.content) {
        case (.scalar(let text, let isQuoted), .scalar(let otherText, let isOtherQuoted)):
            isQuoted == isOtherQuoted && text.hasSameBytes(as: otherText)
        case (.list(let elements), .list(let others)):
            elements.count == others.count && zip(elements, others).allSatisfy { $0.saysTheSame(as: $1) }
        case (.mapping(let entries), .mapping(let others)):
            entries.count == others.count
                && zip(entries, others).allSatisfy { $0.key.hasSameBytes(as: $1.key) && $0.value.saysTheSame(as: $1.value) }
        default: false
        }
    }
}
