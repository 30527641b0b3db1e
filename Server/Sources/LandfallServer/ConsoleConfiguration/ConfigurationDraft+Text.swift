// SPDX-License-Identifier: Apache-2.0
import LandfallPages

extension ConfigurationDraft {
    /// - Parameters:
    ///   - old: the text of the version from which the member began.
    ///   - entry: the changed entry.
    init(from old: String, to new: String, owner: ConfigurationOwner, entry: String?) {
        let isCarried = new.utf8.count <= ConsolePublishing.longestText
        self.init(
            text: isCarried ? new : "", changes: LineChanges(from: old, to: new),
            way: owner == .file ? .ownedByFile : isCarried ? .review : .tooLarge, entry: entry)
    }
}
