// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallWire

/// Limits how often an install, and an address, may send codes that lead nowhere.
package struct CodeBounds: Sendable {
    package let byInstall: WrongTokens
    package let byAddress: AddressLimit
    package let limitHits: LimitHits

    package init(byInstall: WrongTokens, byAddress: AddressLimit, limitHits: LimitHits) {
        (self.byInstall, self.byAddress, self.limitHits) = (byInstall, byAddress, limitHits)
    }

    /// - Throws: an error if too many codes from this address or of this install led nowhere.
    func check(
        _ asked: DeferredLinkRequest, from address: ClientAddress?, of app: AppID, _ install: InstallID, nowMs: Int64
    ) throws(LimitReached) {
        guard asked.token != nil else { return }
        try byAddress.check(address, nowMs: nowMs)
        try byInstall.check(app, install, nowMs: nowMs)
    }

    /// A token that leads nowhere counts against the install and against its address.
    func remember(
        _ claim: DeferredClaim?, _ answer: DeferredLinkAnswer?, of app: AppID, _ credential: Credential,
        at address: ClientAddress?, nowMs: Int64
    ) {
        if claim?.tokenHash != nil, answer == DeferredLinkAnswer.none {
            byInstall.wrong(app, credential.installID, nowMs: nowMs)
            byAddress.count(address, nowMs: nowMs)
        }
    }

    /// The claim of a first open. If the install has sent too many wrong codes, its code is not looked up.
    /// - Returns: nil also if the address has sent too many wrong codes: then the stream contains no link, and the phone asks
    ///   for it later by a separate call.
    func claim(
        _ asked: DeferredLinkRequest?, in snapshot: Snapshot, at place: AddressPlace?, from address: ClientAddress?,
        of app: AppID, _ credential: Credential, nowMs: Int64
    ) -> DeferredClaim? {
        guard var asked else { return nil }
        do {
            try check(asked, from: address, of: app, credential.installID, nowMs: nowMs)
        } catch {
            if let limit = error.limit { limitHits.hit(limit) }
            if error.limit == .codesByAddress { return nil }
            asked.token = nil
        }
        return DeferredClaim(asked, windows: snapshot.attributionWindows, place: place)
    }
}

extension CallerAddresses {
    /// The caller's place, if addresses are matched.
    func place(of request: Request, _ context: AppContext) -> AddressPlace? {
        guard let matching = context.snapshot.addressMatching else { return nil }
        return AddressPlace(client(of: request, context), matching)
    }
}
