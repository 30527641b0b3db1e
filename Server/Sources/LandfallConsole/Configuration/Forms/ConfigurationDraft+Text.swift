// SPDX-License-Identifier: Apache-2.0
import LandfallRules

extension ConfigurationDraft {
    /// - Parameters:
    ///   - old: the text of the version from which the member began.
    ///   - entry: the changed entry.
    init(from old: String, to new: ConfigurationDocument, owner: ConfigurationOwner, entry: String?) {
        let isCarried = new.text.utf8.count <= FormExcess.longestDraft && new.valueCount <= FormExcess.mostValues
        self.init(
            text: isCarried ? new.text : "", changes: LineChanges(from: old, to: new.text),
            way: owner == .file ? .ownedByFile : isCarried ? .review : .tooLarge, entry: entry)
    }
}
