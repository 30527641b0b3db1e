// SPDX-License-Identifier: Apache-2.0
// What module Adjust exports to Objective-C; a test compares it with the Swift source.
#pragma once
#import <Foundation/Foundation.h>

@class ADJAttribution, ADJSessionSuccess, ADJSessionFailure, ADJEventSuccess, ADJEventFailure, ADJRemoteTrigger;
@class ADJThirdPartySharingResult, ADJStoreInfo, ADJPurchaseVerificationResult;

typedef enum : NSUInteger {
    ADJLogLevelVerbose = 1,
    ADJLogLevelDebug,
    ADJLogLevelInfo,
    ADJLogLevelWarn,
    ADJLogLevelError,
    ADJLogLevelAssert,
    ADJLogLevelSuppress
} ADJLogLevel;

@protocol AdjustDelegate <NSObject>
@optional
- (void)adjustAttributionChanged:(nullable ADJAttribution *)attribution;
- (BOOL)adjustDeferredDeeplinkReceived:(nullable NSURL *)deeplink;
- (BOOL)adjustDeeplinkResponse:(nullable NSURL *)deeplink;
- (void)adjustSessionTrackingSucceeded:(nullable ADJSessionSuccess *)session;
- (void)adjustSessionTrackingFailed:(nullable ADJSessionFailure *)session;
- (void)adjustEventTrackingSucceeded:(nullable ADJEventSuccess *)event;
- (void)adjustEventTrackingFailed:(nullable ADJEventFailure *)event;
- (void)adjustSkanUpdatedWithConversionData:(nonnull NSDictionary<NSString *, NSString *> *)data;
- (void)adjustConversionValueUpdated:(nullable NSNumber *)value;
- (void)adjustConversionValueUpdated:(nullable NSNumber *)value
                         coarseValue:(nullable NSString *)coarseValue
                          lockWindow:(nullable NSNumber *)lockWindow;
- (void)adjustRemoteTriggerReceived:(nonnull ADJRemoteTrigger *)trigger;
- (void)adjustThirdPartySharingSettingsChanged:(nullable ADJThirdPartySharingResult *)result;
@end

@interface ADJConfig : NSObject
@property (nonatomic, weak, nullable) id<AdjustDelegate> delegate;
@property (nonatomic) ADJLogLevel logLevel;
@property (nonatomic, nullable) NSString *sdkKey;
@property (nonatomic, nullable) NSURL *serverURL;
@property (nonatomic, nonnull) NSArray<NSString *> *longPaths;
@property (nonatomic, nullable) NSString *defaultTracker;
@property (nonatomic, nullable) NSString *externalDeviceId;
@property (nonatomic) BOOL sendInBackground;
@property (nonatomic) BOOL needsCost;
@property (nonatomic) BOOL eventBufferingEnabled;
@property (nonatomic) NSUInteger attConsentWaitingInterval;
@property (nonatomic, nullable) ADJStoreInfo *storeInfo;
@property (nonatomic) BOOL isCoppaComplianceEnabled;
@property (nonatomic, readonly) BOOL isSendingInBackgroundEnabled;
@property (nonatomic, readonly) BOOL isAdServicesEnabled;
@property (nonatomic, readonly) BOOL isIdfaReadingEnabled;
@property (nonatomic, readonly) BOOL isIdfvReadingEnabled;
@property (nonatomic, readonly) BOOL isSkanAttributionEnabled;
@property (nonatomic, readonly) BOOL isCostDataInAttributionEnabled;
@property (nonatomic, readonly) BOOL isLinkMeEnabled;
@property (nonatomic, readonly) BOOL isDeviceIdsReadingOnceEnabled;
@property (nonatomic, readonly) BOOL isAppTrackingTransparencyUsageEnabled;
@property (nonatomic, readonly) BOOL isFirstSessionDelayEnabled;
@property (nonatomic, readonly, nullable) NSArray *urlStrategyDomains;
@property (nonatomic, readonly) BOOL useSubdomains;
@property (nonatomic, readonly) BOOL isDataResidency;
+ (nullable ADJConfig *)configWithAppToken:(nonnull NSString *)appToken environment:(nonnull NSString *)environment;
+ (nullable ADJConfig *)configWithAppToken:(nonnull NSString *)appToken
                               environment:(nonnull NSString *)environment
                     allowSuppressLogLevel:(BOOL)allowSuppressLogLevel;
