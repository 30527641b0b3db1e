// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallStore
import LandfallWire

extension StoreChange.Kind {
    package static let install = Self("install")
    static let profile = Self("profile")
    static let erased = Self("erased")
    static let link = Self("link")
    static let job = Self("job")
    static let addressKeys = Self("address_keys")
    static let configuration = Self("configuration")
}

extension StoreChange {
    /// What an install shows, or when its next answer can come.
    static func install(_ id: InstallID, in app: AppID) -> StoreChange { StoreChange(.install, app: app.rawValue, subject: id.rawValue) }

    /// What every install of a person shows.
    static func profile(_ id: ProfileID, in app: AppID) -> StoreChange { StoreChange(.profile, app: app.rawValue, subject: id.rawValue) }

    /// The install is gone.
    static func erased(_ id: InstallID, in app: AppID) -> StoreChange { StoreChange(.erased, app: app.rawValue, subject: id.rawValue) }

    static func link(_ place: LinkPlace, in app: AppID) -> StoreChange {
        StoreChange(.link, app: app.rawValue, subject: place.host + place.path.text)
    }

    /// A job can be taken, or can be at an earlier time.
    static let job = StoreChange(.job, app: "")

    /// The keys of address matching before that period are deleted. They are the same for every app.
    static func addressKeys(before period: Int64) -> StoreChange { StoreChange(.addressKeys, app: "", subject: String(period)) }

    /// There is a newer version.
    static let configuration = StoreChange(.configuration, app: "")
}

extension LinkPlace {
    /// Host and path, as a change names them.
    init(address: String) {
        let host = address.prefix { $0 != "/" }
        self.init(host: String(host), path: LinkPath(stored: String(address[host.endIndex...])))
    }
}
