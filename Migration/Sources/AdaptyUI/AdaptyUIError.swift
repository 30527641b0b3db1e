// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What goes wrong while a screen is drawn. Never thrown: every call throws `AdaptyError` 3007.
public enum AdaptyUIError: Error {
    case platformNotSupported
    case adaptyNotActivated
    case adaptyUINotActivated
    case activateOnce
    case webKit(any Error)
    case unsupportedTemplate(String)
    case wrongComponentType(String)
    case wrongAssetType(String)
}

extension AdaptyUIError: CustomNSError {
    public static let AdaptyUIErrorDomain = "AdaptyUIErrorDomain"

    /// The numbers that apps already compare.
    public enum Code: Int, Sendable, CaseIterable {
        case platformNotSupported = 4001
        case adaptyNotActivated = 4002
        case adaptyUINotActivated = 4003
        case activateOnce = 4005
        case unsupportedTemplate = 4100
        case wrongComponentType = 4103
        case wrongAssetType = 4104
        case webKit = 4200
    }

    public static var errorDomain: String { AdaptyUIErrorDomain }
    public var errorCode: Int { code.rawValue }

    private var code: Code {
        switch self {
        case .platformNotSupported: .platformNotSupported
        case .adaptyNotActivated: .adaptyNotActivated
        case .adaptyUINotActivated: .adaptyUINotActivated
        case .activateOnce: .activateOnce
        case .webKit: .webKit
        case .unsupportedTemplate: .unsupportedTemplate
        case .wrongComponentType: .wrongComponentType
        case .wrongAssetType: .wrongAssetType
        }
    }
}
