// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension DeviceFacts {
    /// What is known after the phone has spoken: a field that it left out keeps its value, and so does the device id once set.
    func updated(with news: DeviceFacts) -> DeviceFacts {
        var facts = self
        facts.appVersion = Self.cut(news.appVersion) ?? appVersion
        facts.osVersion = Self.cut(news.osVersion) ?? osVersion
        facts.platform = Self.cut(news.platform) ?? platform
        facts.locale = Self.cut(news.locale) ?? locale
        facts.storeCountry = Self.cut(news.storeCountry) ?? storeCountry
        facts.timeZone = Self.cut(news.timeZone) ?? timeZone
        facts.deviceId = deviceId ?? Self.cut(news.deviceId)
        return facts
    }

    /// Long ones are cut, not refused: a strange device still gets its paywall.
    private static func cut(_ text: String?) -> String? { text.map { $0.cut(toBytes: Limits.deviceText) } }
}

extension Install {
    /// Less than a minute may be this very launch.
    private static let shortestInstallAge: Int64 = 60_000
    private static let longestInstallAge: Int64 = 20 * 366 * 86_400_000

    /// The earlier of what is known and what the phone says. It counts from the first call of this install, so that a phone
    /// may say it again in each launch.
    func installedAtMs(saying ageMilliseconds: Int64?) -> Int64 {
        guard let age = ageMilliseconds, age >= Self.shortestInstallAge else { return installedAtMs }
        return min(installedAtMs, createdAtMs - min(age, Self.longestInstallAge))
    }

    /// Takes what the phone says of itself, and that it is here.
    /// - Parameter first: the install that named the same device first; it owns the device, and each later one is a reinstall.
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

    /// It was seen now; a long silence that ends with it is kept.
    mutating func isHere(nowMs: Int64) {
        if nowMs - lastSeenAtMs >= Absence.shortestMs {
            absences.append(Absence(beganAtMs: lastSeenAtMs, endedAtMs: nowMs))
        }
        lastSeenAtMs = nowMs
    }
}