+ (nullable ADJConfig *)configWithAppToken:(nonnull NSString *)appToken
                               environment:(nonnull NSString *)environment
                          suppressLogLevel:(BOOL)suppressLogLevel;
- (nullable instancetype)initWithAppToken:(nonnull NSString *)appToken environment:(nonnull NSString *)environment;
- (nullable instancetype)initWithAppToken:(nonnull NSString *)appToken
                              environment:(nonnull NSString *)environment
                    allowSuppressLogLevel:(BOOL)allowSuppressLogLevel;
- (nullable instancetype)initWithAppToken:(nonnull NSString *)appToken
                              environment:(nonnull NSString *)environment
                         suppressLogLevel:(BOOL)suppressLogLevel;
- (void)enableSendingInBackground;
- (void)enableCostDataInAttribution;
- (void)enableLinkMe;
- (void)disableAdServices;
- (void)disableIdfaReading;
- (void)setUrlStrategy:(nullable NSArray<NSString *> *)domains
         useSubdomains:(BOOL)useSubdomains
       isDataResidency:(BOOL)isDataResidency;
- (BOOL)isValid;
@end

@interface ADJEvent : NSObject
@property (nonatomic, readonly, nonnull) NSString *eventToken;
+ (nullable ADJEvent *)eventWithEventToken:(nonnull NSString *)eventToken;
- (nullable instancetype)initWithEventToken:(nonnull NSString *)eventToken;
- (void)setRevenue:(double)amount currency:(nonnull NSString *)currency;
- (void)addCallbackParameter:(nonnull NSString *)key value:(nonnull NSString *)value;
- (void)addPartnerParameter:(nonnull NSString *)key value:(nonnull NSString *)value;
- (void)setTransactionId:(nonnull NSString *)transactionId;
- (void)setDeduplicationId:(nonnull NSString *)deduplicationId;
- (void)setCallbackId:(nonnull NSString *)callbackId;
- (void)setProductId:(nonnull NSString *)productId;
- (void)setReceipt:(nonnull NSData *)receipt;
- (void)setReceipt:(nonnull NSData *)receipt transactionId:(nonnull NSString *)transactionId;
- (BOOL)isValid;
@end

@interface ADJAttribution : NSObject <NSCopying, NSSecureCoding>
@property (nonatomic, readonly, nullable) NSString *trackerToken;
@property (nonatomic, readonly, nullable) NSString *trackerName;
@property (nonatomic, readonly, nullable) NSString *network;
@property (nonatomic, readonly, nullable) NSString *campaign;
@property (nonatomic, readonly, nullable) NSString *adgroup;
@property (nonatomic, readonly, nullable) NSString *creative;
@property (nonatomic, readonly, nullable) NSString *clickLabel;
@property (nonatomic, readonly, nullable) NSString *adid;
@property (nonatomic, readonly, nullable) NSDictionary *jsonResponse;
- (nullable NSDictionary *)dictionary;
@end

@interface ADJDeeplink : NSObject
@property (nonatomic, readonly, nonnull) NSURL *deeplink;
@property (nonatomic, readonly, nonnull) NSURL *referrer;
- (nullable instancetype)initWithDeeplink:(nonnull NSURL *)deeplink;
- (void)setReferrer:(nonnull NSURL *)referrer;
@end

@interface ADJLinkResolution : NSObject
+ (void)resolveLinkWithUrl:(nullable NSURL *)url
     resolveUrlSuffixArray:(nullable NSArray<NSString *> *)resolveUrlSuffixArray
                  callback:(nonnull void (^)(NSURL *_Nullable resolved))callback;
@end

