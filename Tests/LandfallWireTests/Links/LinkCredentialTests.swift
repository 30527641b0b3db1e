// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@Suite("Links with a secret", .timeLimit(.minutes(1)))
struct LinkCredentialTests {
    @Test(
        "The answer of a sign-in is recognised by its parameters and scheme",
        arguments: [
            "fb12345://authorize#access_token=abc&expires_in=1", "fb12345://authorize",
            "com.googleusercontent.apps.1-a:/oauth2redirect?code=1", "example://cb?code=1&state=2",
            "https://example.com/cb?state=2&code=1", "example://cb?id_token=x", "example://cb#/route?ACCESS_TOKEN=x",
            "example://cb?access%5Ftoken=x", "example://cb?#\u{301}&refresh_token=x",
            "example://cb?error=access_denied&state=2", "example://cb?SAMLResponse=x",
        ])
    func signIn(text: String) throws {
        #expect(try LinkAddress(text).credential == .signInAnswer)
    }

    @Test(
        "A link that resets, confirms or signs in is recognised by its parameters",
        arguments: [
            "https://example.com/reset?token=abc", "example://reset?reset_token=abc", "example://reset?Reset-Token=abc",
            "https://example.com/a#/b?password=abc", "example://in?otp=1", "example://in?confirmationToken=a",
            "https://example.com/in?oobCode=a&mode=resetPassword", "example://in?token_hash=a&type=recovery",
            "example://in?code=123456", "example://in?code=0199b0a0-0000-7000-8000-000000000009", "example://reset?code=K7",
            "example://users/sign_in-magic?code=K7", "https://example.com/verify-email?code=K7",
            "https://go.example.com/x?lf_deep_link=example%3A%2F%2Freset%3Ftoken%3Dabc",
        ])
    func secret(text: String) throws {
        #expect(try LinkAddress(text).credential == .secret)
    }

    @Test(
        "Other links are not secrets, wherever they lead",
        arguments: [
            "example://cb?code=summer", "example://cb?state=open", "fbexample://authorize", "example://access_token",
            "example://cb?next=access_token", "example://token?t=access_token", "https://example.com/password/reset?token=",
            "https://example.com/reset#/password/otp", "example://in?lf_token=abc&adj_password=1", "example://in?code=123",
            "https://login.example.com/offers?code=SUMMER20", "https://example.com/a?promo=beach&tokens=3",
            "example://a?otpa=1",
        ])
    func none(text: String) throws {
        #expect(try LinkAddress(text).credential == nil)
    }
}
