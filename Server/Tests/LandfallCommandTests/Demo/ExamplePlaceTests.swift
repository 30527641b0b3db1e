// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallCommand

@Suite("The example configuration is found")
struct ExamplePlaceTests {
    /// - Parameter body: gets a folder with these files in it.
    private func having(_ files: String..., body: (URL) throws -> Void) throws {
        // Without symbolic links, as the program's own place is.
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appending(path: "landfall-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for file in files {
            let place = folder.appending(path: file)
            try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: place)
        }
        try body(folder)
    }

    @Test(
        "below the working directory or the program's folders, beside the program of an archive, and where a package puts it",
        arguments: [
            ("here/Examples/SelfHost/landfall.yaml", "bin/landfall"), ("Examples/SelfHost/landfall.yaml", "Server/.build/release/landfall"),
            ("bin/landfall.yaml", "bin/landfall"), ("usr/share/doc/landfall/examples/landfall.yaml", "usr/bin/landfall"),
        ])
    func found(file: String, program: String) throws {
        try having(file, program, "here/other") { folder in
            let path = try ExampleConfiguration.path(
                given: nil, executable: folder.appending(path: program), directory: folder.appending(path: "here").path)
            #expect(path == folder.appending(path: file).path)
        }
    }

    @Test("A named one wins, and without any the error says what to do")
    func named() throws {
        try having("bin/landfall.yaml", "bin/landfall") { folder in
            let program = folder.appending(path: "bin/landfall")
            let named = try ExampleConfiguration.path(given: "mine.yaml", executable: program)
            #expect(named == "mine.yaml")
            #expect(throws: ConfigurationMissing.self) {
                try ExampleConfiguration.path(given: nil, executable: folder.appending(path: "other/landfall"), directory: folder.path)
            }
        }
    }
}
