// SPDX-License-Identifier: Apache-2.0
import LandfallRules

extension AppStoreRefusal {
    package var description: String {
        switch self {
        case .forged(let forgery): "\(forgery.sentence) Send the text exactly as StoreKit or the App Store gave it."
        case .foreign(let foreignness): foreignness.sentence
        case .environment(let problem): problem.sentence
        }
    }
}

extension AppStoreRefusal.Forgery {
    fileprivate var sentence: String {
        switch self {
        case .tooLong(let bytes): "The signed text has \(bytes) bytes; Apple's have at most \(JWSSegments.mostBytes)."
        case .notThreeSegments: "The signed text does not have three parts between two points."
        case .notBase64URL(let segment): "The \(segment.rawValue) of the signed text is not base64url."
        case .notJSON(let segment): "The \(segment.rawValue) of the signed text is no JSON object of reasonable depth."
        case .algorithm(let name): "The signed text names the algorithm '\((name ?? "").shortened)'; the App Store signs with ES256 only."
        case .certificates(let count): "The signed text has \(count ?? 0) certificates; the App Store sends three."
        case .unreadableCertificate(let index): "Certificate \(index + 1) of the signed text cannot be read."
        case .untrustedChain:
            "The certificates of the signed text do not lead to Apple's root, or to the root that this server was given."
        case .unmarkedCertificate(let index): "Certificate \(index + 1) of the signed text is not one that signs purchases."
        case .leafKey: "The key of the first certificate is not a P-256 key."
        case .noSignedDate: "The signed text has no signedDate, so its certificates cannot be checked."
        case .notValidWhenSigned: "A certificate was not valid at the time of the signature."
        case .signedInFuture: "The signed text is from the future. If it is genuine, correct this server's clock."
        case .signature: "The signature does not match the text."
        case .strayRenewal: "The renewal information is not about the transaction beside it."
        }
    }
}

extension AppStoreRefusal.Foreignness {
    fileprivate var sentence: String {
        switch self {
        case .bundleID(let id):
            "The purchase belongs to the app '\(id ?? "")'. Compare with 'app.bundleId' in the configuration, and send only purchases of that app."
        case .appleID(let id):
            "The notification is about the app with Apple's number \(id.map(String.init) ?? "(none)"). Compare with 'app.appStoreId' in the configuration."
        case .noTransaction: "Apple signed this text, but it is no transaction. Send Transaction.jwsRepresentation."
        case .noRenewal: "Apple signed this text, but it is no renewal information. Nothing needs to be done."
        case .noNotification:
            "Apple signed this text, but it is no notification. Set this address only as the App Store's notification URL, version 2."
        }
    }
}

extension AppStoreRefusal.EnvironmentProblem {
    fileprivate var sentence: String {
        switch self {
        case .missing:
            "The signed text names no environment, as Apple's did before 2022. Let StoreKit give the transaction again."
        case .unknown(let name): "This version of Landfall does not know the environment '\(name)'. Update the server."
        case .differs(let outer, let inner):
            "The notification is from \(outer), its content from \(inner). Apple does not send that; nothing was stored."
        case .storekitTesting:
            "StoreKit testing in Xcode signs with a key of that machine. Start the server with --storekit-testing to accept it."
        }
    }
}
