// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallRules
import LandfallStore
package import Logging
package import NIOCore

/// What a request carries through middleware and handlers.
package struct AppContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The connection. Its address decides only who may read /metrics; a held stream closes it at its hard limit.
    package let channel: any Channel
    /// Names this request in the answer and in the log. The framework's own id is not used: it lives in the log handler, and
    /// not every handler has it.
    package let requestID: String
    /// Set by `Authentication`; nil outside /v1.
    var caller: Caller?
    private var taken: Snapshot?

    /// The configuration that answers this request from beginning to end: see ``LiveConfiguration``. The first middleware sets
    /// it.
    package var snapshot: Snapshot {
        get {
            guard let taken else { preconditionFailure("The first middleware of a router has to set the snapshot.") }
            return taken
        }
        set { taken = newValue }
    }

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        requestID = Self.newRequestID()
    }

    /// For log lines about this request. Made when a line is written: most requests write none.
    package var namedLogger: Logger {
        var logger = logger
        logger[metadataKey: "request.id"] = "\(requestID)"
        return logger
    }

    /// For the line that every request has at level info.
    package var infoLogger: Logger { logger.logLevel <= .info ? namedLogger : logger }

    /// Thirteen digits in base 36: equal answers have equal length.
    static func newRequestID() -> String {
        var rest = DrawnNumbers.shared.next()
        return String(unsafeUninitializedCapacity: 13) { digits in
            for place in (0..<13).reversed() {
                let digit = UInt8(rest % 36)
                digits[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                rest /= 36
            }
            return 13
        }
    }

    /// - Throws: `invalid_key` if the route is not behind `Authentication`.
    package func requireCaller() throws -> Caller {
        guard let caller else { throw RequestError.invalidKey }
        return caller
    }
}

/// The caller: an app by its public key and, for most calls, one of its installs by its secret.
package struct Caller {
    let app: AppID
    let credential: Credential?
    /// What the configuration calls the server key of a backend. Nil for everybody else.
    var serverKey: String?
    /// A command in the folder of the store.
    var isOperator = false
    /// May see what single people did, and therefore numbers about few people.
    package var seesPeople = false

    /// - Throws: `profile_required`: the SDK key alone may not make this call.
    func requireCredential() throws -> Credential {
        guard let credential else { throw RequestError.profileRequired }
        return credential
    }
}
