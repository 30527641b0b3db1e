// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallSimulator

/// Writes notifications as the App Store would post them, and the root that signed them.
struct SignedNotificationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signed-notifications",
        abstract: "Writes notifications of simulated subscriptions, one body a line. For Benchmarks/run --only notifications.")

    @Argument(help: "An existing folder: it gets root.pem and notifications.") var folder: String
    @Option(help: "How many notifications.") var count = 6_000

    /// A year of a subscription by the month, which is over by now.
    private static let product = "sim.renewals=12", ageMs: Int64 = 400 * 86_400_000

    func run() throws {
        let folder = URL(fileURLWithPath: folder), chain = try SigningChain(), signer = JWSSigner(chain)
        try Data(chain.root.pem.utf8).write(to: folder.appendingPathComponent("root.pem"))
        let path = folder.appendingPathComponent("notifications")
        try Data().write(to: path)
        let file = try FileHandle(forWritingTo: path)
        defer { try? file.close() }
        let start = Int64(Date().timeIntervalSince1970 * 1_000) - Self.ageMs
        var written = 0, seed: UInt64 = 0
        while written < count {
            let life = try PurchaseLife(SimulatedPurchase(productId: Self.product), seed: seed, start: start)
            for event in life.events where written < count {
                guard let body = try life.post(event, signer: signer) else { continue }
                try file.write(contentsOf: body + Data("\n".utf8))
                written += 1
            }
            seed += 1
        }
    }
}
