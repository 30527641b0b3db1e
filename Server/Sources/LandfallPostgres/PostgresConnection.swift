// SPDX-License-Identifier: Apache-2.0
import CPostgres
import Foundation
import LandfallStore

/// One connection in libpq's pipeline mode: statements that are known together travel together. Used by one thread at a time;
/// closes itself.
final class PostgresConnection {
    /// What is wanted of a statement's answer.
    enum Wish { case rows, count, tag, nothing }

    enum Answer {
        case rows([Row])
        case count(Int)
        /// What the engine says it did.
        case tag(String)
        case nothing

        var rows: [Row] { if case .rows(let rows) = self { rows } else { [] } }
        var count: Int { if case .count(let count) = self { count } else { 0 } }
    }

    let library: Libpq
    let handle: OpaquePointer
    /// Lets other threads end the running statement.
    private(set) lazy var canceller = StatementCanceller(library, handle)
    /// True if statements stay prepared, and so does what is set for the session.
    let isPreparing: Bool
    /// Differs after a crash of the server, and on another server.
    private(set) var incarnation: String?
    private var texts: [String: PreparedText] = [:]
    private var namedTexts = 0
    /// A pooler may give this connection another client's session: a name must never mean a text of theirs.
    private let nameBeginning = "l\(String(UInt64.random(in: .min ... .max), radix: 36))_"
    private var parameters = ParameterBytes()
    /// Flights whose answer nobody waits for: it is read with the next one's.
    private var unread = 0
    private var endsWhenLate = true
    /// True after a failure that leaves the connection in an unknown state.
    private(set) var isLost = false

    /// A program has a few hundred texts; one that makes texts from numbers would fill the server's memory.
    private static let mostTexts = 1_024
    private static let mostResults = 1_000_000

    /// - Throws: ``LandfallStore/DatabaseError/cannotConnect(server:reason:)``.
    init(_ address: PostgresAddress, library: Libpq, within limit: Duration) throws(DatabaseError) {
        self.library = library
        isPreparing = address.isPreparing
        // What stands in front of the URL holds where the URL says nothing.
        let pairs = [
            ("target_session_attrs", "primary"), ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("dbname", address.url), ("client_encoding", "UTF8"), ("fallback_application_name", "landfall"),
        ] + (address.role == .primary ? [] : [("target_session_attrs", address.role.rawValue)])
        guard let handle = Self.begin(pairs, library) else {
            throw .cannotConnect(server: address.name, reason: "out of memory")
        }
        self.handle = handle
        landfall_pg_drop_notices([library.functions], handle)
        // While it connects, the library tells the engine's code for an error only as part of its text.
        _ = library.functions.setErrorVerbosity(handle, Int32(landfall_pg_errors_verbose))
        let deadline = ContinuousClock.now + limit
        var state =
            Int(library.functions.status(handle)) == landfall_pg_connection_bad
            ? landfall_pg_polling_failed : landfall_pg_polling_writing
        while state != landfall_pg_polling_ok {
            let wanted = state == landfall_pg_polling_reading ? POLLIN : POLLOUT
            if state == landfall_pg_polling_failed || !isReady(for: wanted, until: deadline) {
                isLost = true
                guard state == landfall_pg_polling_failed else {
                    throw .cannotConnect(server: address.name, reason: "no answer within \(limit)", mayPass: true)
                }
                let reason = Self.reason(library, handle)
                throw .cannotConnect(
                    server: address.name, reason: reason,
                    mayPass: library.functions.connectionNeedsPassword(handle) == 0 && PostgresFailure.mayPass(connecting: reason))
            }
            state = Int(library.functions.connectPoll(handle))
        }
        _ = library.functions.setErrorVerbosity(handle, Int32(landfall_pg_errors_default))
        guard library.functions.serverVersion(handle) >= 140_000 else {
            throw .unsuitable("the server is older than PostgreSQL 14", remedy: "upgrade it, for example by pg_upgrade")
        }
        guard library.functions.setnonblocking(handle, 1) == 0, library.functions.enterPipelineMode(handle) == 1 else {
            throw .cannotConnect(server: address.name, reason: Self.reason(library, handle))
        }
        let facts: Row?
        do throws(PostgresFailure) {
            // For reads, see ``ask(_:within:)``. Writes name their own.
            let snapshots: [(Statement, Wish)] = isPreparing ? [(Self.snapshots, .nothing)] : []
            facts = try flight(snapshots + [(Self.facts, .rows)], within: limit).last?.rows.first
        } catch {
            throw error.error
        }
        // A pooler makes up a process of its own, and may give each transaction another session.
        if isPreparing, case .integer(let process)? = facts?["process"], process != library.functions.backendPID(handle) {
            throw .unsuitable("a pooler is in front of it", remedy: "add prepare=off to the URL")
        }
        incarnation = facts?.optionalText("incarnation")
    }

    /// The server forgets its statistics in a crash, and may then give a transaction's number again.
    private static let facts = Statement(
        "SELECT pg_backend_pid() AS process, CAST(stats_reset AS TEXT) AS incarnation FROM pg_stat_wal")
    private static let snapshots = Statement("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ")

