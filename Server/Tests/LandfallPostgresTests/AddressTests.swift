// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallPostgres
@testable import LandfallStore

@Suite("The URL of a PostgreSQL")
struct AddressTests {
    @Test(
        "The driver's own parameters are taken out; the rest is libpq's",
        arguments: [
            ("postgres://u:p@h/d", "postgres://u:p@h/d", true, 8),
            ("postgresql://h/d?prepare=off&sslmode=require&pool=3", "postgresql://h/d?sslmode=require", false, 3),
            ("postgres:///d?prepare=on&host=/tmp", "postgres:///d?host=/tmp", true, 8),
        ])
    func parameters(text: String, url: String, isPreparing: Bool, connections: Int) throws {
        let address = try PostgresAddress(text)

        #expect(address.url == url)
        #expect(address.isPreparing == isPreparing)
        #expect(address.connections == connections)
    }

    @Test(
        "Its name for people has no password",
        arguments: [
            ("postgres://u:se%40cret@h1:1,h2:2/d", "h1:1,h2:2/d"), ("postgres://h/d?password=secret", "h/d"),
            ("postgres://u:secret@[::1]:5432/d", "[::1]:5432/d"), ("postgres://u@/d?host=/tmp", "/d"),
            ("postgres:///d?host=/tmp", "/d"), ("postgres://u:s!e~c@h", "h"), ("postgres://u:1234@", ""),
        ])
    func name(text: String, name: String) throws {
        #expect(try PostgresAddress(text).name == name)
    }

    @Test(
        "Other texts are refused without repeating them",
        arguments: [
            "mysql://u:secret@h/d", "", "postgres://u:secret@h/d?prepare=maybe", "postgres://u:secret@h/d?pool=0",
            "postgres://u:my@secret@h/d", "postgres://u:a/secret@h/d", "postgres://u:a?secret@h/d", "postgres://u:secret%@h/d",
            "postgres://u:secret%00@h/d", "postgres://u:secret/d", "postgres://u:se[secret@h/d", "postgres://h/d?secret",
            "postgres://h/d?password=a@secret", "postgres://h/d?password=secret==", "postgres://h/d?password=secret%zz",
            "postgres://[h:secret/d", "postgres://u:a secret@h/d",
        ])
    func refused(text: String) throws {
        let error = #expect(throws: DatabaseError.self) { try PostgresAddress(text) }

        #expect(error?.description.contains("secret") == false)
    }

    @Test("Without the library the error names the package to install")
    func noLibrary() throws {
        let error = #expect(throws: DatabaseError.self) { try Libpq(["libnowhere.so.5"]) }

        #expect(error?.description.contains("apt-get install libpq5") == true)
        #expect(error?.description.contains("libnowhere.so.5") == true)
    }
}

@Suite("An SQLSTATE says what follows")
struct FailureTests {
    @Test(
        "Each class",
        arguments: [
            ("40001", PostgresFailure.Consequence.conflict, DatabaseError.retry("m, SQLSTATE 40001")),
            ("40P01", .conflict, .retry("m, SQLSTATE 40P01")), ("55P03", .conflict, .retry("m, SQLSTATE 55P03")),
            ("23505", .duplicate, .failed("m, SQLSTATE 23505")), ("53100", .final, .diskLow),
            ("53300", .lost, .retry("m, SQLSTATE 53300")),
            ("57P01", .lost, .retry("m, SQLSTATE 57P01")), ("08006", .lost, .retry("m, SQLSTATE 08006")),
            ("25006", .lost, .retry("m, SQLSTATE 25006")), ("57014", .final, .retry("m, SQLSTATE 57014")),
            ("58030", .lost, .diskFailing("m, SQLSTATE 58030")), ("XX001", .final, .damaged("m, SQLSTATE XX001")),
            ("42P01", .final, .failed("m, SQLSTATE 42P01")), ("0A000", .final, .failed("m, SQLSTATE 0A000")),
        ])
    func mapping(state: String, consequence: PostgresFailure.Consequence, error: DatabaseError) {
        let failure = PostgresFailure(state: state, message: "m")

        #expect(failure.consequence == consequence)
        #expect(failure.error == error)
    }

    @Test("A row whose part was made meanwhile is stored again; other broken conditions are final")
    func parted() {
        let parted = PostgresFailure(state: "23514", message: "new row for relation \"event_rest\" violates partition constraint")
        #expect(parted.consequence == .conflict)
        #expect(PostgresFailure(state: "23514", message: "new row for relation \"note\" violates check constraint \"c\"").consequence == .final)
    }

    @Test("A plan that no longer fits is prepared again")
    func stale() {
        #expect(PostgresFailure(state: "0A000", message: "cached plan must not change result type").consequence == .stale)
        #expect(PostgresFailure(state: "26000", message: "prepared statement \"s1\" does not exist").consequence == .stale)
    }

    @Test("A server that has become a standby is left")
    func standby() {
        let message = "cannot set transaction read-write mode during recovery"
        #expect(PostgresFailure(state: "0A000", message: message).consequence == .lost)
    }

    @Test("Messages that repeat values are left out", arguments: ["22P02", "22003", "P0001"])
    func values(state: String) {
        #expect(PostgresFailure(state: state, message: "invalid input: \"secret\"").error == .failed("SQLSTATE \(state)"))
    }
}

@Suite("The number of a lock")
struct LockKeyTests {
    @Test("It stays the same in every release and on every machine")
    func stable() {
        #expect(
            RowLock("install", ["app_id": .text("a"), "id": .integer(1)]).number
                == RowLock("install", ["id": .integer(1), "app_id": .text("a")]).number)
        #expect(RowLock("store", ["id": .text("self")]).number == Self.known)
    }

    private static let known: Int64 = 2_253_697_627_209_137_404

    @Test("It differs wherever the table, a column or a value differs")
    func different() {
        let locks = [
            RowLock("a", [:]), RowLock("ab", [:]), RowLock("a", ["b": .null]), RowLock("a", ["b": .text("")]),
            RowLock("a", ["b": .text("1")]), RowLock("a", ["b": .integer(1)]), RowLock("a", ["b": .integer(0)]),
            RowLock("a", ["b": .real(1)]), RowLock("a", ["b": .blob([])]), RowLock("a", ["b": .blob([49])]),
            RowLock("a", ["c": .text("1")]), RowLock("a", ["b": .text("1"), "c": .text("1")]),
            RowLock("a", ["bc": .text("11")]),
        ]

        #expect(Set(locks.map(\.number)).count == locks.count)
        #expect(RowLock.numbers([locks[1], locks[0], locks[1]]) == [locks[0].number, locks[1].number].sorted())
    }
}
