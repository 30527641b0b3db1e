// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Compiles audiences into a flat program. It works from the end to the start, because a comparison has to know where the program
/// continues after each of its two results.
struct AudienceCompiler {
    struct Compiled {
        var instructions: [AudienceProgram.Instruction] = []
        var leaves: [AudienceProgram.Leaf] = []
        var audiences: [AudienceProgram.Place] = []
    }

    private(set) var constants: [Cell] = []
    /// The conditions that audiences require.
    private(set) var requirements: [AudiencePrefilter.Requirement] = []
    private var texts = CellWriter(capacity: 256)
    private var names: [String: UInt32] = [:]
    /// The last instruction is first.
    private var instructions: [AudienceProgram.Instruction] = []
    private var leaves: [AudienceProgram.Leaf] = []
    private var audience = 0

    var bytes: [UInt8] { texts.bytes }

    mutating func compile(_ audiences: [Condition]) -> Compiled {
        var ends: [(entry: Int32, emitted: Range<Int>)] = []
        var next = -1 - Int32(audiences.count)
        for (index, condition) in audiences.enumerated().reversed() {
            let before = instructions.count
            audience = index
            next = emit(condition, isNegated: false, isRequired: true, pass: -1 - Int32(index), fail: next, path: "")
            ends.append((next, before..<instructions.count))
        }
        let count = instructions.count
        func forward(_ target: Int32) -> Int32 { target < 0 ? target : Int32(count) - 1 - target }
        var compiled = Compiled()
        compiled.instructions = instructions.reversed().map {
            var instruction = $0
            instruction.pass = forward($0.pass)
            instruction.fail = forward($0.fail)
            return instruction
        }
        compiled.leaves = leaves.reversed()
        compiled.audiences = ends.reversed().map { end in
            AudienceProgram.Place(
                entry: forward(end.entry), start: Int32(count - end.emitted.upperBound), end: Int32(count - end.emitted.lowerBound))
        }
        return compiled
    }

    /// - Parameter isRequired: true if the audience cannot match unless this condition holds.
    /// - Returns: the place at which the condition begins.
    private mutating func emit(
        _ condition: Condition, isNegated: Bool, isRequired: Bool, pass: Int32, fail: Int32, path: String
    ) -> Int32 {
        switch condition {
        case .not(let condition):
            return emit(condition, isNegated: !isNegated, isRequired: isRequired, pass: pass, fail: fail, path: path)
        case .segment(let segment, let place):
            let path = path + place + "segment.\(segment.name)."
            return emit(segment.condition, isNegated: isNegated, isRequired: isRequired, pass: pass, fail: fail, path: path)
        case .test(let test):
            return emit(test, isNegated: isNegated, isRequired: isRequired, pass: pass, fail: fail, path: path)
        case .all(let conditions), .any(let conditions):
            // "Not all of them" is the same as "any of them not".
            let needsEach = if case .all = condition { !isNegated } else { isNegated }
            var next = needsEach ? pass : fail
            for condition in conditions.reversed() {
                next = emit(
                    condition, isNegated: isNegated, isRequired: isRequired && (needsEach || conditions.count == 1),
                    pass: needsEach ? next : pass, fail: needsEach ? fail : next, path: path)
            }
            return next
        }
    }

    private mutating func emit(
        _ test: ConditionTest, isNegated: Bool, isRequired: Bool, pass: Int32, fail: Int32, path: String
    ) -> Int32 {
        var instruction = AudienceProgram.Instruction(
            check: .exists, kind: Self.kind(of: test.subject), isNegated: isNegated, changedBy: test.subject.changedBy.rawValue,
            cell: -1, name: 0, pass: pass, fail: fail, first: UInt32(constants.count), count: 0)
        instruction.check = compile(test, &instruction)
        switch test.subject {
        case .known(let attribute): instruction.cell = Int32(FactValues.place(of: attribute))
        case .custom, .access: instruction.name = constant(ofName: test.subject.cellName ?? "")
        case .unit: break
        }
        instructions.append(instruction)
        leaves.append(AudienceProgram.Leaf(test: test, path: path + test.path))
        if isRequired, !isNegated, instruction.check == .textIsAny {
            requirements.append(AudiencePrefilter.Requirement(audience: audience, comparison: instruction))
        }
        return Int32(instructions.count - 1)
    }

    private static func kind(of subject: ConditionSubject) -> Cell.Kind {
        switch subject.kind {
        case .text: .text
        case .number: .number
        case .boolean: .flag
        case .version: .version
        case .date: .instant
        case .list: .list
        case .locale: .locale
        }
    }

    private mutating func constant(ofName name: String) -> UInt32 {
        if let known = names[name] { return known }
        let place = UInt32(constants.count)
        constants.append(texts.text(name))
        names[name] = place
        return place
    }

