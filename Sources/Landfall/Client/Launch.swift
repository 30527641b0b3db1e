// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

final class Launch: Sendable {
    init(_ configuration: LandfallConfiguration) {}
    func start() {}
    func end() {}
    func shutdown() async {}
    var runningOperations: Int { 0 }
    func setFallback(_ data: Data) throws {}
    func enteredForeground() {}
    func networkPathChanged(isSatisfied: Bool) {}
    var collection: CollectionMode { get { .full } set {} }
    struct Wish { var placement: PlacementID; var kind: PaywallAnswer.AudienceKind; var locale: String?; var cache: CachePolicy }
    func paywall(_ wish: Wish, within: Duration) async throws -> PaywallResult { throw LandfallError(.notStarted) }
    func shown(_ result: PaywallResult) {}
    func profiles() -> AsyncStream<Profile> { AsyncStream { $0.finish() } }
    var profile: Profile? { nil }
    var attribution: Attribution { .pending(nextAnswerNotBefore: 0) }
    func identify(_ customerID: String, token: String?) async throws -> Profile { throw LandfallError(.notStarted) }
    func logOut() async throws -> Profile { throw LandfallError(.notStarted) }
    func setAttributes(_ changes: [String: AttributeValue?]) throws {}
    func report(_ claim: AttributionClaim) throws {}
    func makeKey() -> IdempotencyKey { IdempotencyKey("") }
}
