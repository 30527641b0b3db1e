// SPDX-License-Identifier: Apache-2.0
import Adapty

// Call site: the code is read in a plain catch.
func loadQuietly(_ placement: String) async -> AdaptyPaywall? {
    do {
        return try await Adapty.getPaywall(placementId: placement, loadTimeout: 3)
    } catch {
        if error.adaptyErrorCode == .fetchTimeoutError || error.adaptyErrorCode == .networkFailed { return nil }
        print(error.errorCode, error.localizedDescription)
        return nil
    }
}

// Call site: a function that throws the same type.
func premium() async throws(AdaptyError) -> Bool {
    let profile = try await Adapty.getProfile()
    return profile.accessLevels["premium"]?.isActive ?? false
}

// Call site: the type is named at the `do`.
func signIn(_ user: String) async -> AdaptyError? {
    do throws(AdaptyError) {
        try await Adapty.identify(user)
        return nil
    } catch {
        return error
    }
}

// Call site: a wrapper that tries again, for any call.
func twice<Value>(_ call: () async throws(AdaptyError) -> Value) async throws(AdaptyError) -> Value {
    do { return try await call() } catch {
        guard [.networkFailed, .serverError].contains(error.adaptyErrorCode) else { throw error }
        return try await call()
    }
}

// Call site: the error is cast, as code for untyped throws does.
func explain(_ error: any Error) -> String {
    guard let error = error as? AdaptyError else { return "\(error)" }
    if let cause = error.originalNSError { return "\(cause.domain) \(cause.code)" }
    return error.errorUserInfo[AdaptyError.UserInfoKey.description] as? String ?? error.debugDescription
}

// Call site: each group of codes has a text of its own.
func message(for error: AdaptyError) -> String? {
    switch error.adaptyErrorCode {
    case .paymentCancelled: nil
    case .cantMakePayments, .paymentNotAllowed, .clientInvalid: "Purchases are off on this device."
    case .paymentPendingError: "Waiting for approval."
    case .noProductIDsFound, .productRequestFailed, .storeProductNotAvailable: "The store has no products."
    case .productPurchaseFailed, .paymentInvalid, .invalidSignature, .invalidOfferIdentifier, .invalidOfferPrice,
        .missingOfferParams:
        "The purchase failed."
    case .cantReadReceipt, .refreshReceiptFailed, .fetchSubscriptionStatusFailed, .unknownTransactionId: "Restore again."
    case .networkFailed, .cloudServiceNetworkConnectionFailed, .fetchTimeoutError: "No connection."
    case .notActivated, .activateOnceError, .wrongParam, .badRequest, .decodingFailed, .encodingFailed, .unsupportedData:
        "A mistake of ours."
    case .serverError, .profileWasChanged, .operationInterrupted: "Try again."
    case .analyticsDisabled, .unidentifiedUserLogout: nil
    default: error.localizedDescription
    }
}

// Call site: the number goes to the app's analytics, by its domain.
func report(_ error: AdaptyError, to track: (String, [String: Any]) -> Void) {
    track(AdaptyError.AdaptyErrorDomain, ["code": error.adaptyErrorCode.rawValue, "user_info": error.errorUserInfo])
}

// Call site: results pass through the app's own functions.
func resolve(_ result: AdaptyResult<AdaptyPaywall>, _ completion: @escaping AdaptyResultCompletion<String>) {
    if let error = result.error { return completion(.failure(error)) }
    DispatchQueue.global().async { completion(result.map(\.name)) }
}

// Call site: a completion of the app's own, called off the main thread.
func finish(_ completion: AdaptyErrorCompletion?) {
    DispatchQueue.global(qos: .utility).async { completion?(nil) }
}
