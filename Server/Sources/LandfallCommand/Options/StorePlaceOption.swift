// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LandfallPostgres
import LandfallSQLite

/// Where a store is.
enum StorePlace {
    case folder(StoreFolder)
    case postgres(PostgresAddress)

    /// - Parameter option: that has the URL, for the error.
    /// - Throws: a sentence for a URL that cannot be read.
    init(url text: String, of option: String) throws {
        if let path = text.wholeMatch(of: /sqlite:(.+)/)?.output.1 {
            self = .folder(StoreFolder(String(path)))
        } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            self = .postgres(try PostgresAddress(text))
        } else {
            throw ValidationError("--\(option) is postgres://USER@HOST:PORT/DB, or sqlite:DIR for a folder.")
        }
    }
}

/// `--data` or `--database`, for the commands that work on a store of either engine.
struct StorePlaceOption: ParsableArguments {
    @OptionGroup var folder: FolderOption

    @Option(
        help: "The store's database instead of a folder: postgres://USER@HOST:PORT/DB, or sqlite:DIR (LANDFALL_DATABASE, which process lists do not show)."
    )
    var database: String?

    /// True if the command line names a store.
    var isGiven: Bool { folder.data != nil || database != nil }

    /// The command line wins over the environment.
    /// - Throws: a sentence for two places at once, or for a URL that cannot be read.
    func place(_ environment: FlagEnvironment = FlagEnvironment()) throws -> StorePlace {
        if folder.data != nil, database != nil { throw ValidationError("--data and --database name two stores. Use one of them.") }
        if folder.data != nil { return .folder(folder.folder(environment)) }
        guard let text = database ?? environment.text("database") else { return .folder(folder.folder(environment)) }
        if database == nil, environment.text("data") != nil {
            throw ValidationError("LANDFALL_DATA and LANDFALL_DATABASE name two stores. Unset one of them.")
        }
        return try StorePlace(url: text, of: "database")
    }
}
