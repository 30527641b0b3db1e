// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
public import Foundation
public import Landfall
internal import StoreKit

#if canImport(UIKit) && !os(watchOS)
internal import UIKit
#endif

/// What StoreKit sells. Transactions that it cannot verify on the phone are neither told nor finished.
public final class StoreKitProducts: ProductSource {
    public init() {}

    public func products(_ ids: [String]) async throws -> [StoreProduct] {
        do {
            var products: [StoreProduct] = []
            for product in try await Product.products(for: ids) { products.append(await StoreProduct(product)) }
            return products
        } catch let error where !(error is CancellationError) {
            throw PurchaseError(storeKit: error, of: ids)
        }
    }

    public func purchase(_ productID: String, token: UUID?) async throws -> StorePurchase {
        do {
            guard let product = try await Product.products(for: [productID]).first else {
                throw PurchaseError.notForSale([productID])
            }
            var options: Set<Product.PurchaseOption> = []
            if let token { options.insert(.appAccountToken(token)) }
            return StorePurchase(try await Self.sell(product, options))
        } catch StoreKitError.userCancelled {
            return .cancelled
        } catch let error where !(error is CancellationError) {
            throw PurchaseError(storeKit: error, of: [productID])
        }
    }

    /// StoreKit shows its sheet in the scene that the person sees; before iOS 17 it looks for one itself.
    @MainActor private static func sell(
        _ product: Product, _ options: Set<Product.PurchaseOption>
    ) async throws -> Product.PurchaseResult {
        #if canImport(UIKit) && !os(watchOS)
        let scenes = AppLifecycleSignals.application?.connectedScenes ?? []
        if #available(iOS 17.0, macCatalyst 17.0, tvOS 17.0, *), let scene = active(among: scenes) {
            return try await product.purchase(confirmIn: scene, options: options)
        }
        #endif
        #if os(visionOS)
        throw PurchaseError.store("The app has no active scene.")
        #else
        return try await product.purchase(options: options)
        #endif
    }

    #if canImport(UIKit) && !os(watchOS)
    @MainActor static func active(among scenes: Set<UIScene>) -> UIScene? {
        scenes.first { $0.activationState == .foregroundActive }
    }
    #endif

    public func unfinished() -> AsyncStream<SoldTransaction> { AsyncStream(of: { StoreKit.Transaction.unfinished }, SoldTransaction.init) }

    public func updates() -> AsyncStream<SoldTransaction> { AsyncStream(of: { StoreKit.Transaction.updates }, SoldTransaction.init) }

    public func finish(_ transactionID: String) async {
        for await result in StoreKit.Transaction.unfinished {
            guard case .verified(let transaction) = result, String(transaction.id) == transactionID else { continue }
            return await transaction.finish()
        }
    }

    public func promotedPurchases() -> AsyncStream<PromotedPurchase> {
        let (stream, voice) = AsyncStream<PromotedPurchase>.makeStream()
        let hearing = Task {
            #if !os(tvOS) && !os(watchOS) && !os(visionOS)
            if #available(iOS 16.4, macCatalyst 16.4, macOS 14.4, *) {
                for await intent in PurchaseIntent.intents { voice.yield(PromotedPurchase(productID: intent.product.id)) }
            }
            #endif
            voice.finish()
        }
        voice.onTermination = { _ in hearing.cancel() }
        return stream
    }
}
#endif
