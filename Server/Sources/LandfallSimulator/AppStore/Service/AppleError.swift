// SPDX-License-Identifier: Apache-2.0

/// An error of the App Store Server API, with Apple's code; the HTTP status is its first three digits.
struct AppleError: Error, Hashable, Encodable {
    let errorCode: Int
    let errorMessage: String

    var status: Int { errorCode / 10_000 }

    static let badRequest = AppleError(errorCode: 4_000_000, errorMessage: "Bad request.")
    static let invalidRevision = AppleError(errorCode: 4_000_005, errorMessage: "Invalid request revision.")
    static let invalidTransaction = AppleError(errorCode: 4_000_006, errorMessage: "Invalid transaction id.")
    static let tooFarInPast = AppleError(errorCode: 4_000_012, errorMessage: "Start date is too far in the past.")
    static let startAfterEnd = AppleError(errorCode: 4_000_013, errorMessage: "Start date is after end date.")
    static let invalidPaginationToken = AppleError(errorCode: 4_000_014, errorMessage: "Invalid pagination token.")
    static let invalidStartDate = AppleError(errorCode: 4_000_015, errorMessage: "Invalid start date.")
    static let invalidEndDate = AppleError(errorCode: 4_000_016, errorMessage: "Invalid end date.")
    static let multipleFilters = AppleError(errorCode: 4_000_019, errorMessage: "Multiple filters were supplied.")
    static let invalidTestToken = AppleError(errorCode: 4_000_020, errorMessage: "Invalid test notification token.")
    static let invalidSort = AppleError(errorCode: 4_000_021, errorMessage: "Invalid sort.")
    static let invalidProductType = AppleError(errorCode: 4_000_022, errorMessage: "Invalid product type.")
    static let invalidOwnership = AppleError(errorCode: 4_000_026, errorMessage: "Invalid in-app ownership type.")
    static let invalidRevoked = AppleError(errorCode: 4_000_030, errorMessage: "Invalid revoked.")
    static let invalidStatus = AppleError(errorCode: 4_000_031, errorMessage: "Invalid status.")
    static let invalidToken = AppleError(errorCode: 4_000_183, errorMessage: "Invalid app account token UUID.")
    static let familyTransaction = AppleError(errorCode: 4_000_185, errorMessage: "Family transactions are not supported.")
    static let notOriginal = AppleError(errorCode: 4_000_187, errorMessage: "Transaction id is not an original transaction id.")
    static let testNotFound = AppleError(errorCode: 4_040_008, errorMessage: "Test notification not found.")
    static let rateLimit = AppleError(errorCode: 4_290_000, errorMessage: "Rate limit exceeded.")
    static let transactionNotFound = AppleError(errorCode: 4_040_010, errorMessage: "Transaction id not found.")
}
