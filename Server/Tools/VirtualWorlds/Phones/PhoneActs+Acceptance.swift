// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallWire
import Synchronization

/// What must not be lost once the call has returned, perhaps with the app killed right after it.
extension PhoneLaunch {
    func setAttribute(at offset: Duration, _ trace: VirtualTrace) {
        at(offset) { [self] in setAttribute(trace) }
    }

    private func setAttribute(isCut: Bool = false, _ trace: VirtualTrace) {
        let number = phone.promise { $0.nextNumber() }
        let isSafe = disk.isWritable && !isCut
        record.withLock { $0.changedAt = clock.elapsed }
        // A change of the person that is under way may reach the server before this, or after it.
        let isCertain = isSafe && !isPersonChanging
        do {
            try client.setAttributes(["sessions": .number(Double(number))])
        } catch {
            trace.broke("D9", "\(name): an attribute was refused: \(error)")
        }
        trace.say("\(name): sets sessions to \(number)\(isSafe ? "" : ", in memory alone")")
        phone.promise { $0.sessions = isCertain ? number : nil }
    }

    func claim(at offset: Duration, _ dice: Dice, _ trace: VirtualTrace) {
        let status = dice.one(of: AttributionStatus.allCases)
        at(offset) { [self] in claim(status, trace) }
    }

    private func claim(_ status: AttributionStatus, isCut: Bool = false, _ trace: VirtualTrace) {
        let claim = Promises.Claim(campaign: "\(name)-\(phone.promise { $0.nextNumber() })", status: status)
        let isSafe = disk.isWritable && !isCut
        do {
            try client.reportAttribution(source: Promises.Claim.source, status: status, campaign: claim.campaign)
        } catch {
            trace.broke("D9", "\(name): a claim was refused: \(error)")
        }
        trace.say("\(name): claims \(status) by \(claim.campaign)\(isSafe ? "" : ", in memory alone")")
        phone.promise { promises in
            promises.claims.insert(claim)
            guard isSafe else { return }
            promises.safeClaims.insert(claim)
            if status == .nonOrganic { promises.isAttributedByOther = true }
        }
    }

    /// The process ends while something is being written: it may have been accepted, or not.
    func acceptWithinKill(_ dice: Dice, _ trace: VirtualTrace) {
        disk.cutNextAppend(at: dice.share)
        trace.say("\(name): is killed within a call")
        if dice.happens(0.5) {
            setAttribute(isCut: true, trace)
        } else {
            claim(dice.one(of: AttributionStatus.allCases), isCut: true, trace)
        }
    }
}
