// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// Draws installs of an app at random, by keyed reads alone: how long it takes depends on the sample, hardly on the store.
///
/// Ids grow with time, so installs stand close together in busy weeks, and far from the rest where a phone's clock is wrong. Windows
/// of one width are laid at random over all ids, and everything in a window is taken: then each install is as likely as any other,
/// wherever it stands. First the widest gaps between ids are found and left out; then a width is tried until a few windows have
/// something.
struct InstallSampling<Numbers: RandomNumberGenerator & Sendable>: Sendable {
    /// A fuller window is cut.
    static var mostInWindow: Int { 256 }
    private static var trials: Int { 256 }

    let app: AppID
    var numbers: Numbers

    /// - Parameter most: how many are wanted; all where there are fewer.
    /// - Returns: their ids, about as many as wanted, in no order.
    mutating func draw(_ most: Int, from connection: any ReadConnection) throws -> [InstallID] {
        let first = try ids(from: IDNumber(.min), to: IDNumber(.max), limit: most + 1, connection)
        guard first.count > most, let lowest = first.first.flatMap({ IDNumber($0.rawValue) }),
            let highest = try edge(Self.highestText, IDNumber(.max), connection)
        else { return first }

        var line = IDLine(from: lowest.value, through: highest.value)
        for _ in 0..<Self.trials { try leaveOutGap(of: &line, connection) }
        let width = try width(on: line, connection)
        var found: Set<InstallID> = []
        // Twice as many windows as installs would do on average.
        var left = most * 8
        while found.count < most, left > 0 {
            left -= 1
            found.formUnion(try window(width, on: line, connection))
        }
        return Array(found.prefix(most))
    }

    /// Between two neighbours is nobody, so nobody is missed there. A random place finds wide gaps first.
    private mutating func leaveOutGap(of line: inout IDLine, _ connection: any ReadConnection) throws {
        guard line.length > 1 else { return }
        let place = IDNumber(line.value(at: .random(in: 0..<line.length, using: &numbers)))
        guard let before = try edge(Self.highestText, place, connection), let after = try edge(Self.lowestText, place, connection),
            after.value > before.value + 1
        else { return }
        line.leaveOut(from: before.value + 1, through: after.value - 1)
    }

    /// Of a window that has about half an install on average: the fewer, the less do neighbours come together.
    private mutating func width(on line: IDLine, _ connection: any ReadConnection) throws -> UInt128 {
        // So narrow that even among a billion installs most windows are empty.
        var width = max(1, line.length >> 32)
        while width < line.length / 4 {
            var count = 0
            for _ in 0..<Self.trials { count += try window(width, on: line, connection).count }
            if count >= Self.trials / 4 { return max(1, width / UInt128(max(1, count * 2 / Self.trials))) }
            width *= 4
        }
        return width
    }

    /// The installs of a random window. One that goes over the end of the line goes on at its beginning.
    private mutating func window(_ width: UInt128, on line: IDLine, _ connection: any ReadConnection) throws -> [InstallID] {
        let start = UInt128.random(in: 0..<line.length, using: &numbers)
        let end = min(start + (width - 1), line.length - 1)
        let found = try ids(
            from: IDNumber(line.value(at: start)), to: IDNumber(line.value(at: end)), limit: Self.mostInWindow, connection)
        let rest = width - (end - start + 1)
        guard rest > 0 else { return found }
        return try found
            + ids(
                from: IDNumber(line.value(at: 0)), to: IDNumber(line.value(at: min(rest, line.length) - 1)),
                limit: Self.mostInWindow, connection)
    }

    private func ids(from: IDNumber, to: IDNumber, limit: Int, _ connection: any ReadConnection) throws -> [InstallID] {
        try connection.rows(
            """
            SELECT install_id FROM install WHERE app_id = $1 AND install_id >= $2 AND install_id <= $3
            ORDER BY install_id LIMIT $4
            """, [.text(app.rawValue), .text(from.text), .text(to.text), .integer(Int64(limit))]
        ).map { InstallID(try $0.text(0)) }
    }

    private func edge(_ text: String, _ place: IDNumber, _ connection: any ReadConnection) throws -> IDNumber? {
        try connection.row(text, [.text(app.rawValue), .text(place.text)])?.optionalText("edge").flatMap(IDNumber.init)
    }

    private static var highestText: String {
        "SELECT MAX(install_id) AS edge FROM install WHERE app_id = $1 AND install_id <= $2"
    }
    private static var lowestText: String {
        "SELECT MIN(install_id) AS edge FROM install WHERE app_id = $1 AND install_id >= $2"
    }
}

/// The ids from the lowest to the highest as one line, without the gaps that were found.
struct IDLine: Hashable, Sendable {
    private struct Piece: Hashable, Sendable {
        var first: UInt128
        var length: UInt128
    }

    private var pieces: [Piece]
    private(set) var length: UInt128

    init(from lowest: UInt128, through highest: UInt128) {
        // All values of the type are one too many to count; the last one is no id of anybody's.
        length = highest == .max && lowest == .min ? .max : highest - lowest + 1
        pieces = [Piece(first: lowest, length: length)]
    }

    /// What is at a place of the line, from 0.
    func value(at place: UInt128) -> UInt128 {
        var rest = place
        for piece in pieces {
            if rest < piece.length { return piece.first + rest }
            rest -= piece.length
        }
        return pieces.last.map { $0.first + $0.length - 1 } ?? 0
    }

    /// - Parameter first: within one piece, as is `last`.
    mutating func leaveOut(from first: UInt128, through last: UInt128) {
        guard let index = pieces.lastIndex(where: { $0.first <= first }) else { return }
        let piece = pieces[index]
        let end = piece.first + (piece.length - 1)
        guard last >= first, last <= end else { return }
        let parts = [
            Piece(first: piece.first, length: first - piece.first), last < end ? Piece(first: last + 1, length: end - last) : nil,
        ].compactMap(\.self).filter { $0.length > 0 }
        pieces.replaceSubrange(index...index, with: parts)
        length -= last - first + 1
    }
}

/// An id as a number: ids stand in the order of their numbers.
struct IDNumber: Hashable, Sendable {
    let value: UInt128

    init(_ value: UInt128) { self.value = value }

    /// Nil for a text that is no UUID.
    init?(_ text: String) {
        guard text.isLowerCaseUUID, let value = UInt128(text.replacing("-", with: ""), radix: 16) else { return nil }
        self.value = value
    }

    var text: String {
        let digits = String(value, radix: 16)
        var rest = (String(repeating: "0", count: 32 - digits.count) + digits)[...]
        let parts = [8, 4, 4, 4, 12].map { length in
            defer { rest = rest.dropFirst(length) }
            return rest.prefix(length)
        }
        return parts.joined(separator: "-")
    }
}
