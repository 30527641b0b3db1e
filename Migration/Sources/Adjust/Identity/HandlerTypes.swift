// SPDX-License-Identifier: Apache-2.0
public import Foundation

// The second generation's names of its completions' types.
public typealias ADJResolvedDeeplinkBlock = @MainActor (String?) -> Void
public typealias ADJAttributionGetterBlock = @MainActor (ADJAttribution?) -> Void
public typealias ADJIdfaGetterBlock = @MainActor (String?) -> Void
public typealias ADJIdfvGetterBlock = @MainActor (String?) -> Void
public typealias ADJSdkVersionGetterBlock = @MainActor (String?) -> Void
public typealias ADJLastDeeplinkGetterBlock = @MainActor (URL?) -> Void
public typealias ADJAdidGetterBlock = @MainActor (String?) -> Void
public typealias ADJIsEnabledGetterBlock = @MainActor (Bool) -> Void
public typealias ADJVerificationResultBlock = @MainActor (ADJPurchaseVerificationResult) -> Void
