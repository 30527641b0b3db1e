// SPDX-License-Identifier: Apache-2.0

/// Rules audiences out before they are compared: a look-up for each attribute instead of a comparison for each
/// audience. Campaigns differ by a campaign, a country, a language, and an install has one of each.
///
/// Only texts that an audience requires on every way to a match are looked up, by their hashes. So an audience that is ruled out
/// cannot match, and one that is not may still fail: its comparisons decide. A value that is on its way rules nothing out.
struct AudiencePrefilter: Sendable {
    /// Up to 64 audiences that follow each other, with a bit for each.
    struct Block: BitwiseCopyable, Sendable {
        let audiences: UInt64
        let fields: UInt32
        let count: UInt32
    }

    /// One attribute, as a block's audiences require it.
    struct Field: BitwiseCopyable, Sendable {
        /// As in ``AudienceProgram/Instruction``.
        let cell: Int32
        let name: UInt32
        let changedBy: UInt8
        /// The audiences that remain for any other value, or for none: those that do not require this attribute.
        let others: UInt64
        let slots: UInt32
        /// The number of slots, a power of two, less one.
        let mask: UInt32
    }

    /// A value of the rules. An empty slot leaves no audience.
    struct Slot: BitwiseCopyable, Sendable {
        var hash: UInt64 = 0
        var audiences: UInt64 = 0
    }

    /// A requirement of an audience: a text is one of `count` constants from `first` on.
    struct Requirement {
        let audience: Int
        let comparison: AudienceProgram.Instruction
    }

    let blocks: FixedArray<Block>
    let fields: FixedArray<Field>
    let slots: FixedArray<Slot>

    init(_ requirements: [Requirement], constants: [Cell], audiences count: Int) {
        var blocks: [Block] = [], fields: [Field] = [], slots: [Slot] = []
        let inBlocks = Dictionary(grouping: requirements) { $0.audience / 64 }
        for first in stride(from: 0, to: count, by: 64) {
            let all = UInt64.max >> UInt64(64 - min(64, count - first))
            let start = fields.count
            let ofFields = Dictionary(grouping: inBlocks[first / 64] ?? []) { [Int($0.comparison.cell), Int($0.comparison.name)] }
            let known = ofFields.values.map { FieldValues($0, constants, all) }
            // For one audience, its own comparison is as fast. The attribute that most audiences require comes first.
            for values in known.filter(\.isOfSeveral).sorted(by: { $0.order < $1.order }) {
                fields.append(values.written(to: &slots))
            }
            blocks.append(Block(audiences: all, fields: UInt32(start), count: UInt32(fields.count - start)))
        }
        (self.blocks, self.fields, self.slots) = (FixedArray(blocks), FixedArray(fields), FixedArray(slots))
    }
}

/// The values of one attribute, on their way into a table.
private struct FieldValues {
    private let comparison: AudienceProgram.Instruction
    private let others: UInt64
    private var audiences: [UInt64: UInt64] = [:]
    private let count: Int

    init(_ requirements: [AudiencePrefilter.Requirement], _ constants: [Cell], _ all: UInt64) {
        comparison = requirements[0].comparison
        func bit(_ requirement: AudiencePrefilter.Requirement) -> UInt64 { 1 << UInt64(requirement.audience % 64) }
        let requiring = requirements.reduce(0) { $0 | bit($1) }
        others = all & ~requiring
        count = requiring.nonzeroBitCount
        func texts(_ requirement: AudiencePrefilter.Requirement) -> Set<UInt64> {
            let first = Int(requirement.comparison.first)
            return Set(constants[first..<first + Int(requirement.comparison.count)].map(\.first))
        }
        // If an audience requires the attribute twice, values that satisfy one requirement stay; the comparisons decide.
        for requirement in requirements {
            for hash in texts(requirement) { audiences[hash, default: others] |= bit(requirement) }
        }
    }

    var isOfSeveral: Bool { count > 1 }

    /// The sort key, so that the same rules give the same result whatever the order of a dictionary.
    var order: (Int, Int32, UInt32) { (-count, comparison.cell, comparison.name) }

    func written(to slots: inout [AudiencePrefilter.Slot]) -> AudiencePrefilter.Field {
        var size = 2
        while size < 2 * audiences.count { size *= 2 }
        let start = slots.count
        slots += Array(repeating: AudiencePrefilter.Slot(), count: size)
        for (hash, audiences) in audiences {
            var place = Int(truncatingIfNeeded: hash) & (size - 1)
            while slots[start + place].audiences != 0 { place = (place + 1) & (size - 1) }
            slots[start + place] = AudiencePrefilter.Slot(hash: hash, audiences: audiences)
        }
        return AudiencePrefilter.Field(
            cell: comparison.cell, name: comparison.name, changedBy: comparison.changedBy, others: others, slots: UInt32(start),
            mask: UInt32(size - 1))
    }
}
