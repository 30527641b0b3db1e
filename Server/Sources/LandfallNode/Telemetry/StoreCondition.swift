// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// What changed about a store between two looks: a value, so that a test needs neither a store nor time.
struct StoreCondition: Hashable, Sendable {
    /// If writes wait for so long and none is written, the disk may hang.
    static let silenceMs: Int64 = 5_000

    enum News: Hashable {
        case damaged(String)
        case failing(String)
        case silent(seconds: Int64)
        /// - failures: groups of writes that the engine has rolled back meanwhile.
        case works(failures: Int, seconds: Int64)
    }

    private(set) var damage: String?
    private(set) var isFailing = false
    private(set) var isSilent = false
    private var endedGroups = 0
    private var troubleSinceMs: Int64?
    /// How many writes were answered, and when that number last grew or no write waited.
    private var answered = 0
    private var movedAtMs: Int64?
    private var endedBefore = 0

    var isGood: Bool { damage == nil && !isFailing && !isSilent }

    mutating func look(_ counts: WriteCounts, damage met: String?, nowMs: Int64) -> [News] {
        var news: [News] = []
        if let met, damage == nil { news.append(.damaged(met)) }
        damage = met
        let done = counts.units + counts.endedGroups
        if done != answered || counts.waiting == 0 || movedAtMs.map({ nowMs < $0 }) ?? true { movedAtMs = nowMs }
        answered = done
        let silentMs = nowMs - (movedAtMs ?? nowMs)
        let wasGood = !isFailing && !isSilent
        if wasGood { endedBefore = endedGroups }
        if counts.isFailing, !isFailing { news.append(.failing(counts.failure ?? "no reason is known")) }
        if silentMs >= Self.silenceMs, !isSilent { news.append(.silent(seconds: silentMs / 1000)) }
        (isFailing, isSilent, endedGroups) = (counts.isFailing, silentMs >= Self.silenceMs, counts.endedGroups)
        let isGoodNow = !isFailing && !isSilent
        if wasGood, !isGoodNow { troubleSinceMs = nowMs }
        if !wasGood, isGoodNow {
            let seconds = max(nowMs - (troubleSinceMs ?? nowMs), 0) / 1000
            news.append(.works(failures: endedGroups - endedBefore, seconds: seconds))
            troubleSinceMs = nil
        }
        return news
    }
}
