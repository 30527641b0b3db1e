// SPDX-License-Identifier: Apache-2.0

/// How many answers are held at once. Above any of them an answer is given at once and not held, never refused.
struct HeldLimits: Hashable, Sendable {
    /// Of one node.
    var node = 10_000
    /// Of one network address. Carriers and offices put thousands of phones behind one, and few of them wait at a time.
    var address = 512
    /// Plain waits of one install: a phone has one for its profile and one for each placement that it shows now.
    var waits = 8
    /// Streams of one install: the newest lives, the others write their last line.
    var streams = 4

    func ofInstall(_ kind: Holds.Kind) -> Int { kind == .stream ? streams : waits }
}
