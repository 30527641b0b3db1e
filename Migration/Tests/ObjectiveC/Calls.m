// SPDX-License-Identifier: Apache-2.0
// An Objective-C app's calls, written afresh.
#import <Adjust/Adjust.h>
#import <UIKit/UIKit.h>

@interface ShopDelegate : UIResponder <UIApplicationDelegate, AdjustDelegate>
@end

@implementation ShopDelegate

- (BOOL)application:(UIApplication *)application
    didFinishLaunchingWithOptions:(NSDictionary<UIApplicationLaunchOptionsKey, id> *)launchOptions {
    ADJConfig *config = [ADJConfig configWithAppToken:@"q1w2e3r4t5y6" environment:ADJEnvironmentProduction];
    config.delegate = self;
    config.logLevel = ADJLogLevelVerbose;
    config.sendInBackground = YES;
    config.longPaths = @[ @"/products/*" ];
    [config enableCostDataInAttribution];
    [Adjust appDidLaunch:config];
    return YES;
}

- (void)startSecondGeneration {
    ADJConfig *config = [[ADJConfig alloc] initWithAppToken:@"q1w2e3r4t5y6"
                                                environment:ADJEnvironmentSandbox
                                           suppressLogLevel:YES];
    [config setUrlStrategy:@[ @"eu.example.com" ] useSubdomains:YES isDataResidency:YES];
    config.storeInfo = [[ADJStoreInfo alloc] initWithStoreName:@"app_store"];
    config.storeInfo.storeAppId = @"123";
    config.isCoppaComplianceEnabled = !config.isSkanAttributionEnabled;
    [Adjust initSdk:config];
}

- (void)startWithoutLog {
    ADJConfig *config = [[ADJConfig alloc] initWithAppToken:@"q1w2e3r4t5y6"
                                                environment:ADJEnvironmentProduction
                                      allowSuppressLogLevel:YES];
    [config setLogLevel:ADJLogLevelSuppress];
    [Adjust appDidLaunch:config];
}

- (void)adjustAttributionChanged:(ADJAttribution *)attribution {
    NSString *name = attribution.trackerName;
    NSDictionary *values = [attribution dictionary];
    if (name.length > 0 && values) [Adjust trackEvent:[ADJEvent eventWithEventToken:@"abc123"]];
}

- (BOOL)adjustDeeplinkResponse:(NSURL *)deeplink {
    return deeplink.absoluteString != nil;
}

- (void)buy:(NSString *)transaction {
    ADJEvent *event = [[ADJEvent alloc] initWithEventToken:@"abc123"];
    [event setRevenue:9.99 currency:@"EUR"];
    [event setTransactionId:transaction];
    [event addCallbackParameter:@"plan" value:@"year"];
    [event addPartnerParameter:@"sku" value:@"y1"];
    [Adjust trackEvent:event];

    ADJAppStoreSubscription *subscription =
        [[ADJAppStoreSubscription alloc] initWithPrice:[NSDecimalNumber decimalNumberWithString:@"49.99"]
                                              currency:@"EUR"
                                         transactionId:transaction];
    [subscription setTransactionDate:[NSDate date]];
    [Adjust trackAppStoreSubscription:subscription];
}

- (void)ad {
    ADJAdRevenue *revenue = [[ADJAdRevenue alloc] initWithSource:ADJAdRevenueSourceAppLovinMAX];
    [revenue setRevenue:0.05 currency:@"USD"];
    [revenue setAdImpressionsCount:1];
    [Adjust trackAdRevenue:revenue];
}

- (void)consent:(BOOL)isGiven token:(NSData *)token {
    ADJThirdPartySharing *sharing = [[ADJThirdPartySharing alloc] initWithIsEnabled:[NSNumber numberWithBool:isGiven]];
    [sharing addGranularOption:@"google_dma" key:@"eea" value:@"1"];
    [Adjust trackThirdPartySharing:sharing];
    [Adjust trackMeasurementConsent:isGiven];
    [Adjust setPushToken:token];
    [Adjust setDeviceToken:token];
    [Adjust setEnabled:isGiven];
    if (![Adjust isEnabled]) [Adjust gdprForgetMe];
    [Adjust requestTrackingAuthorizationWithCompletionHandler:^(NSUInteger status) {
        (void)status;
    }];
}

- (void)links:(NSURL *)link {
    [Adjust appWillOpenUrl:link];
    ADJDeeplink *deeplink = [[ADJDeeplink alloc] initWithDeeplink:link];
    [Adjust processDeeplink:deeplink];
    [Adjust processAndResolveDeeplink:deeplink
                withCompletionHandler:^(NSString *resolved) {
                    (void)resolved;
                }];
    [ADJLinkResolution resolveLinkWithUrl:link
                    resolveUrlSuffixArray:@[ @"email.example.com" ]
                                 callback:^(NSURL *resolved) {
                                     (void)resolved;
                                 }];
    NSURL *own = [Adjust convertUniversalLink:link scheme:@"shop"];
    (void)own;
}

- (void)values {
    NSString *adid = [Adjust adid];
    [Adjust adidWithCompletionHandler:^(NSString *known) {
        (void)known;
    }];
    [Adjust attributionWithCompletionHandler:^(ADJAttribution *attribution) {
        (void)attribution;
    }];
    [Adjust addSessionCallbackParameter:@"user_id" value:adid ?: @"none"];
    [Adjust addGlobalCallbackParameter:@"ada" forKey:@"user_id"];
    [Adjust removeGlobalCallbackParameterForKey:@"user_id"];
}

@end
