// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Synchronization

/// One launch of the app on one phone, from start to kill. The SDK in it is the real one.
final class PhoneLaunch: Sendable {
    struct Plan: Sendable {
        /// The states of the network, each with the time at which it begins; the first begins with the launch.
        var conditions: [(from: Duration, LinkCondition)] = [(.zero, .best)]
        var tokens = PhoneTokens.Manner.works
        var tokenDelay = Duration.milliseconds(100)
        var suspension: (from: Duration, until: Duration)?
        /// The device has not been unlocked until then.
        var lockedUntil = Duration.zero
        /// The time in which nothing can be written.
        var diskIsFull: ClosedRange<Duration>?
        /// Somebody sets the calendar.
        var calendarJump: (at: Duration, to: Duration)?
        var hasFallback = true
        var prepares = true
        var length = Duration.seconds(10)
    }

    struct Record: Sendable {
        var opens: [PaywallOpen] = []
        /// The first paywall that was shown: among those for everyone, and among the others.
        var shown: [Bool: PaywallResult] = [:]
        var counted: Set<PaywallResult> = []
        var lastProfile: Profile?
        var isPersonChanged = false
        /// The epoch of the last profile that a call was seen with.
        var epoch: Int64?
        /// When something was last accepted that changes the profile.
        var changedAt: Duration?
        /// Since when somebody waits for links.
        var linksAwaitedAt: Duration?
        var linkCalls: [LinkCall] = []
        /// When each link of this launch was tapped.
        var taps: [String: Duration] = [:]
        var campaignTaps: [CampaignCall.Tap] = []
        var campaignCalls: [CampaignCall] = []
        /// The last one of this launch.
        var plan: PlanChange?
        var planCalls = 0
        /// What this launch has done with links.
        var used: Set<String> = []
        var heardLinks: Set<String> = []
        var heardTexts: Set<String> = []
        /// Links that were handed over after they had been tapped in this launch.
        var heardSinceTap: Set<String> = []
        /// The number of the last link that was handed over.
        var lastLinks: [LinkOrder: Int] = [:]
        /// What the SDK may collect, as far as that is certain.
        var mode: Mode?
        var killedAt: Duration?
        var isKilled = false
    }

    let phone: VirtualPhone
    let plan: Plan
    let number: Int
    let name: String
    let startedAt: Duration
    let clock: PhoneClock
    let transport: VirtualTransport
    let client: LandfallClient
    let record = Mutex(Record())
    let disk: PhoneDisk
    private let keychain: MemoryDeviceIDs
    private let world: VirtualWorld

    init(_ phone: VirtualPhone, _ plan: Plan, _ world: VirtualWorld) {
        self.phone = phone
        self.plan = plan
        self.world = world
        let trace = world.trace
        let clock = PhoneClock(world.clock)
        let start = clock.elapsed
        let memory = phone.memory.withLock { memory in
            memory.launches += 1
            return memory
        }
        number = memory.launches
        startedAt = start
        self.clock = clock
        clock.setCalendar(aheadBy: memory.calendarIsAhead)
        disk = PhoneDisk(memory.files)
        keychain = MemoryDeviceIDs(memory.keychain)
        let conditions = plan.conditions
        let label = "\(phone.name).\(memory.launches)"
        name = label
        transport = VirtualTransport(label, clock, world.server, trace, phone.dice.split()) {
            conditions.last { start + $0.from <= clock.elapsed }?.1 ?? .best
        }
        var configuration = LandfallConfiguration(
            sdkKey: "pk_demo", server: Self.address, preparing: plan.prepares ? ["onboarding"] : []
        )
        configuration.transport = transport
        configuration.storage = disk
        configuration.deviceIDs = keychain
        configuration.adTokens = PhoneTokens(plan.tokens, clock, delay: plan.tokenDelay) { phone.makeToken() }
        configuration.time = LandfallTime(clock, date: { clock.date })
        let dice = phone.dice.split()
        configuration.randomBytes = { dice.bytes($0) }
        configuration.device = Self.device
        configuration.fallback = plan.hasFallback ? Self.fallback : nil
        configuration.links = Self.links
        configuration.transactions = phone.shop?.transactions
        configuration.log = { line in if line.level >= .warning { trace.say("\(label): \(line)") } }
        client = LandfallClient(configuration)
    }

    /// Every file and the keychain, as a kill at this instant leaves them; the client is dead from here on.
    func kill() async {
        world.trace.say("\(name): killed")
        noteMode()
        record.withLock { record in
            record.isKilled = true
            record.killedAt = clock.elapsed
        }
        transport.kill()
        phone.memory.withLock { memory in
            memory.files = disk.files
            let install = disk.files[.install].flatMap { try? JSONDecoder().decode(InstallName.self, from: $0) }?.id
            if let install { memory.installs.insert(install) }
            // Killed before it could see that its files were copied to another phone: the copy belongs to an installation that has ended.
            let isEnded = install.map { memory.endedInstalls.contains($0) } ?? true
            memory.promises.experiments.leaves(disk.files[.experiments], of: isEnded ? nil : install)
            memory.keychain = keychain.id
        }
        await client.shutdown()
    }

    private struct InstallName: Decodable { let id: String }

    func appleSettledAt(_ token: String) -> Duration? { world.apple.settledAt(token) }

    /// What a link's page handed over.
    var handover: LinkHandover? { world.handover }

    /// When the server last lost its store.
    var wipedAt: Duration? { world.wipedAt }

    /// The server has lost its store in this launch.
    var isStoreNew: Bool { wipedAt.map { $0 >= startedAt } ?? false }

    func isServerDisturbed(_ from: Duration, _ until: Duration) -> Bool { world.isServerDisturbed(from, until) }

    func lock(_ isLocked: Bool) {
        disk.isLocked = isLocked
        keychain.isLocked = isLocked
    }

    /// The person sets the calendar while this launch lives.
    func setCalendar(aheadBy duration: Duration) {
        guard !record.withLock(\.isKilled) else { return }
        phone.memory.withLock { memory in
            memory.calendarIsAhead = duration
            memory.promises.links.calendarChanged()
        }
        clock.setCalendar(aheadBy: duration)
    }

    private static let address = URL(string: "https://api.example.com") ?? URL(filePath: "/")

    private static let links = LinkRules(
        domains: LinkDomains(brand: ["brandname.go.link"], universal: ["example.com"], schemes: ["example"]),
        longPaths: ["/summer-clothes"], wrapperHosts: [WrapperHost.name]
    )

    private static let device: Landfall.DeviceFacts = {
        var facts = Landfall.DeviceFacts()
        facts.appVersion = "1.0.0"
        facts.locale = "en-US"
        facts.platform = "ios"
        return facts
    }()

    private static let fallback = Data(
        #"{"format":1,"revision":1,"paywalls":{"onboarding":{"audience":"everyone","paywall":{"name":"default","variationId":"default","productIds":["bundled"]}}}}"#
            .utf8)
}
