// SPDX-License-Identifier: Apache-2.0
// Decided by the system, not by what can be imported: Mac Catalyst is iOS here. On Linux stand-ins of UIKit and SwiftUI.
#if os(iOS) || os(tvOS) || os(visionOS) || os(Linux) && canImport(UIKit)
#if canImport(AVFoundation)
public import AVFoundation
#endif
public import Foundation
public import SwiftUI

/// A picture, a film, a colour or a font of the app's own, for a paywall that the original draws. Never shown.
///
/// `@unchecked Sendable`, as the types below: the values cannot be changed, and nothing here reads them.
public enum AdaptyCustomAsset: @unchecked Sendable {
    case image(AdaptyCustomImageAsset)
    case video(AdaptyCustomVideoAsset)
    case color(AdaptyCustomColorAsset)
    case gradient(AdaptyCustomGradientAsset)
    case font(UIFont)
}

public enum AdaptyCustomImageAsset: @unchecked Sendable {
    case file(url: URL)
    case remote(url: URL, preview: UIImage?)
    case uiImage(value: UIImage)
}

public enum AdaptyCustomVideoAsset: @unchecked Sendable {
    case file(url: URL, preview: AdaptyCustomImageAsset?)
    case remote(url: URL, preview: AdaptyCustomImageAsset?)
    #if canImport(AVFoundation)
    case player(item: AVPlayerItem, player: AVQueuePlayer, preview: AdaptyCustomImageAsset?)
    #endif
}

public enum AdaptyCustomColorAsset: @unchecked Sendable {
    case uiColor(UIColor)
    case swiftUIColor(Color)
}

public enum AdaptyCustomGradientAsset: @unchecked Sendable {
    case linear(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint)
    case angular(gradient: Gradient, center: UnitPoint, angle: Angle = .zero)
    case radial(gradient: Gradient, center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat)
}

public typealias AdaptyUICustomAsset = AdaptyCustomAsset
public typealias AdaptyUICustomImageAsset = AdaptyCustomImageAsset
public typealias AdaptyUICustomVideoAsset = AdaptyCustomVideoAsset
public typealias AdaptyUICustomColorAsset = AdaptyCustomColorAsset
public typealias AdaptyUICustomGradientAsset = AdaptyCustomGradientAsset

/// A table of assets by their ids.
extension [String: AdaptyCustomAsset]: AdaptyAssetsResolver {
    public func asset(for id: String) -> AdaptyCustomAsset? { self[id] }
}
#endif
