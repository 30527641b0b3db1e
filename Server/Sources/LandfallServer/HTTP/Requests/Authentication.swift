// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import Hummingbird
package import LandfallRules
import LandfallWire

/// Turns the SDK key and the profile header into a `Caller`. The store checks the secret itself, on the row.
package struct Authentication: RouterMiddleware {
    package let time: ServerTime

    package init(time: ServerTime) {
        self.time = time
    }

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard let key = request.bearer, let app = context.snapshot.app(ofKey: key, nowMs: time.nowMs()) else {
            throw RequestError.invalidKey
        }

        var context = context
        var credential: Credential?
        if let header = request.headers[.landfallProfile] {
            credential = Credential(header: header)
            if credential == nil { throw RequestError.profileMalformed }
        }
        context.caller = Caller(app: app, credential: credential)
        return try await next(request, context)
    }
}

/// Admits a backend of the team by its server key, if the key has the scope of the routes behind this middleware.
package struct ServerAuthentication: RouterMiddleware {
    package let scope: ServerKey.Scope
    package let time: ServerTime

    package init(scope: ServerKey.Scope, time: ServerTime) {
        (self.scope, self.time) = (scope, time)
    }

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard let key = request.bearer, let rights = context.snapshot.rights(ofServerKey: key, nowMs: time.nowMs()) else {
            throw RequestError.serverKeyNeeded
        }
        guard rights.scopes.contains(scope) else { throw RequestError.missing(scope) }
        var context = context
        context.caller = Caller(
            app: context.snapshot.app.id, credential: nil, serverKey: rights.name, seesPeople: rights.scopes.contains(.profiles))
        return try await next(request, context)
    }
}

extension Request {
    fileprivate var bearer: String? { headers[.authorization].flatMap { BearerKey.text(in: $0.utf8) } }
}

enum BearerKey {
    /// The token after `Bearer` in Authorization. The scheme's case and the number of spaces do not matter (RFC 9110, 11.4).
    static func text<Bytes: Collection<UInt8>>(in header: Bytes) -> String? {
        let scheme = header.prefix(7)
        guard scheme.count == 7, scheme.elementsEqual("bearer ".utf8, by: { $0 | 0x20 == $1 | 0x20 }) else { return nil }
        return String(decoding: header.dropFirst(7).drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    }
}

extension HTTPField.Name {
    static let landfallProfile = HTTPField.Name(WireHeader.profile)!
    static let landfallDevice = HTTPField.Name(WireHeader.device)!
    static let landfallLinkRules = HTTPField.Name(WireHeader.linkRules)!
    package static let landfallVersion = HTTPField.Name(WireHeader.version)!
    package static let landfallRequestID = HTTPField.Name(WireHeader.requestID)!
}
