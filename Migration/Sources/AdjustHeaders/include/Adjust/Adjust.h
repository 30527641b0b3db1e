// SPDX-License-Identifier: Apache-2.0
// For Objective-C code that imports the original's header: module Adjust, and the constants, which Swift does not export.
#pragma once
#import <Foundation/Foundation.h>
@import Adjust;

__attribute__((unused)) static NSString *const ADJAdRevenueSourceAppLovinMAX = @"applovin_max_sdk";
__attribute__((unused)) static NSString *const ADJAdRevenueSourceMopub = @"mopub";
__attribute__((unused)) static NSString *const ADJAdRevenueSourceAdMob = @"admob_sdk";
__attribute__((unused)) static NSString *const ADJAdRevenueSourceIronSource = @"ironsource_sdk";
__attribute__((unused)) static NSString *const ADJAdRevenueSourceAdMost = @"admost_sdk";
__attribute__((unused)) static NSString *const ADJAdRevenueSourceUnity = @"unity_sdk";
__attribute__((unused)) static NSString *const ADJAdRevenueSourceHeliumChartboost = @"helium_chartboost_sdk";
__attribute__((unused)) static NSString *const ADJAdRevenueSourceAdx = @"adx_sdk";
__attribute__((unused)) static NSString *const ADJAdRevenueSourceTopOn = @"topon_sdk";
__attribute__((unused)) static NSString *const ADJAdRevenueSourceTradplus = @"tradplus_sdk";
__attribute__((unused)) static NSString *const ADJAdRevenueSourcePublisher = @"publisher_sdk";
__attribute__((unused)) static NSString *const ADJUrlStrategyIndia = @"UrlStrategyIndia";
__attribute__((unused)) static NSString *const ADJUrlStrategyChina = @"UrlStrategyChina";
__attribute__((unused)) static NSString *const ADJUrlStrategyCn = @"UrlStrategyCn";
__attribute__((unused)) static NSString *const ADJUrlStrategyCnOnly = @"UrlStrategyCnOnly";
__attribute__((unused)) static NSString *const ADJDataResidencyEU = @"DataResidencyEU";
__attribute__((unused)) static NSString *const ADJDataResidencyTR = @"DataResidencyTR";
__attribute__((unused)) static NSString *const ADJDataResidencyUS = @"DataResidencyUS";
__attribute__((unused)) static NSString *const ADJEnvironmentSandbox = @"sandbox";
__attribute__((unused)) static NSString *const ADJEnvironmentProduction = @"production";
