// SPDX-License-Identifier: Apache-2.0
import Adapty

/// As AppsFlyer's SDK declares its delegate.
protocol ConversionDelegate: AnyObject {
    func onConversionDataSuccess(_ conversionInfo: [AnyHashable: Any])
    func onConversionDataFail(_ error: any Error)
}

// Call site: AppsFlyer's dictionary, as it comes.
final class AppsFlyerListener: NSObject, ConversionDelegate {
    func onConversionDataSuccess(_ conversionInfo: [AnyHashable: Any]) {
        Adapty.setIntegrationIdentifier(key: "appsflyer_id", value: "1-2") { error in print(error ?? "") }
        Adapty.updateAttribution(conversionInfo, source: "appsflyer") { error in
            if let error { print("Attribution: \(error.adaptyErrorCode)") }
        }
    }

    func onConversionDataFail(_ error: any Error) {}
}

// Call site: Adjust's attribution as a dictionary, in a task.
func adjustChanged(_ attribution: [AnyHashable: Any]?, adid: String) {
    guard let attribution, let data = try? JSONSerialization.data(withJSONObject: attribution) else { return }
    let json = String(decoding: data, as: UTF8.self)
    Task {
        do {
            try await Adapty.setIntegrationIdentifier(key: "adjust_device_id", value: adid)
            try await Adapty.updateAttribution(json, source: "adjust")
        } catch {
            print(error)
        }
    }
}

// Call site: Adjust's attribution, awaited where it is.
@MainActor
func adjustChanged(_ attribution: [AnyHashable: Any]) async throws {
    try await Adapty.updateAttribution(attribution, source: "adjust")
}

// Call site: Branch's session parameters.
func branchSession(_ parameters: [AnyHashable: Any]?) {
    if let parameters { Adapty.updateAttribution(parameters, source: "branch") }
}

// Call site: a provider of the team's own.
func ownCampaign(_ name: String) async throws(AdaptyError) {
    try await Adapty.updateAttribution(
        ["status": "non_organic", "channel": "newsletter", "campaign": name, "ad_group": "1", "ad_set": "2", "creative": "3"],
        source: "custom"
    )
}
