// SPDX-License-Identifier: Apache-2.0

/// The kinds of comparisons in a program.
enum ConditionCheck: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    case textIsAny, textIsNone
    case numberRange, versionRange
    case flag
    case exists, isMissing
    case startsWith, endsWith, contains
    case numberIsAny, numberIsNone
    case versionIsAny, versionIsNone
    case instantRange, within, olderThan
    case listHasAny, listHasAll, listHasNone
    case localeIsAny, localeIsNone
    case share
}

/// The ends of a range of versions, and whether the range includes them.
struct VersionEnds: OptionSet {
    let rawValue: UInt8
    static let lower = VersionEnds(rawValue: 1)
    static let upper = VersionEnds(rawValue: 2)
    static let withLower = VersionEnds(rawValue: 4)
    static let withUpper = VersionEnds(rawValue: 8)
}

/// Runs a program on the values of one install. It holds plain addresses, so that no comparison counts a reference. It lives
/// for one decision; its maker keeps the program and the values during that time.
struct Decider {
    private let instructions: UnsafePointer<AudienceProgram.Instruction>
    private let constants: UnsafePointer<Cell>
    private let programBytes: UnsafePointer<UInt8>
    private let audiences: UnsafePointer<AudienceProgram.Place>
    private let audienceCount: Int
    private let cells: UnsafePointer<Cell>
    private let customNames: UnsafePointer<Cell>
    private let customCells: UnsafePointer<Cell>
    private let customCount: Int
    private let elements: UnsafePointer<Cell>
    private let bytes: UnsafePointer<UInt8>
    private let unit: Cell
    private let nowMs: Int64
    private let pending: UInt8

    @inline(__always)
    init(_ program: AudienceProgram, _ facts: AudienceFacts, pending: Pending) {
        instructions = program.instructions.start
        constants = program.constants.start
        programBytes = program.bytes.start
        audiences = program.audiences.start
        audienceCount = program.audiences.count
        let values = facts.values
        cells = values.cells.start
        customNames = values.customNames.start
        customCells = values.customCells.start
        customCount = values.customNames.count
        elements = values.elements.start
        bytes = values.bytes.start
        unit = values.unit
        nowMs = facts.nowMs
        self.pending = pending.rawValue
    }

    /// Goes from comparison to comparison until an audience is found.
    /// - Parameters:
    ///   - takesUnknownAs: the result of a comparison whose value is on its way.
    ///   - stop: the first comparison that is not made.
    /// - Returns: the number of the audience, or the number of all audiences if none matches; below 0 if it stopped.
    @inline(__always)
    func run(
        from entry: Int32, takesUnknownAs passes: Bool, before stop: Int32 = .max, _ trace: inout some DecisionTrace
    ) -> Int {
        var place = entry
        while place >= 0 {
            guard place < stop else { return -1 }
            let instruction = instructions + Int(place)
            let outcome = outcome(of: instruction)
            trace.compared(Int(place), outcome)
            let holds = outcome == .pending ? passes : (outcome == .yes) != instruction.pointee.isNegated
            place = holds ? instruction.pointee.pass : instruction.pointee.fail
        }
        return Int(-1 - place)
    }

    /// Asks one audience, without those above it. An install that does not match goes on with the next audience, so the answer is only
    /// whether it matches this one.
    @inline(__always)
    func matches(_ audience: Int, takesUnknownAs passes: Bool) -> Bool {
        var trace = NoTrace()
        let place = audiences + audience
        return run(from: place.pointee.entry, takesUnknownAs: passes, before: place.pointee.end, &trace) == audience
    }

    @inline(__always)
    func outcome(of instruction: UnsafePointer<AudienceProgram.Instruction>) -> ComparisonOutcome {
        if instruction.pointee.changedBy & pending != 0 { return .pending }
        let check = instruction.pointee.check
        if check == .share { return share(constants + Int(instruction.pointee.first)) }
        let place = instruction.pointee.cell
        guard let cell = place >= 0 ? cells + Int(place) : custom(constants + Int(instruction.pointee.name)) else {
            return check == .isMissing ? .yes : check == .exists ? .no : .missing
        }
        let kind = instruction.pointee.kind
        guard cell.pointee.kind == kind || kind == .instant && cell.pointee.isInstant else {
            if check == .isMissing { return .yes }
            if check == .exists { return .no }
            return cell.pointee.kind == .missing ? .missing : .unreadable
        }
        return holds(check, cell, constants + Int(instruction.pointee.first), Int(instruction.pointee.count)) ? .yes : .no
    }

