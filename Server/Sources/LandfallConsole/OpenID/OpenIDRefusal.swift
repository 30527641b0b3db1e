// SPDX-License-Identifier: Apache-2.0

/// Why a sign-in by the provider did not succeed. No case has a token, a code or a secret.
enum OpenIDRefusal: String, Error, Hashable, CaseIterable, CustomStringConvertible {
    /// The provider gave no answer, or not one that can be used. Another try may succeed.
    case unreachable
    /// The discovery document is of another issuer, or has addresses that are not https.
    case discovery
    /// The file or the variable with the client's secret is missing.
    case secret
    /// The console was opened under a host that 'domains.api' does not name.
    case host
    /// There is no cookie of this sign-in, it is too old, or the state is of another one.
    case state
    /// The answer names another issuer.
    case issuer
    /// The provider ended the sign-in with an error.
    case cancelled
    /// The provider did not take the code, or the client's secret.
    case code
    /// The ID token is not signed by a key of the provider, by an allowed algorithm.
    case signature
    /// The ID token is of another issuer, for another client, or not for now.
    case claims
    /// The ID token belongs to another sign-in.
    case nonce
    /// The provider did not ask for the password again, or does not say when it did.
    case notFresh = "not_fresh"
    case unverified
    case foreign
    /// The token names another place for the groups, because there are too many of them.
    case manyGroups = "many_groups"
    case noGroup = "no_group"
    case notInvited = "not_invited"
    /// The address belongs to a member who is another person for the provider.
    case taken
    case full

    /// For the log.
    var description: String {
        switch self {
        case .unreachable: "The OpenID provider gave no usable answer. Compare 'issuer' with its address, and look whether it runs."
        case .discovery: "The provider's discovery document does not fit 'issuer'. Write 'issuer' exactly as the document has it."
        case .secret: "The secret of the OpenID client cannot be read. Set the variable, or put the file into the folder of --secrets."
        case .host: "The console was opened under a host that 'domains.api' does not name. Add it there, and register its callback."
        case .state: "A sign-in came back without the cookie with which it began. Nothing to do."
        case .issuer: "A sign-in came back from another issuer. If this repeats, somebody mixes providers up on purpose."
        case .cancelled: "The provider ended a sign-in. Its own log says why."
        case .code: "The provider did not take the code. Compare clientId, secret and the registered callback."
        case .signature: "The ID token is not signed by a key of the provider. RS256, ES256 and PS256 are taken."
        case .claims: "The ID token is for another client, or not for now. Compare clientId and the clocks of both machines."
        case .nonce: "The ID token belongs to another sign-in. If this repeats, somebody replays tokens."
        case .notFresh: "The provider did not say that the person has just signed in (auth_time). Let it answer max_age."
        case .unverified: "The provider has not verified the person's address (email_verified). Verify it there."
        case .foreign: "The person's address is not below 'domains' of 'openId'. Add the domain if this is wanted."
        case .manyGroups: "The provider does not put so many groups into the ID token. Let it send the groups of this client only."
        case .noGroup: "The person is in no group of 'roles'."
        case .notInvited: "The person is no member, and has no invitation."
        case .taken: "The person's address belongs to a member with another identity. Remove that member first."
        case .full: "There are as many members as may be. Remove one."
        }
    }

    /// Whether it counts as a failure for the limits of signing in.
    var counts: Bool {
        switch self {
        case .code, .signature, .claims, .nonce, .unverified, .foreign, .noGroup, .notInvited, .taken, .issuer, .notFresh: true
        case .unreachable, .discovery, .secret, .host, .state, .cancelled, .manyGroups, .full: false
        }
    }
}