@interface ADJAdRevenue : NSObject
- (nullable instancetype)initWithSource:(nonnull NSString *)source;
- (void)setRevenue:(double)amount currency:(nonnull NSString *)currency;
- (void)setAdImpressionsCount:(int)count;
- (void)setAdRevenueNetwork:(nonnull NSString *)network;
- (void)setAdRevenueUnit:(nonnull NSString *)unit;
- (void)setAdRevenuePlacement:(nonnull NSString *)placement;
- (void)addCallbackParameter:(nonnull NSString *)key value:(nonnull NSString *)value;
- (void)addPartnerParameter:(nonnull NSString *)key value:(nonnull NSString *)value;
- (BOOL)isValid;
@end

@interface ADJAppStoreSubscription : NSObject
- (nullable instancetype)initWithPrice:(nonnull NSDecimalNumber *)price
                              currency:(nonnull NSString *)currency
                         transactionId:(nonnull NSString *)transactionId;
- (nullable instancetype)initWithPrice:(nonnull NSDecimalNumber *)price
                              currency:(nonnull NSString *)currency
                         transactionId:(nonnull NSString *)transactionId
                            andReceipt:(nonnull NSData *)receipt;
- (void)setTransactionDate:(nonnull NSDate *)transactionDate;
- (void)setSalesRegion:(nonnull NSString *)salesRegion;
- (void)addCallbackParameter:(nonnull NSString *)key value:(nonnull NSString *)value;
- (void)addPartnerParameter:(nonnull NSString *)key value:(nonnull NSString *)value;
@end

@interface ADJAppStorePurchase : NSObject
- (nullable instancetype)initWithTransactionId:(nonnull NSString *)transactionId productId:(nonnull NSString *)productId;
- (nullable instancetype)initWithTransactionId:(nonnull NSString *)transactionId
                                     productId:(nonnull NSString *)productId
                                    andReceipt:(nonnull NSData *)receipt;
@end

@interface ADJStoreInfo : NSObject
@property (nonatomic, readonly, nonnull) NSString *storeName;
@property (nonatomic, nonnull) NSString *storeAppId;
- (nullable instancetype)initWithStoreName:(nonnull NSString *)storeName;
@end

@interface ADJThirdPartySharing : NSObject
- (nullable instancetype)initWithIsEnabled:(nullable NSNumber *)isEnabled;
- (nullable instancetype)initWithIsEnabledNumberBool:(nullable NSNumber *)isEnabledNumberBool;
- (void)addGranularOption:(nonnull NSString *)partnerName key:(nonnull NSString *)key value:(nonnull NSString *)value;
- (void)addPartnerSharingSetting:(nonnull NSString *)partnerName key:(nonnull NSString *)key value:(BOOL)value;
@end

@interface Adjust : NSObject
+ (void)initSdk:(nullable ADJConfig *)config;
+ (void)appDidLaunch:(nullable ADJConfig *)config;
+ (void)trackEvent:(nullable ADJEvent *)event;
+ (void)trackAdRevenue:(nonnull ADJAdRevenue *)adRevenue;
+ (void)trackAppStoreSubscription:(nonnull ADJAppStoreSubscription *)subscription;
+ (void)trackSubscription:(nonnull ADJAppStoreSubscription *)subscription;
+ (void)trackSubsessionStart;
+ (void)trackSubsessionEnd;
+ (void)processDeeplink:(nonnull NSURL *)deeplink
      completionHandler:(nonnull void (^)(NSString *_Nonnull resolvedLink))completionHandler;
+ (void)processDeeplink:(nonnull ADJDeeplink *)deeplink;
+ (void)processAndResolveDeeplink:(nonnull ADJDeeplink *)deeplink
            withCompletionHandler:(nonnull void (^)(NSString *_Nullable resolvedLink))completion;
