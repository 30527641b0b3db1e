// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import LandfallWire

@testable import LandfallRules
@testable import LandfallServer

extension StoreLife {
    /// An experiment that changes its weights, a unit that is drawn, brought, overridden, decided and shown.
    static func experiments(_ store: TestStore) async throws {
        let now = TestStore.noon, app = TestStore.app
        let yaml = ExperimentServer.yaml().replacing("id: example,", with: "id: com.example.app,")
        let overriding = ExperimentServer.yaml(more: "overrides: { \(Credential.omarsPhone.installID): B }")
            .replacing("id: example,", with: "id: com.example.app,")
        let changed = yaml.replacing("A: { weight: 50", with: "A: { weight: 10")
        let versions = ConfigurationStore(store.database)
        for text in [yaml, changed, overriding] {
            let configuration = try Configuration(yaml: text)
            guard case .newest(let number) = try await versions.publishFile(text, as: configuration, isOwner: true, nowMs: now)
            else { continue }
            let snapshot = try await versions.snapshot(configuration, number)
            var opening = Opening(device: DeviceFacts(), adToken: .none(.noToken))
            opening.enrolling = Enrollment(snapshot: snapshot, placements: ["home"])
            for phone in [Credential.mayasPhone, .omarsPhone] {
                _ = try await store.installs.open(app, phone, opening, nowMs: now)
                let assignment = try await store.installs.enrol(app, phone, Enrollment(snapshot: snapshot, placements: ["home"]), nowMs: now)
                    .assignments?.first?.wire
                for (type, origin) in [(Event.Kind.paywallDecided, nil), (.paywallShown, "bundled")] as [(Event.Kind, String?)] {
                    var event = Event(id: UUIDv7.make(nowMs: now), type: type, ageMilliseconds: 5)
                    event.assignment = assignment
                    event.placement = "home"
                    event.origin = origin
                    _ = try await store.events.record(EventBatch(events: [event]), app, phone, by: snapshot, nowMs: now)
                }
            }
            // A unit that only its phone knows.
            let tablet = Credential.phone("0199b0a0-0000-7000-8000-00000000000a", secret: 10)
            var event = Event(id: UUIDv7.make(nowMs: now), type: .paywallShown, ageMilliseconds: 5)
            let draw = Draw(namespace: "experiment", salt: "spring-price#1", unit: tablet.installID.rawValue)
            event.assignment = Assignment(
                experiment: "spring-price", epoch: 1, variation: draw.bucket < 500_000 ? "A" : "B", bucket: Int64(draw.bucket))
            _ = try await store.events.record(EventBatch(events: [event]), app, tablet, by: snapshot, nowMs: now)
        }
    }
}
