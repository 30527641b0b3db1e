// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallServer
package import LandfallStore
import LandfallWire
package import Logging

/// While there is no member, a starting node makes the link by which the first owner comes in.
package struct FirstOwnerInvitation: Sendable {
    package let invitations: Invitations
    package let place: ConsolePlace
    /// Where the link is kept, for users of the machine who may read the store's folder. Nil: it is not kept.
    package let file: String?
    /// The other nodes that live. It may take its time, and is asked only if there is no member.
    package let others: @Sendable () async throws -> [NodesSeen.Node]
    package let time: ServerTime
    package let logger: Logger

    package init(
        invitations: Invitations, place: ConsolePlace, file: String?, others: @escaping @Sendable () async throws -> [NodesSeen.Node],
        time: ServerTime, logger: Logger
    ) {
        (self.invitations, self.place, self.file, self.others) = (invitations, place, file, others)
        (self.time, self.logger) = (time, logger)
    }

    /// - Parameter address: of this node, without a path.
    /// - Returns: the link; nil if there is a member, or another node that lives has made a link.
    package func link(at address: String) async -> String? {
        place.opened(at: address, setUpFile: file)
        do {
            let token = SessionToken.drawn(), own = (invitations.database as? any SharedDatabase)?.node
            let hasMember = try await MemberStore(database: invitations.database, app: invitations.app).hasMember()
            let beside = hasMember ? [] : Set(try await others().map(\.name))
            guard try await invitations.setUp(token, by: own, beside: beside, nowMs: time.nowMs()) != nil else {
                place.isSetUp()
                return nil
            }
            let link = address + "/console/setup?token=" + token.text
            if let file { try Self.write(link + "\n", to: file) }
            return link
        } catch {
            // Phones are served all the same.
            logger.warning("The console has no link for its first owner.", metadata: ["error.text": "\(error)"])
            return nil
        }
    }

    /// Readable for the owner of the folder only, from its first byte.
    private static func write(_ text: String, to file: String) throws {
        try? FileManager.default.removeItem(atPath: file)
        guard FileManager.default.createFile(atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]) else {
            throw CocoaError(.fileWriteUnknown)
        }
    }
}