    /// Writes the constants of a comparison.
    private mutating func compile(_ test: ConditionTest, _ instruction: inout AudienceProgram.Instruction) -> ConditionCheck {
        switch test.operand {
        case .flag(let flag):
            if test.symbol == .exists { return flag ? .exists : .isMissing }
            constants.append(Cell(flag: flag == (test.symbol == .isEqual)))
            return .flag
        case .span(let span):
            constants.append(Cell(instant: span.milliseconds))
            return test.symbol == .within ? .within : .olderThan
        case .share(let salt, let from, let to):
            var ends = Cell()
            (ends.first, ends.second) = (UInt64(from.buckets), UInt64(to.buckets))
            constants += [texts.text(salt), ends]
            return .share
        case .numbers(let numbers): return compile(numbers, test.symbol, &instruction)
        case .instants(let instants): return compile(instants, test.symbol)
        case .texts(let values): return compile(values, test, &instruction)
        }
    }

    private mutating func compile(
        _ values: [String], _ test: ConditionTest, _ instruction: inout AudienceProgram.Instruction
    ) -> ConditionCheck {
        instruction.count = UInt32(values.count)
        switch test.subject.kind {
        case .version: return compile(versions: values, test.symbol, &instruction)
        case .locale:
            constants += values.map { texts.locale(asked: $0) }
            return test.symbol.isNegative ? .localeIsNone : .localeIsAny
        default: break
        }
        let cells = values.map { texts.text($0) }
        switch test.symbol {
        case .startsWith: constants += cells
        case .endsWith, .contains, .anyOf, .allOf, .noneOf: constants += cells
        // The constants are sorted, so that a long list can be searched by bisection.
        default: constants += cells.sorted { $0.first < $1.first }
        }
        return switch test.symbol {
        case .startsWith: .startsWith
        case .endsWith: .endsWith
        case .contains: .contains
        case .anyOf: .listHasAny
        case .allOf: .listHasAll
        case .noneOf: .listHasNone
        case .isNot, .notIn: .textIsNone
        default: .textIsAny
        }
    }

    private mutating func compile(
        versions: [String], _ symbol: ConditionOperator, _ instruction: inout AudienceProgram.Instruction
    ) -> ConditionCheck {
        let cells = versions.map { texts.version($0) }
        func range(_ lower: Cell?, _ upper: Cell?, _ ends: VersionEnds) -> ConditionCheck {
            instruction.count = UInt32(ends.rawValue)
            constants += [lower ?? .missing, upper ?? .missing]
            return .versionRange
        }
        switch symbol {
        case .below: return range(nil, cells.first, [.upper])
        case .atMost: return range(nil, cells.first, [.upper, .withUpper])
        case .above: return range(cells.first, nil, [.lower])
        case .atLeast: return range(cells.first, nil, [.lower, .withLower])
        case .between: return range(cells.first, cells.last, [.lower, .withLower, .upper, .withUpper])
        default:
            constants += cells
            return symbol.isNegative ? .versionIsNone : .versionIsAny
        }
    }

    private mutating func compile(
        _ numbers: [Double], _ symbol: ConditionOperator, _ instruction: inout AudienceProgram.Instruction
    ) -> ConditionCheck {
        let value = numbers.first ?? 0
        var ends = Cell()
        func range(_ lower: Double, _ upper: Double) -> ConditionCheck {
            (ends.first, ends.second) = (lower.bitPattern, upper.bitPattern)
            constants.append(ends)
            return .numberRange
        }
        switch symbol {
        case .below: return range(-.infinity, value.nextDown)
        case .atMost: return range(-.infinity, value)
        case .above: return range(value.nextUp, .infinity)
        case .atLeast: return range(value, .infinity)
        case .between: return range(value, numbers.last ?? value)
        default:
            instruction.count = UInt32(numbers.count)
            constants += numbers.map { Cell(number: $0) }
            return symbol.isNegative ? .numberIsNone : .numberIsAny
        }
    }

    private mutating func compile(_ instants: [Instant], _ symbol: ConditionOperator) -> ConditionCheck {
        let value = instants.first?.milliseconds ?? 0
        var ends = Cell()
        func bits(_ instant: Int64) -> UInt64 { UInt64(bitPattern: instant) }
        switch symbol {
        case .below: (ends.first, ends.second) = (bits(.min), bits(value - 1))
        case .atMost: (ends.first, ends.second) = (bits(.min), bits(value))
        case .above: (ends.first, ends.second) = (bits(value + 1), bits(.max))
        case .between: (ends.first, ends.second) = (bits(value), bits(instants.last?.milliseconds ?? value))
        default: (ends.first, ends.second) = (bits(value), bits(.max))
        }
        constants.append(ends)
        return .instantRange
    }
}
