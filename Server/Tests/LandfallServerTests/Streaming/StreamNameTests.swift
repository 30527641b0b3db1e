// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallServer

@Suite("Names of a stream's files", .timeLimit(.minutes(1)))
struct StreamNameTests {
    private static func file(_ began: Int64, _ number: Int64, _ kind: StreamFile.Kind = .segment, store: String = "3f9c01ab") -> StreamFile {
        StreamFile(StreamGeneration(store: store, beganAtMs: began), number, kind)
    }

    @Test(
        "are read as they were written",
        arguments: [
            (file(1_796_050_862_123, 7), "stream-3f9c01ab-1796050862123/0000000007.segment"),
            (file(5, 0, .copy(atMs: 9)), "stream-3f9c01ab-0000000000005/0000000000-0000000000009.sqlite"),
        ] as [(StreamFile, String)])
    func names(file: StreamFile, name: String) {
        #expect(file.name == name && StreamFile(name) == file)
    }

    @Test(
        "and no others are",
        arguments: [
            "", "landfall-20261128T031500Z.sqlite", "stream-3f9c01ab-1796050862123", "stream-3f9c01ab-1796050862123/7.segment",
            "stream-3F9C01AB-1796050862123/0000000007.segment", "stream-3f9c01ab-1796050862123/0000000007.segment.5.part",
            "stream-3f9c01ab-1796050862123/0000000007.sqlite", "a/stream-3f9c01ab-1796050862123/0000000007.segment",
        ])
    func others(name: String) { #expect(StreamFile(name) == nil) }

    @Test("The newest whole copies stay with all later segments; older ones go, of this store's stream only")
    func superfluous() {
        let own = Self.file(30, 0).generation
        let old = [Self.file(10, 0, .copy(atMs: 10)), Self.file(10, 1), Self.file(15, 1), Self.file(20, 0, .copy(atMs: 20)), Self.file(20, 4), Self.file(20, 5)]
        let kept = [
            Self.file(20, 5, .copy(atMs: 25)), Self.file(20, 6), Self.file(30, 0, .copy(atMs: 30)), Self.file(30, 1), Self.file(40, 1),
            Self.file(5, 1, store: "00000000"),
        ]
        // A start that never came to a whole copy.
        let useless = [Self.file(25, 1)]

        let listing = StreamListing(old + kept + useless)

        #expect(Set(listing.superfluous(keeping: 2, own: own)) == Set(old + useless))
        #expect(listing.copies.map(\.number) == [0, 5, 0, 0] && listing.newestSegment(of: own) == 1)
        #expect(listing.stores.count == 2 && listing.newestMs == 40)
    }

    @Test("Nothing is superfluous before there are as many whole copies as stay")
    func few() {
        let files = [Self.file(10, 1), Self.file(20, 0, .copy(atMs: 20)), Self.file(20, 1)]
        #expect(StreamListing(files).superfluous(keeping: 2, own: files[1].generation).isEmpty)
    }
}