    @inline(__always)
    private func holds(
        _ check: ConditionCheck, _ cell: UnsafePointer<Cell>, _ constants: UnsafePointer<Cell>, _ count: Int
    ) -> Bool {
        switch check {
        case .textIsAny: return isAny(cell, constants, count)
        case .textIsNone: return !isAny(cell, constants, count)
        case .numberRange:
            let number = cell.pointee.number
            return Double(bitPattern: constants.pointee.first) <= number && number <= Double(bitPattern: constants.pointee.second)
        case .versionRange: return isInRange(cell, constants, VersionEnds(rawValue: UInt8(truncatingIfNeeded: count)))
        case .flag: return cell.pointee.first == constants.pointee.first
        case .exists: return true
        case .isMissing: return false
        default: return holdsSeldom(check, cell, constants, count)
        }
    }

    /// The other comparisons, in a function of their own because most rules do not use them.
    @inline(never)
    private func holdsSeldom(
        _ check: ConditionCheck, _ cell: UnsafePointer<Cell>, _ constants: UnsafePointer<Cell>, _ count: Int
    ) -> Bool {
        func has(_ isIt: (UnsafePointer<Cell>) -> Bool) -> Bool {
            for place in 0..<count where isIt(constants + place) { return true }
            return false
        }
        let instant = cell.pointee.instant
        switch check {
        case .numberIsAny: return has { $0.pointee.number == cell.pointee.number }
        case .numberIsNone: return !has { $0.pointee.number == cell.pointee.number }
        case .versionIsAny: return has { order(cell, $0) == 0 }
        case .versionIsNone: return !has { order(cell, $0) == 0 }
        case .instantRange:
            return Int64(bitPattern: constants.pointee.first) <= instant && instant <= Int64(bitPattern: constants.pointee.second)
        case .within: return instant <= nowMs && nowMs &- instant < constants.pointee.instant
        case .olderThan: return instant <= nowMs && nowMs &- instant >= constants.pointee.instant
        case .localeIsAny: return has { Self.includes($0, cell) }
        case .localeIsNone: return !has { Self.includes($0, cell) }
        case .startsWith, .endsWith, .contains: return has { isPart($0, of: cell, check) }
        case .listHasAny: return has { isElement($0, of: cell) }
        case .listHasNone: return !has { isElement($0, of: cell) }
        case .listHasAll: return !has { !isElement($0, of: cell) }
        case .textIsAny, .textIsNone, .numberRange, .versionRange, .flag, .exists, .isMissing, .share: return false
        }
    }

    /// There are few custom attributes, and the hashes of their names are next to each other.
    @inline(__always)
    private func custom(_ name: UnsafePointer<Cell>) -> UnsafePointer<Cell>? {
        for place in 0..<customCount where customNames[place].first == name.pointee.first {
            if isSame(name, customNames + place) { return customCells + place }
        }
        return nil
    }
}

// MARK: The prefilter

extension Decider {
    /// The first audience that matches now, or the number of audiences; final if pending answers cannot change that.
    @inline(__always)
    func first(by prefilter: AudiencePrefilter) -> (audience: Int, isFinal: Bool) {
        var isFinal = true
        for place in 0..<prefilter.blocks.count {
            var left = audiences(left: prefilter.blocks.start + place, prefilter)
            while left != 0 {
                let audience = place * 64 + left.trailingZeroBitCount
                if matches(audience, takesUnknownAs: false) { return (audience, isFinal) }
                if pending != 0, isFinal { isFinal = !matches(audience, takesUnknownAs: true) }
                left &= left - 1
            }
        }
        return (audienceCount, isFinal)
    }

    @inline(__always)
    private func audiences(left block: UnsafePointer<AudiencePrefilter.Block>, _ prefilter: AudiencePrefilter) -> UInt64 {
        var left = block.pointee.audiences
        var field = prefilter.fields.start + Int(block.pointee.fields)
        let end = field + Int(block.pointee.count)
        while field < end, left != 0 {
            left &= audiences(left: field, prefilter.slots.start + Int(field.pointee.slots))
            field += 1
        }
        return left
    }

    @inline(__always)
    private func audiences(left field: UnsafePointer<AudiencePrefilter.Field>, _ slots: UnsafePointer<AudiencePrefilter.Slot>) -> UInt64 {
        if field.pointee.changedBy & pending != 0 { return .max }
        let place = field.pointee.cell
        guard let cell = place >= 0 ? cells + Int(place) : custom(constants + Int(field.pointee.name)), cell.pointee.kind == .text else {
            return field.pointee.others
        }
        let hash = cell.pointee.first
        var slot = UInt32(truncatingIfNeeded: hash) & field.pointee.mask
        while slots[Int(slot)].audiences != 0 {
            if slots[Int(slot)].hash == hash { return slots[Int(slot)].audiences }
            slot = (slot + 1) & field.pointee.mask
        }
        return field.pointee.others
    }
}

// MARK: Texts

extension Decider {
    /// - Parameter constants: sorted by their hashes.
    @inline(__always)
    private func isAny(_ cell: UnsafePointer<Cell>, _ constants: UnsafePointer<Cell>, _ count: Int) -> Bool {
        let hash = cell.pointee.first
        var place = 0
        if count > 16 {
            var end = count
            while place < end {
                let middle = (place + end) / 2
                if constants[middle].first < hash { place = middle + 1 } else { end = middle }
            }
        }
        while place < count {
            let other = constants[place].first
            if other == hash, isSame(constants + place, cell) { return true }
            if other > hash { return false }
            place += 1
        }
        return false
    }