    deinit { library.functions.finish(handle) }

    /// Sends the statements together and reads their answers.
    /// - Parameter endsWhenLate: false leaves the engine at work after the limit.
    /// - Returns: as many answers as statements.
    /// - Throws: the first failure; the statements after it did not run.
    func flight(
        _ statements: [(Statement, Wish)], within limit: Duration, endsWhenLate: Bool = true
    ) throws(PostgresFailure) -> [Answer] {
        self.endsWhenLate = endsWhenLate
        defer { self.endsWhenLate = true }
        let deadline = ContinuousClock.now + limit
        try send(statements.map(\.0), until: deadline)
        return try answers(statements, until: deadline)
    }

    /// The same without an end: up to ``endAsking(within:)``, all statements are one transaction, which the engine begins and ends
    /// by itself. BEGIN and COMMIT would take a third of the time of a keyed read. Only where ``isPreparing``.
    func ask(_ statements: [Statement], within limit: Duration) throws(PostgresFailure) -> [Answer] {
        let deadline = ContinuousClock.now + limit
        try send(statements, until: deadline, isAsking: true)
        return try answers(statements.map { ($0, .rows) }, until: deadline, isAsking: true)
    }

    func endAsking(within limit: Duration) throws(PostgresFailure) {
        try sync(until: .now + limit)
        unread += 1
    }

    /// Sends a statement whose answer nobody waits for.
    func throwAway(_ statement: Statement, within limit: Duration) throws(PostgresFailure) {
        try send([statement], until: .now + limit)
        unread += 1
    }

    /// Other statements may have changed what the prepared ones refer to.
    func forgetTexts(within limit: Duration) throws(PostgresFailure) {
        defer { texts = [:] }
        if isPreparing { _ = try flight([(Statement("DEALLOCATE ALL"), .nothing)], within: limit) }
    }

    /// Between two units: in a failed transaction the engine would refuse it, and whatever should follow.
    func forgetManyTexts(within limit: Duration) throws(PostgresFailure) {
        if texts.count > Self.mostTexts { try forgetTexts(within: limit) }
    }

    /// Nothing is sent any more.
    func abandon() { isLost = true }

    private func send(
        _ statements: [Statement], until deadline: ContinuousClock.Instant, isAsking: Bool = false
    ) throws(PostgresFailure) {
        let prepared = try prepare(statements, until: deadline, isAsking: isAsking)
        for (text, statement) in zip(prepared, statements) { try send(text, statement.values) }
        try sync(until: deadline, isAsking: isAsking)
    }

    /// Prepares those of the texts that are new to this connection, in one flight, and learns their types.
    private func prepare(
        _ statements: [Statement], until deadline: ContinuousClock.Instant, isAsking: Bool
    ) throws(PostgresFailure) -> [PreparedText] {
        let new = Set(statements.map(\.text)).filter { texts[$0] == nil }.map { text in
            namedTexts += isPreparing ? 1 : 0
            return PreparedText(text, name: isPreparing ? "\(nameBeginning)\(namedTexts)" : "")
        }
        // An unnamed statement is replaced by the next, so each is described at once.
        for text in new {
            guard library.functions.sendPrepare(handle, text.name, text.text, 0, nil) == 1,
                library.functions.sendDescribePrepared(handle, text.name) == 1
            else { throw lose(Self.reason(library, handle)) }
        }
        if !new.isEmpty {
            try sync(until: deadline, isAsking: isAsking)
            var described = 0
            try read(until: deadline, unended: isAsking ? 2 * new.count : nil) { result, place in
                guard place % 2 == 1, described < new.count else { return }
                new[described].learn(result, library)
                described += 1
            }
            for text in new { texts[text.text] = text }
        }
        var prepared: [PreparedText] = []
        for statement in statements { if let text = texts[statement.text] { prepared.append(text) } }
        return prepared
    }

    private func send(_ text: PreparedText, _ values: [SQLValue]) throws(PostgresFailure) {
        try parameters.set(values, as: text.types)
        let (count, lengths, formats) = (Int32(text.types.count), parameters.lengths, parameters.formats)
        let sent = parameters.withAddresses { addresses in
            isPreparing
                ? library.functions.sendQueryPrepared(handle, text.name, count, addresses, lengths, formats, 1)
                : library.functions.sendQueryParams(handle, text.text, count, text.types, addresses, lengths, formats, 1)
        }
        guard sent == 1 else { throw lose(Self.reason(library, handle)) }
    }

    /// - Parameter isAsking: the engine answers what it has, and the transaction goes on.
    private func sync(until deadline: ContinuousClock.Instant, isAsking: Bool = false) throws(PostgresFailure) {
        guard (isAsking ? library.functions.sendFlushRequest(handle) : library.functions.pipelineSync(handle)) == 1 else {
            throw lose(Self.reason(library, handle))
        }
        while true {
            switch library.functions.flush(handle) {
            case 0: return
            case 1:
                // The server may be unable to read until its own answers are read.
                guard isReady(for: POLLIN | POLLOUT, until: deadline) else { throw late() }
                guard library.functions.consumeInput(handle) == 1 else { throw lose(Self.reason(library, handle)) }
            default: throw lose(Self.reason(library, handle))
            }
        }
    }

