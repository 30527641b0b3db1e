// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire

@testable import Landfall

extension StoreTransaction {
    /// - Parameter seconds: when it was signed.
    static func bought(_ id: Int, signed seconds: Int = 0, bytes: Int = 0) -> StoreTransaction {
        StoreTransaction(
            id: "\(id)", jws: "h.\(id)-\(seconds)." + String(repeating: "s", count: max(1, bytes)),
            signedAt: Date(timeIntervalSince1970: 1_790_000_000 + Double(seconds)))
    }
}

/// The server's side: it stores each transaction once, and a later signature in its place.
final class PurchaseShop: Sendable {
    enum Fate { case fine, unreached, unanswered, busy }

    struct Books {
        /// By transaction, the newest signature.
        var signed: [String: Int] = [:]
        var credits: [String: Int] = [:]
        var reports: [PurchaseReport] = []
        var rejected: Set<String> = []
        var refusal: (@Sendable (PurchaseReport) -> ErrorCode?)?
        var person = WireProfile.anna()
        /// In place of `person`: what the server says by its books.
        var profile: (@Sendable (Books, Date) -> WireProfile)?
        /// Rises with each signature that is news.
        var version: Int64 = 1
        var fate: @Sendable () -> Fate = { .fine }
    }

    let books = Locked(Books())

    init(on phone: Phone) { serve(phone) }

    func serve(_ phone: Phone) {
        phone.server.on("POST", WirePath.purchases) { [self] request in
            let report = try WireCoding.decode(PurchaseReport.self, from: request.body ?? Data())
            let fate = books.withLock { $0.fate() }
            if fate == .unreached { throw TransportError(.timedOut) }
            if fate == .busy { return try .problem(503, .busy) }
            if let code = books.withLock({ $0.refusal?(report) }) { return try .problem(400, code) }
            let answer = books.withLock { books in
                books.reports.append(report)
                return PurchaseAnswer(results: report.transactions.map { books.take($0.jws) }, profile: books.said(at: phone.clock.date))
            }
            if fate == .unanswered { throw TransportError(.timedOut) }
            return try .json(answer)
        }
    }

    var reports: [PurchaseReport] { books.withLock { $0.reports } }
    var sizes: [Int] { reports.map(\.transactions.count) }
    var stored: [String: Int] { books.withLock { $0.signed } }
}

extension PurchaseShop.Books {
    func said(at time: Date) -> WireProfile { profile?(self, time) ?? person }

    /// From a phone, or by a notification of Apple's.
    @discardableResult
    mutating func take(_ jws: String) -> PurchaseAnswer.Result {
        let parts = jws.split(separator: ".")[1].split(separator: "-")
        let id = String(parts[0]), signed = Int(parts[1]) ?? 0
        if rejected.contains(id) { return .init(transactionId: id, status: .rejected, code: ErrorCode("purchase_forged")) }
        if let known = self.signed[id], known >= signed { return .init(transactionId: id, status: .duplicate) }
        if self.signed[id] == nil { credits[id, default: 0] += 1 }
        self.signed[id] = signed
        version += 1
        return .init(transactionId: id, status: .accepted)
    }
}

/// Draws the same numbers for the same seed.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
