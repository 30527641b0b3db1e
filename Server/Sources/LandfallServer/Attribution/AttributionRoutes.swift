// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallWire

/// `POST /v1/attribution`: attribution from another provider; stored as unverified.
struct AttributionRoutes: Sendable {
    let installs: any InstallStore
    let answers: PhoneAnswers

    @Sendable func claim(_ request: Request, context: AppContext) async throws -> Answer<ProfileAnswer> {
        let claim = try await request.decoded(as: AttributionClaim.self, upTo: ProfileRoutes.bodyLimit).checked()
        return try await answers.changing(context) { caller, credential, nowMs in
            try await installs.record(caller.app, credential, claim, nowMs: nowMs)
        }
    }
}

extension AttributionClaim {
    /// - Throws: `reserved_source`, `invalid_value`.
    fileprivate func checked() throws -> AttributionClaim {
        let name = source.rawValue.lowercased()
        guard !AttributionSource.reserved.contains(AttributionSource(name)) else {
            throw RequestError(
                .reservedSource, "Only the server itself states this source. Name the provider that told the app.")
        }
        guard (1...Limits.source).contains(name.utf8.count), name.utf8.allSatisfy(Self.isAllowed) else {
            throw RequestError.invalid("source", "1 to 64 of a-z, 0-9, dot, hyphen and underscore.")
        }
        try key.check()
        for (field, value) in [
            ("channel", channel), ("campaign", campaign), ("ad_group", adGroup), ("ad_set", adSet), ("creative", creative),
        ] where (value?.utf8.count ?? 0) > Limits.attributionText {
            throw RequestError.invalid(field, "at most \(Limits.attributionText) bytes.")
        }
        var checked = self
        checked.source = AttributionSource(name)
        return checked
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}

extension IdempotencyKey {
    /// - Throws: `invalid_value` unless 1…64 visible ASCII characters.
    func check() throws {
        guard (1...Limits.idempotencyKey).contains(rawValue.utf8.count),
            rawValue.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw RequestError.invalid("key", "1 to 64 visible ASCII characters.")
        }
    }
}
