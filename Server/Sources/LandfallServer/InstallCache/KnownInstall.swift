// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import NIOCore
import Synchronization

/// An install as the store had it, with what answers about it read again and again.
final class KnownInstall: Sendable {
    let app: AppID
    let install: Install
    let device: DeviceValues
    private let secretHash: SecretHash?
    private let profile = Mutex<ByteBuffer?>(nil)

    init(_ app: AppID, _ stored: StoredInstall) {
        self.app = app
        install = stored.install
        device = DeviceValues(stored.install.device)
        secretHash = SecretHash(stored.secretHash)
    }

    /// True for the secret that the install was made with.
    func isProven(by hash: SecretHash) -> Bool { secretHash?.matches(hash) == true }

    /// The profile as JSON, rendered when it is asked for first.
    var profileJSON: ByteBuffer {
        profile.withLock { profile in
            if let profile { return profile }
            let bytes = install.wireProfile.jsonBytes()
            profile = bytes
            return bytes
        }
    }

    /// About as many bytes as this takes of memory: what is bounded is what callers can make large.
    var weight: Int {
        let attributes = install.attributes.reduce(0) { sum, attribute in
            guard case .string(let text) = attribute.value else { return sum + 64 }
            return sum + 64 + text.utf8.count
        }
        let customer = install.customerID?.rawValue.utf8.count ?? 0
        // Attributes and customer are in the rendered profile too.
        return 2_048 + 2 * (attributes + customer) + install.facts.count * 2_048 + install.absences.count * 16
    }
}