    private func isElement(_ constant: UnsafePointer<Cell>, of list: UnsafePointer<Cell>) -> Bool {
        let start = Int(list.pointee.offset)
        for place in start..<start + Int(list.pointee.length)
        where elements[place].first == constant.pointee.first && isSame(constant, elements + place) {
            return true
        }
        return false
    }

    private func isPart(_ constant: UnsafePointer<Cell>, of cell: UnsafePointer<Cell>, _ check: ConditionCheck) -> Bool {
        let part = Int(constant.pointee.length), last = Int(cell.pointee.length) - part
        guard last >= 0 else { return false }
        let left = programBytes + Int(constant.pointee.offset), right = bytes + Int(cell.pointee.offset)
        switch check {
        case .startsWith: return Self.isSame(left, right, part)
        case .endsWith: return Self.isSame(left, right + last, part)
        default:
            for start in 0...last where Self.isSame(left, right + start, part) { return true }
            return false
        }
    }

    /// - Parameters:
    ///   - constant: a text of the rule.
    ///   - cell: a text of the install.
    @inline(__always)
    private func isSame(_ constant: UnsafePointer<Cell>, _ cell: UnsafePointer<Cell>) -> Bool {
        constant.pointee.length == cell.pointee.length
            && Self.isSame(programBytes + Int(constant.pointee.offset), bytes + Int(cell.pointee.offset), Int(cell.pointee.length))
    }

    @inline(__always)
    private static func isSame(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var place = 0
        while place + 8 <= count {
            let left = UnsafeRawPointer(left + place).loadUnaligned(as: UInt64.self)
            guard left == UnsafeRawPointer(right + place).loadUnaligned(as: UInt64.self) else { return false }
            place += 8
        }
        while place < count {
            guard left[place] == right[place] else { return false }
            place += 1
        }
        return true
    }

    @inline(never)
    private func share(_ constants: UnsafePointer<Cell>) -> ComparisonOutcome {
        guard unit.kind == .text else { return .missing }
        let namespace: StaticString = "audience"
        let draw = Draw(
            namespace: UnsafeRawBufferPointer(start: namespace.utf8Start, count: namespace.utf8CodeUnitCount),
            salt: UnsafeRawBufferPointer(start: programBytes + Int(constants[0].offset), count: Int(constants[0].length)),
            unit: UnsafeRawBufferPointer(start: bytes + Int(unit.offset), count: Int(unit.length)))
        let bucket = UInt64(draw.bucket)
        return constants[1].first <= bucket && bucket < constants[1].second ? .yes : .no
    }
}

// MARK: Locales and versions

extension Decider {
    private static func includes(_ asked: UnsafePointer<Cell>, _ cell: UnsafePointer<Cell>) -> Bool {
        let want = asked.pointee.second, have = cell.pointee.second
        let script = want >> 32, region = want & 0xFFFF_FFFF
        return asked.pointee.first == cell.pointee.first && (script == 0 || script == have >> 32)
            && (region == 0 || region == have & 0xFFFF_FFFF)
    }

    @inline(__always)
    private func isInRange(_ cell: UnsafePointer<Cell>, _ constants: UnsafePointer<Cell>, _ ends: VersionEnds) -> Bool {
        if ends.contains(.lower) {
            let order = order(cell, constants)
            guard order > 0 || order == 0 && ends.contains(.withLower) else { return false }
        }
        if ends.contains(.upper) {
            let order = order(cell, constants + 1)
            guard order < 0 || order == 0 && ends.contains(.withUpper) else { return false }
        }
        return true
    }

    /// Below 0 if the install's version is lower.
    @inline(__always)
    private func order(_ cell: UnsafePointer<Cell>, _ constant: UnsafePointer<Cell>) -> Int {
        if cell.pointee.first != constant.pointee.first { return cell.pointee.first < constant.pointee.first ? -1 : 1 }
        if cell.pointee.second != constant.pointee.second { return cell.pointee.second < constant.pointee.second ? -1 : 1 }
        if cell.pointee.preReleaseLength == 0 || constant.pointee.preReleaseLength == 0 {
            // A release is above its own pre-releases.
            return (cell.pointee.preReleaseLength == 0 ? 1 : 0) - (constant.pointee.preReleaseLength == 0 ? 1 : 0)
        }
        return SemanticVersion.orderOfPreReleases(Self.preRelease(cell, bytes), Self.preRelease(constant, programBytes))
    }

    private static func preRelease(_ cell: UnsafePointer<Cell>, _ bytes: UnsafePointer<UInt8>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: bytes + Int(cell.pointee.offset) + Int(cell.pointee.preReleaseStart), count: Int(cell.pointee.preReleaseLength))
    }
}
