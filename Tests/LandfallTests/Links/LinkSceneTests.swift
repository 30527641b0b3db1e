// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("Scenes, and taps that iOS delivers twice", .timeLimit(.minutes(1)))
struct LinkSceneTests {
    let phone = Phone()
    let left: SceneID = "left", right: SceneID = "right"

    init() throws { try phone.answersLinks() }

    @Test("A link goes to its own scene, even if another scene has waited longer")
    func ownScene() async throws {
        let client = await phone.startedLinkApp()
        let onLeft = Task { await client.nextLink(for: left) }
        await phone.settle()
        let onRight = Task { await client.nextLink(for: right) }
        await phone.settle()

        client.receive(.scheme("right"), scene: right)
        client.receive(.scheme("left"), scene: left)

        #expect(await onRight.value?.original == .scheme("right"))
        #expect(await onLeft.value?.original == .scheme("left"))
        await client.shutdown()
    }

    @Test("A link without a scene goes to the listener of all links, else to any listener")
    func noScene() async throws {
        let client = await phone.startedLinkApp()
        let onLeft = Task { await client.nextLink(for: left) }
        await phone.settle()
        let onAll = Task { await client.nextLink() }
        await phone.settle()

        client.receive(.scheme("one"))
        #expect(await onAll.value?.original == .scheme("one"))
        client.receive(.scheme("two"))
        #expect(await onLeft.value?.original == .scheme("two"))
        await client.shutdown()
    }

    @Test("The listener to all links gets links of scenes without a listener, and no others")
    func all() async throws {
        let client = await phone.startedLinkApp()
        let onAll = Task { await client.nextLink() }
        let onLeft = Task { await client.nextLink(for: left) }
        await phone.settle()
        client.receive(.scheme("first"), scene: left)
        #expect(await onLeft.value?.original == .scheme("first"))

        client.receive(.scheme("second"), scene: left)
        client.receive(.scheme("third"), scene: right)

        #expect(await onAll.value?.original == .scheme("third"), "The left scene is only busy with its first link.")
        #expect(await client.nextLink(for: left)?.original == .scheme("second"))
        await client.shutdown()
    }

    @Test("A link of a closed scene waits five seconds, then it goes to any listener")
    func goneScene() async throws {
        let first = phone.linkApp()
        first.receive(.scheme("left"), scene: left)
        await first.shutdown()
        await phone.outboxHolds("example://left")
        let client = phone.killed().linkApp()
        client.start()
        await client.waitForProfile()
        let onRight = Task { await client.nextLink(for: right) }
        await phone.settle()

        await phone.pass(.milliseconds(4_999))
        client.receive(.scheme("right"), scene: right)
        #expect(await onRight.value?.original == .scheme("right"))
        let again = Task { await client.nextLink(for: right) }
        await phone.pass(.milliseconds(1))

        #expect(await again.value?.original == .scheme("left"))
        await client.shutdown()
    }

    @Test("A listener that ends takes no link with it")
    func cancelled() async throws {
        let client = await phone.startedLinkApp()
        let leaving = Task { await client.nextLink(for: left) }
        await phone.settle()

        leaving.cancel()
        #expect(await leaving.value == nil)
        client.receive(.scheme("left"), scene: left)

        #expect(await client.nextLink(for: left)?.original == .scheme("left"))
        await client.shutdown()
    }

    @Test("Listeners end with the client")
    func shutdown() async throws {
        let client = await phone.startedLinkApp()
        let listening = Task { for await _ in client.links {} }
        await phone.settle()

        await client.shutdown()

        await listening.value
    }

    @Test(
        "One tap that two hooks deliver is one link and one click",
        arguments: [
            (SceneID?.none, SceneID?.none), ("left", nil), (nil, "left"), ("left", "left"),
        ] as [(SceneID?, SceneID?)])
    func twice(first: SceneID?, second: SceneID?) async throws {
        let client = phone.linkApp()
        client.receive(.short, scene: first)
        client.receive(.short, scene: second)
        client.start()
        let link = await client.nextLink()
        phone.clock.advance(by: .milliseconds(1_999))
        client.receive(.short, scene: second)
        client.receive(.scheme("end"))

        #expect(link?.scene == first ?? second)
        #expect(await client.nextLink()?.original == .scheme("end"))
        try await phone.eventually { try phone.recordedClicks().count == 2 }
        #expect(try phone.recordedClicks().values.count { $0 == URL.short.absoluteString } == 1)
        await client.shutdown()
    }

    @Test("While nothing has listened, a second hook delivers the same link, however late it is")
    func slowStart() async throws {
        let client = await phone.startedLinkApp()
        client.receive(.universal, scene: left)
        await phone.pass(.seconds(60))

        client.receive(.universal)
        client.receive(.scheme("end"), scene: left)

        #expect(await client.nextLink(for: left)?.original == .universal)
        #expect(await client.nextLink(for: left)?.original == .scheme("end"))
        await client.shutdown()
    }

    @Test("Two scenes, or two seconds after it was handed over, make two taps", arguments: [true, false])
    func twoTaps(areTwoScenes: Bool) async throws {
        let client = await phone.startedLinkApp()
        client.receive(.universal, scene: left)
        let first = await client.nextLink(for: left)
        phone.clock.advance(by: areTwoScenes ? .zero : .seconds(2))

        client.receive(.universal, scene: areTwoScenes ? right : left)

        let second = await client.nextLink(for: areTwoScenes ? right : left)
        #expect(first?.original == second?.original)
        #expect(first?.id != second?.id)
        try await phone.eventually { try phone.recordedClicks().count == 2 }
        await client.shutdown()
    }

    @Test("Hooks on several threads at once make one tap")
    func threads() async throws {
        let client = await phone.startedLinkApp()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { client.receive(.universal, scene: left) } }
        }
        client.receive(.scheme("end"), scene: left)

        #expect(await client.nextLink(for: left)?.original == .universal)
        #expect(await client.nextLink(for: left)?.original == .scheme("end"))
        await client.shutdown()
    }
}