+ (void)appWillOpenUrl:(nonnull NSURL *)url;
+ (nullable NSURL *)lastDeeplink;
+ (void)lastDeeplinkWithCompletionHandler:(nonnull void (^)(NSURL *_Nullable link))completionHandler;
+ (nullable NSURL *)convertUniversalLink:(nonnull NSURL *)url scheme:(nonnull NSString *)scheme;
+ (nullable NSURL *)convertUniversalLink:(nonnull NSURL *)url withScheme:(nonnull NSString *)scheme;
+ (nullable NSString *)adid;
+ (void)adidWithCompletionHandler:(nonnull void (^)(NSString *_Nullable adid))completion;
+ (void)adidWithTimeout:(NSInteger)timeoutMs completionHandler:(nonnull void (^)(NSString *_Nullable adid))completion;
+ (nullable NSString *)idfa;
+ (void)idfaWithCompletionHandler:(nonnull void (^)(NSString *_Nullable idfa))completion;
+ (nullable NSString *)idfv;
+ (void)idfvWithCompletionHandler:(nonnull void (^)(NSString *_Nullable idfv))completion;
+ (nullable NSString *)sdkVersion;
+ (void)sdkVersionWithCompletionHandler:(nonnull void (^)(NSString *_Nullable version))completion;
+ (void)attributionWithCompletionHandler:(nonnull void (^)(ADJAttribution *_Nullable attribution))completion;
+ (void)attributionWithTimeout:(NSInteger)timeoutMs
             completionHandler:(nonnull void (^)(ADJAttribution *_Nullable attribution))completion;
+ (nullable ADJAttribution *)attribution;
+ (void)enable;
+ (void)disable;
+ (void)setEnabled:(BOOL)enabled;
+ (BOOL)isEnabled;
+ (void)isEnabledWithCompletionHandler:(nonnull void (^)(BOOL isEnabled))completionHandler;
+ (void)gdprForgetMe;
+ (void)trackMeasurementConsent:(BOOL)enabled;
+ (void)trackThirdPartySharing:(nonnull ADJThirdPartySharing *)thirdPartySharing;
+ (void)disableThirdPartySharing;
+ (void)requestAppTrackingAuthorizationWithCompletionHandler:(nullable void (^)(NSUInteger status))completion;
+ (void)requestTrackingAuthorizationWithCompletionHandler:(nullable void (^)(NSUInteger status))completion;
+ (int)appTrackingAuthorizationStatus;
+ (void)switchToOfflineMode;
+ (void)switchBackToOnlineMode;
+ (void)setOfflineMode:(BOOL)enabled;
+ (void)setPushToken:(nonnull id)pushToken;
+ (void)setPushTokenAsString:(nonnull NSString *)pushToken;
+ (void)setDeviceToken:(nonnull NSData *)deviceToken;
+ (void)addGlobalCallbackParameter:(nonnull NSString *)param forKey:(nonnull NSString *)key;
+ (void)addGlobalPartnerParameter:(nonnull NSString *)param forKey:(nonnull NSString *)key;
+ (void)removeGlobalCallbackParameterForKey:(nonnull NSString *)key;
+ (void)removeGlobalPartnerParameterForKey:(nonnull NSString *)key;
+ (void)removeGlobalCallbackParameters;
+ (void)removeGlobalPartnerParameters;
+ (void)addSessionCallbackParameter:(nonnull NSString *)key value:(nonnull NSString *)value;
+ (void)addSessionPartnerParameter:(nonnull NSString *)key value:(nonnull NSString *)value;
+ (void)removeSessionCallbackParameter:(nonnull NSString *)key;
+ (void)removeSessionPartnerParameter:(nonnull NSString *)key;
+ (void)resetSessionCallbackParameters;
+ (void)resetSessionPartnerParameters;
+ (void)updateSkanConversionValue:(NSInteger)conversionValue
                      coarseValue:(nullable NSString *)coarseValue
                       lockWindow:(nullable NSNumber *)lockWindow
            withCompletionHandler:(nullable void (^)(NSError *_Nullable error))completion;
+ (void)updateConversionValue:(NSInteger)conversionValue;
+ (void)verifyAppStorePurchase:(nonnull ADJAppStorePurchase *)purchase
         withCompletionHandler:(nonnull void (^)(ADJPurchaseVerificationResult *_Nonnull result))completion;
+ (void)verifyAndTrackAppStorePurchase:(nonnull ADJEvent *)event
                 withCompletionHandler:(nonnull void (^)(ADJPurchaseVerificationResult *_Nonnull result))completion;
+ (void)verifyPurchase:(nonnull ADJAppStorePurchase *)purchase
     completionHandler:(nonnull void (^)(ADJPurchaseVerificationResult *_Nonnull result))completionHandler;
@end
