// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LandfallSQLite

/// `--data`, for the commands that work in the folder of a store.
struct FolderOption: ParsableArguments {
    @Option(help: "The folder of the store (LANDFALL_DATA; landfall-data).")
    var data: String?

    func folder(_ environment: FlagEnvironment = FlagEnvironment()) -> StoreFolder {
        StoreFolder(data ?? environment.text("data") ?? StoreFolder.usual)
    }
}
