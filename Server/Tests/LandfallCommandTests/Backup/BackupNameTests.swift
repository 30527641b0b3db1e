// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import Testing

@testable import LandfallCommand

@Suite("Backups in a folder or a bucket", .timeLimit(.minutes(1)))
struct BackupNameTests {
    /// Of a machine that has keys of buckets itself.
    static let withoutKeys = ["AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""]

    @Test("have the second at which they were begun as their name, in the order of bytes")
    func name() {
        let name = BackupName.text(Date(timeIntervalSince1970: 1_795_835_730))

        #expect(name == "landfall-20261128T031530Z.sqlite" && BackupName.isBackup(name))
    }

    @Test("The newest are kept, and files of other names are never among those to delete")
    func older() {
        let days = (1...4).map { "landfall-2026112\($0)T000000Z.sqlite" }
        let names = [days[2], "landfall.sqlite", days[0], "landfall-20261120T000000Z.sqlite.bak", days[3], "x/" + days[0], days[1]]

        #expect(BackupName.newest(names) == days[3])
        #expect(BackupName.older(names, keeping: 3) == [days[0]])
        #expect(BackupName.older(names, keeping: 3, and: days[0]) == [])
        #expect(BackupName.older(names, keeping: 9) == [] && BackupName.newest(["copy.sqlite"]) == nil)
    }

    @Test(
        "A command line that names no place, two, or another address ends with 64 and a sentence",
        arguments: [
            (["backup"], "Name a FILE, or a folder or bucket with --to."), (["backup", "a", "--to", "b"], "FILE and --to name two places."),
            (["backup", "a", "--keep", "2"], "--keep is a number from 1 on, and goes with --to."), (["backup", "--to", "b", "--keep", "0"], "--keep is a number from 1 on"),
            (["backup", "--to", "https://a.example"], "it has to be a folder, or s3://BUCKET/PREFIX."), (["restore"], "Name a FILE, or a folder or bucket with --from."),
            (["restore", "--from", "s3://A"], "it has to be a folder, or s3://BUCKET/PREFIX."),
            (["restore", "--from", "s3://bucket"], "A bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment."),
        ])
    func wrong(words: [String], sentence: String) async throws {
        let (status, output, errors) = try await RunningCommand(words + ["--data", "/nonexistent/landfall"], environment: Self.withoutKeys).completion()

        #expect(status == 64 && output.isEmpty)
        #expect(errors.contains(sentence), "\(errors)")
    }
}
