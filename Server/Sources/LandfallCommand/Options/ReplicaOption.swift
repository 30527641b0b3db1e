// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LandfallPostgres

/// `--replica`, beside `--database`.
struct ReplicaOption: ParsableArguments {
    @Option(
        help: "A standby of --database, for reports, results and samples: postgres://USER@HOST:PORT/DB; of several hosts, one that is in recovery (LANDFALL_REPLICA; none)."
    )
    var replica: String?

    /// The command line wins over the environment.
    /// - Throws: a sentence for a URL that cannot be read, or for a store that has no replica.
    func address(_ environment: FlagEnvironment = FlagEnvironment(), of place: StorePlace) throws -> PostgresAddress? {
        guard let text = replica ?? environment.text("replica") else { return nil }
        guard case .postgres = place else {
            throw ValidationError("--replica is for a store in PostgreSQL. Name it in --database postgres://USER@HOST:PORT/DB, or leave --replica out.")
        }
        guard case .postgres(let address) = try StorePlace(url: text, of: "replica") else {
            throw ValidationError("--replica is postgres://USER@HOST:PORT/DB.")
        }
        return address
    }
}