    private func answers(
        _ statements: [(Statement, Wish)], until deadline: ContinuousClock.Instant, isAsking: Bool = false
    ) throws(PostgresFailure) -> [Answer] {
        var answers: [Answer] = []
        answers.reserveCapacity(statements.count)
        var refusal: DatabaseError?
        try read(until: deadline, unended: isAsking ? statements.count : nil) { result, place in
            guard place < statements.count else { return }
            switch statements[place].1 {
            case .nothing: answers.append(.nothing)
            case .tag: answers.append(.tag(String(cString: library.functions.cmdStatus(result))))
            case .count: answers.append(.count(Int(String(cString: library.functions.cmdTuples(result))) ?? 0))
            case .rows:
                do throws(DatabaseError) {
                    answers.append(
                        .rows(try texts[statements[place].0.text]?.rows(result, library, isFixed: isPreparing) ?? []))
                } catch {
                    refusal = refusal ?? error
                    answers.append(.rows([]))
                }
            }
        }
        if let refusal { throw .final(refusal) }
        guard answers.count == statements.count else { throw lose("a statement has no answer") }
        return answers
    }

    /// Reads up to the end of the flight that was sent last.
    /// - Parameters:
    ///   - unended: how many statements the flight has, if it has no end.
    ///   - each: gets the successful results, and the statement's place in that flight.
    private func read(
        until deadline: ContinuousClock.Instant, unended: Int? = nil, _ each: (_ result: OpaquePointer, _ place: Int) -> Void
    ) throws(PostgresFailure) {
        var failure: PostgresFailure?
        var place = 0
        while true {
            while library.functions.isBusy(handle) == 1 {
                guard isReady(for: POLLIN, until: deadline) else { throw late() }
                guard library.functions.consumeInput(handle) == 1 else { throw lose(Self.reason(library, handle)) }
            }
            guard let result = library.functions.getResult(handle) else {
                if Int(library.functions.status(handle)) == landfall_pg_connection_bad {
                    throw lose(Self.reason(library, handle), after: failure)
                }
                // The end of one statement's results.
                place += 1
                if unread == 0, place == unended {
                    if let failure { throw failure }
                    return
                }
                guard place <= Self.mostResults else { throw lose("the connection and its library disagree") }
                continue
            }
            defer { library.functions.clear(result) }
            switch Int(library.functions.resultStatus(result)) {
            case landfall_pg_pipeline_sync:
                if unread == 0 {
                    if let failure { throw failure }
                    return
                }
                // What ended a read, or undid a unit, needs no answer.
                (unread, place, failure) = (unread - 1, 0, nil)
            case landfall_pg_fatal_error: failure = failure ?? self.failure(result)
            case landfall_pg_command_ok, landfall_pg_tuples_ok: if unread == 0 { each(result, place) }
            default: break  // Aborted, because a statement before it failed.
            }
            if Int(library.functions.status(handle)) == landfall_pg_connection_bad {
                throw lose(Self.reason(library, handle), after: failure)
            }
        }
    }

    private func failure(_ result: OpaquePointer) -> PostgresFailure {
        guard let state = library.functions.resultErrorField(result, Int32(landfall_pg_diag_sqlstate)) else {
            return .lost("the connection ended")
        }
        let message = library.functions.resultErrorField(result, Int32(landfall_pg_diag_message_primary))
        return PostgresFailure(state: String(cString: state), message: message.map { String(cString: $0) } ?? "")
    }

    private func late() -> PostgresFailure {
        // The server would go on, and keep its locks.
        if endsWhenLate { canceller?.cancel() }
        return lose("no answer in time")
    }

    private func lose(_ reason: String, after failure: PostgresFailure? = nil) -> PostgresFailure {
        isLost = true
        return PostgresFailure(consequence: .lost, error: failure?.error ?? .retry(reason))
    }

    private func isReady(for events: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        var watched = pollfd(fd: library.functions.socket(handle), events: Int16(events), revents: 0)
        while true {
            let left = max(.zero, deadline - .now)
            let found = poll(&watched, 1, Int32(min(left / .milliseconds(1), 1_000_000).rounded(.up)))
            if found > 0 { return true }
            if found == 0, left == .zero { return false }
            if found < 0, errno != EINTR { return false }
        }
    }

    private static func begin(_ pairs: [(String, String)], _ library: Libpq) -> OpaquePointer? {
        let texts = (pairs.map(\.0) + pairs.map(\.1)).map { strdup($0) }
        defer { for text in texts { free(text) } }
        let pointers = texts.map { UnsafePointer($0) }
        return library.functions.connectStartParams(pointers[..<pairs.count] + [nil], pointers[pairs.count...] + [nil], 1)
    }

    /// libpq's own words name hosts, users and databases, and no password.
    private static func reason(_ library: Libpq, _ handle: OpaquePointer) -> String {
        String(cString: library.functions.errorMessage(handle)).split(whereSeparator: \.isNewline)
            .filter { !$0.hasPrefix("LOCATION:") }.joined(separator: " ")
    }
}
