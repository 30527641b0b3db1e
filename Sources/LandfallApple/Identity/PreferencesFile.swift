// SPDX-License-Identifier: Apache-2.0
package import Foundation

#if canImport(Darwin)
internal import Darwin
#endif

/// The file in which the system keeps the app's `UserDefaults`. A file that is older than this process proves an earlier
/// launch. A fresh installation has no such file, however long ago the app was downloaded.
package enum PreferencesFile {
    /// When the app was used before this process began; nil if the file gives no evidence.
    package static func lastUse() -> Date? {
        guard let bundle = Bundle.main.bundleIdentifier, let processBegan,
            let library = FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first
        else { return nil }
        return lastUse(library.appendingPathComponent("Preferences/\(bundle).plist"), before: processBegan)
    }

    /// The older of the file's two dates: if the system rewrites the file, its date of creation changes.
    package static func lastUse(_ file: URL, before processBegan: Date) -> Date? {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: file.path) else { return nil }
        let dates = [facts[.creationDate], facts[.modificationDate]].compactMap { $0 as? Date }
        return dates.min().flatMap { $0 < processBegan ? $0 : nil }
    }

    /// The kernel's value: a file that the app itself has just written must not look old.
    private static var processBegan: Date? {
        #if canImport(Darwin)
        var process = kinfo_proc()
        var size = MemoryLayout<kinfo_proc>.stride
        var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
        guard sysctl(&name, UInt32(name.count), &process, &size, nil, 0) == 0, size > 0 else { return nil }
        let began = process.kp_proc.p_un.__p_starttime
        return Date(timeIntervalSince1970: Double(began.tv_sec) + Double(began.tv_usec) / 1_000_000)
        #else
        return nil
        #endif
    }
}
