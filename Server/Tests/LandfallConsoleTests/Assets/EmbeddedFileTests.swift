// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallConsole

@Suite("Embedded files")
struct EmbeddedFileTests {
    @Test("Each has the bytes of its file in the tree")
    func bytes() throws {
        let assets = CatalogueSource.folder.appending(path: "Assets")
        let description = CatalogueSource.folder.appending(path: "../../../docs/openapi.yaml").standardizedFileURL
        let embedded =
            [("console.css", EmbeddedFile.style), ("console.js", EmbeddedFile.script), ("icon.svg", EmbeddedFile.icon)]
            + EmbeddedFile.catalogues.map { ("\($0.tag).po", $0.file) }

        for (name, bytes) in embedded { #expect(try Array(Data(contentsOf: assets.appending(path: name))) == bytes, "\(name)") }
        #expect(try Array(Data(contentsOf: description)) == EmbeddedFile.apiDescription)
    }
}
