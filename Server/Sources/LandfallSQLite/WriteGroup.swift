// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// One SQLite transaction with the units of several callers.
final class WriteGroup {
    private let connection: SQLiteConnection
    private let changesBefore: Int32
    /// Units that have begun and have no answer yet.
    private var open: [any PendingWrite] = []
    /// How many of them, at the end, are appends that share a savepoint. 0: there is no savepoint.
    private var appended = 0
    private(set) var count = 0

    init(on connection: SQLiteConnection) throws {
        self.connection = connection
        changesBefore = connection.changeCount
        try connection.run(Self.begin)
    }

    /// A failed unit changes nothing, its caller gets the error, and the group continues.
    /// - Throws: if the whole transaction has ended.
    func perform(_ unit: any PendingWrite) throws {
        count += 1
        guard unit.begin() else { return }
        open.append(unit)
        if unit.isAppend {
            try append(unit)
        } else {
            try endAppends()
            try performAlone(unit)
        }
    }

    /// - Returns: how many units are on disk now, and whether they changed anything.
    func commit() throws -> (units: Int, isChange: Bool) {
        try endAppends()
        try connection.run(Self.commit)
        return (open.count, connection.changeCount != changesBefore)
    }

    /// Tells observers what the committed units have changed, and gives them their answers.
    func resume(_ observers: StoreObservers) {
        observers.tell(.changed(connection.takeTold()))
        for unit in open { unit.resume() }
    }

    /// Undoes everything. Each unit without an answer gets this one.
    func end(_ answer: DatabaseError) {
        if connection.isInsideTransaction { _ = try? connection.run("ROLLBACK") }
        connection.forgetTold(after: 0)
        for unit in open { unit.fail(answer) }
    }

    /// Appends hardly ever fail, so those of many callers share a savepoint; if one fails, each is tried alone.
    private func append(_ unit: any PendingWrite) throws {
        if appended == 0 { try connection.run(Self.savepoint) }
        appended += 1
        do {
            try unit.perform(connection)
        } catch {
            guard connection.isInsideTransaction else { throw error }
            try connection.run("ROLLBACK TO SAVEPOINT unit")
            try connection.run(Self.release)
            let again = open.suffix(appended)
            appended = 0
            for one in again { try performAlone(one) }
        }
    }

    private func endAppends() throws {
        guard appended > 0 else { return }
        appended = 0
        try connection.run(Self.release)
    }

    private func performAlone(_ unit: any PendingWrite) throws {
        try connection.run(Self.savepoint)
        let told = connection.toldCount
        do {
            try unit.perform(connection)
        } catch {
            guard connection.isInsideTransaction else { throw error }
            try connection.run("ROLLBACK TO SAVEPOINT unit")
            connection.forgetTold(after: told)
            open.removeAll { $0 === unit }
            unit.fail(error)
        }
        try connection.run(Self.release)
    }

    // Literals of 16 bytes or more stay at one address, see ``PreparedTexts``.
    private static let begin = Statement("BEGIN IMMEDIATE TRANSACTION")
    private static let commit = Statement("COMMIT TRANSACTION")
    private static let savepoint = Statement("SAVEPOINT unit /* of a caller */")
    private static let release = Statement("RELEASE SAVEPOINT unit")
}
