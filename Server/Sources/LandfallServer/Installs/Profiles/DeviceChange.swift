// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension DeviceFacts {
    /// The device facts after the phone's report: a field that the report leaves out keeps its value, and a device id never
    /// changes once set.
    func updated(with news: DeviceFacts) -> DeviceFacts {
        var facts = self
        facts.appVersion = Self.cut(news.appVersion) ?? appVersion
        facts.osVersion = Self.cut(news.osVersion) ?? osVersion
        facts.platform = Self.cut(news.platform) ?? platform
        facts.model = Self.cut(news.model) ?? model
        facts.locale = Self.cut(news.locale) ?? locale
        facts.storeCountry = Self.cut(news.storeCountry) ?? storeCountry
        facts.timeZone = Self.cut(news.timeZone) ?? timeZone
        facts.deviceId = deviceId ?? Self.cut(news.deviceId)
        return facts
    }

    /// Long texts are cut, not refused: an unusual device still gets its paywall.
    private static func cut(_ text: String?) -> String? { text.map { $0.cut(toBytes: Limits.deviceText) } }
}

extension Install {
    /// A shorter age may be that of this very launch.
    private static let shortestInstallAge: Int64 = 60_000
    private static let longestInstallAge: Int64 = 20 * 366 * 86_400_000

    /// The earlier of the stored time and the reported one. The reported age counts from this install's first call, so a phone
    /// may repeat it in each launch.
    func installedAtMs(saying ageMilliseconds: Int64?) -> Int64 {
        guard let age = ageMilliseconds, age >= Self.shortestInstallAge else { return installedAtMs }
        return min(installedAtMs, createdAtMs - min(age, Self.longestInstallAge))
    }

    /// Applies the phone's report of its device, and marks the install as seen.
    /// - Parameter first: the first install with the same device id; each later install of the device is a reinstall.
    mutating func describe(_ news: DeviceFacts, firstOfDevice first: InstallID?, nowMs: Int64) {
        isHere(nowMs: nowMs)
        let isDeviceNew = device.deviceId == nil
        device = device.updated(with: news)
        installedAtMs = installedAtMs(saying: news.installedAgeMilliseconds)
        if isDeviceNew, device.deviceId != nil, let first, first != id {
            isReinstall = true
            firstInstallID = first
        }
    }

    /// Marks the install as seen now if that is news, and records the absence that ends with it if it was long.
    mutating func isHere(nowMs: Int64) {
        guard isVisitNews(nowMs: nowMs) else { return }
        if let lastSeenAtMs, nowMs - lastSeenAtMs >= Absence.shortestMs {
            absences.append(Absence(beganAtMs: lastSeenAtMs, endedAtMs: nowMs))
        }
        lastSeenAtMs = nowMs
    }
}
