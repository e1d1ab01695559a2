/** Generated from clients/operations.json. Do not edit. */

import type { CallOptions } from '../options'
import type { CodeSent, PasskeyCreationOptions, Passkey, PasskeyRequestOptions, PasskeyChallenge, DeviceCodes, WaitingDevice, DeviceDecision, Overview, AccountExport, ClosedAccount, ClosingPreview, Profile, Notifications, Certificate, CertificateVerification, Peck, ConsumedGrant, Inbox, ReceiptShare, SharedReceipt, OutcomeReceipt, Receipt, Agent, SsoVerdict, WebhookWithSecret, Webhook, WebhookTest, WebhookDelivery, AuditHead, LogProof, Metrics, MetricsHistory, StatusHistory, SystemStatus, Jwks, ProtectedResource } from './schemas'
import type { SignUpInput, VerifyEmailInput, ChangeEmailInput, UndoEmailChangeInput, CancelEmailUndoInput, SignInInput, RequestSignInCodeInput, FinishPasskeyRegistrationInput, SignInWithPasskeyInput, RequestPasskeyChallengeInput, ConfirmPasskeyInput, CancelPasskeyRecoveryInput, ListPasskeysInput, RemovePasskeyInput, AuthorizeDeviceInput, RedeemDeviceCodeInput, ViewDeviceInput, ApproveDeviceInput, DenyDeviceInput, ListSessionsInput, RevokeSessionInput, ElevateTrustInput, GetProfileInput, UpdateProfileInput, ChangeNameInput, UpdateNotificationsInput, ListDucklingsInput, ListCertificatesInput, VerifyCertificateInput, RevokeCertificateInput, RequestPeckInput, ApprovePeckInput, RejectPeckInput, CancelPeckInput, RevokeGrantInput, RevokeAllGrantsInput, ConsumeGrantInput, ListPecksInput, GetPeckDetailsInput, ReadInboxInput, ShareReceiptInput, UnshareReceiptInput, ReadSharedReceiptInput, DecidePecksInput, GetPeckInput, GetOutcomeReceiptInput, GetReceiptInput, BlockDucklingInput, UnblockDucklingInput, LiftPauseInput, ListBlocksInput, RegisterAgentInput, ListAgentsInput, UpdateAgentInput, BondAgentInput, CreateHandshakeInput, SuspendAgentInput, ResumeAgentInput, DeregisterAgentInput, PreviewAgentDeregistrationInput, IssueAgentTokenInput, VerifyAgentInput, RotateKeyInput, IssueSsoTokenInput, VerifySsoTokenInQueryInput, VerifySsoTokenInput, BridgeSsoTokenInput, CreateWebhookInput, ListWebhooksInput, UpdateWebhookInput, DeleteWebhookInput, TestWebhookInput, RotateWebhookSecretInput, RedeliverMessageInput, ListDeliveriesInput, ListAuditEventsInput, GetAuditProofInput, GetMetricsHistoryInput, GetStatusHistoryInput, RecordPageviewInput, SubscribeInput, ConfirmSubscriptionInput, UnsubscribeInput, ContactSupportInput, GetProtectedResourceAtInput, GetStatusListInput, GetLogTileInput, SignUpOutput, VerifyEmailOutput, ChangeEmailOutput, UndoEmailChangeOutput, CancelEmailUndoOutput, SignInOutput, SignInWithPasskeyOutput, ConfirmPasskeyOutput, RecoverPasskeysOutput, CancelPasskeyRecoveryOutput, ListPasskeysOutput, SignOutOutput, RedeemDeviceCodeOutput, ListSessionsOutput, RevokeSessionOutput, ElevateTrustOutput, GetProfileOutput, ListDucklingsOutput, ListCertificatesOutput, RevokeAllGrantsOutput, ListPecksOutput, ListAskersOutput, GetPeckDetailsOutput, UnshareReceiptOutput, DecidePecksOutput, BlockDucklingOutput, UnblockDucklingOutput, LiftPauseOutput, ListBlocksOutput, RegisterAgentOutput, ListAgentsOutput, ListAgentActivityOutput, CreateHandshakeOutput, DeregisterAgentOutput, PreviewAgentDeregistrationOutput, IssueAgentTokenOutput, VerifyAgentOutput, RotateKeyOutput, IssueSsoTokenOutput, BridgeSsoTokenOutput, ListWebhooksOutput, DeleteWebhookOutput, ListDeliveriesOutput, ListAuditEventsOutput, GetServiceOutput, RecordPageviewOutput, SubscribeOutput, ConfirmSubscriptionOutput, UnsubscribeOutput, ContactSupportOutput, GetOpenapiOutput, OperationTypes } from './types'

/** One method for each operation of the API. */
export abstract class BeakOperations {
  /**
   * Calls an operation by its name. The methods below call this.
   *
   * @throws BeakError when the service refuses, BeakConnectionError without an answer, BeakAnswerError for an answer that is not Beak's.
   */
  abstract call<Name extends keyof OperationTypes>(
    name: Name,
    input: OperationTypes[Name]['input'],
    options?: CallOptions,
  ): Promise<OperationTypes[Name]['output']>

/**
 * Sign up
 *
 * Creates a duckling at tier T0, signs it in and mails a verification code. `display_name` is required unless you send `password`. Then the service generates a name if you send none.
 *
 * `POST /beak/signup`
 */
signUp(input: SignUpInput, options?: CallOptions): Promise<SignUpOutput> {
return this.call('signUp', input, options)
}

/**
 * Verify your email address and reach tier T1
 *
 * `POST /beak/verify-email`
 */
verifyEmail(input: VerifyEmailInput, options?: CallOptions): Promise<VerifyEmailOutput> {
return this.call('verifyEmail', input, options)
}

/**
 * Ask for a new verification code
 *
 * `POST /beak/verify-email/resend`
 */
resendVerificationCode(options?: CallOptions): Promise<CodeSent> {
return this.call('resendVerificationCode', {}, options)
}

/**
 * Change your email address
 *
 * First send `new_email`: a code is mailed to it, and the answer says for how many seconds the code is valid. Then send `new_email` and that code as `otp`: the answer is your profile. Both steps require a passkey proof in the last 10 minutes, or a sign-in in the last 10 minutes when the account has no passkey. If the old address was verified, it is mailed a link that can undo the change for 7 days.
 *
 * `POST /beak/email-change`
 */
changeEmail(input: ChangeEmailInput, options?: CallOptions): Promise<ChangeEmailOutput> {
return this.call('changeEmail', input, options)
}

/**
 * Undo a change of your email address
 *
 * `token` is the token of the link that was mailed to the old address. It works once, for 7 days. The account gets the old address back. Every session and known device ends. What any session made since the change, or the session that changed the address made before, no longer works: passkeys, permissions, requests, sign-on tokens and rotated keys are removed, agents are suspended and webhooks disabled. `POST /beak/agent/resume` and `POST /beak/webhook/update` bring single ones back, with a recent proof. The event `duckling.email_restored` lists everything. Links that undo later changes become invalid. When a passkey that the account had a day before confirmed the change, the undo waits for 24 hours (`restores_at`), and POST /beak/email-change/undo/cancel with such a passkey cancels it.
 *
 * `POST /beak/email-change/undo`
 */
undoEmailChange(input: UndoEmailChangeInput, options?: CallOptions): Promise<UndoEmailChangeOutput> {
return this.call('undoEmailChange', input, options)
}

/**
 * Cancel the undo of a change of your email address
 *
 * For owners who left a stolen mailbox. The undo waits for 24 hours when a passkey that the account had a day before the change confirmed it. Cancelling needs a proof with such a passkey in the last 10 minutes. The mailed link is used up.
 *
 * `POST /beak/email-change/undo/cancel`
 */
cancelEmailUndo(input: CancelEmailUndoInput = {}, options?: CallOptions): Promise<CancelEmailUndoOutput> {
return this.call('cancelEmailUndo', input, options)
}

/**
 * Sign in with a mailed code or a password
 *
 * Send either `otp` or, if the account has one, `password`. Ask for a code with POST /beak/signin/otp. Store `device_token` (valid for 180 days) and send it with the next sign-in from the same device. The tries of a known device are counted separately, so wrong codes of strangers cannot lock it out.
 *
 * `POST /beak/signin`
 */
signIn(input: SignInInput, options?: CallOptions): Promise<SignInOutput> {
return this.call('signIn', input, options)
}

/**
 * Ask for a sign-in code
 *
 * The answer is the same for known and unknown addresses. `expires_in` and `resend_after` are in seconds. A code that was requested with a `device_token` works only on that device, and is counted separately from codes that strangers request.
 *
 * `POST /beak/signin/otp`
 */
requestSignInCode(input: RequestSignInCodeInput, options?: CallOptions): Promise<CodeSent> {
return this.call('requestSignInCode', input, options)
}

/**
 * Start adding a passkey
 *
 * Returns the options for `navigator.credentials.create()` (`PublicKeyCredential.parseCreationOptionsFromJSON`). Send the new credential to POST /beak/passkey/register/verify within 5 minutes. Needs a passkey proof in the last 10 minutes, or a sign-in when the account has no passkey.
 *
 * `POST /beak/passkey/register`
 */
startPasskeyRegistration(options?: CallOptions): Promise<PasskeyCreationOptions> {
return this.call('startPasskeyRegistration', {}, options)
}

/**
 * Finish adding a passkey
 *
 * Takes the JSON form of the credential from `navigator.credentials.create()`. The owner is notified by mail. Needs a passkey proof in the last 10 minutes, or a sign-in when the account has no passkey.
 *
 * `POST /beak/passkey/register/verify`
 */
finishPasskeyRegistration(input: FinishPasskeyRegistrationInput, options?: CallOptions): Promise<Passkey> {
return this.call('finishPasskeyRegistration', input, options)
}

/**
 * Sign in with a passkey
 *
 * Takes the JSON form of the assertion from `navigator.credentials.get()` with the options of POST /beak/passkey/login/options. A challenge can be used once, also when the sign-in is refused.
 *
 * `POST /beak/passkey/login`
 */
signInWithPasskey(input: SignInWithPasskeyInput, options?: CallOptions): Promise<SignInWithPasskeyOutput> {
return this.call('signInWithPasskey', input, options)
}

/**
 * Start signing in with a passkey
 *
 * Returns the options for `navigator.credentials.get()` (`PublicKeyCredential.parseRequestOptionsFromJSON`). They name no account: the person chooses one of their passkeys for this service. The challenge is valid for 5 minutes.
 *
 * `POST /beak/passkey/login/options`
 */
startPasskeySignIn(options?: CallOptions): Promise<PasskeyRequestOptions> {
return this.call('startPasskeySignIn', {}, options)
}

/**
 * Create a challenge for one of your passkeys
 *
 * Send the assertion in the field `passkey`: for `elevate` to PUT /beak/trust/elevate, for `approve` to POST /beak/peck/approve, for `reject` to POST /beak/peck/reject, for `confirm` to POST /beak/passkey/confirm with the same session. The challenge of a decision is the SHA-256 of its statement, so the passkey signs what is decided. With `statement_version` 2, and for `reject`, the answer has that `statement` (docs/receipts/format.md).
 *
 * `POST /beak/passkey/challenge`
 */
requestPasskeyChallenge(input: RequestPasskeyChallengeInput, options?: CallOptions): Promise<PasskeyChallenge> {
return this.call('requestPasskeyChallenge', input, options)
}

/**
 * Confirm your session with a passkey
 *
 * Takes the assertion for a challenge from POST /beak/passkey/challenge with purpose `confirm`, created with the same session. Until `confirmed_until` this session may make sensitive changes. A challenge can be used once, also when the confirmation is refused.
 *
 * `POST /beak/passkey/confirm`
 */
confirmPasskey(input: ConfirmPasskeyInput, options?: CallOptions): Promise<ConfirmPasskeyOutput> {
return this.call('confirmPasskey', input, options)
}

/**
 * Ask for the removal of all your passkeys
 *
 * For owners who have lost their passkeys. Needs a sign-in by code in the last 10 minutes. All passkeys are removed after 24 hours, or after 48 when a session ended others or took away a channel in the last day, unless a session of the account or a mailed link cancels the removal with POST /beak/passkey/recover/cancel. The addresses, phone, webhooks and sessions of the account are notified immediately. While a removal is pending, another call returns the same removal.
 *
 * Needs trust tier T1 or higher.
 *
 * `POST /beak/passkey/recover`
 */
recoverPasskeys(options?: CallOptions): Promise<RecoverPasskeysOutput> {
return this.call('recoverPasskeys', {}, options)
}

/**
 * Cancel the removal of your passkeys
 *
 * Call it with any session of the account and an empty body, or without a session and with the `token` of the link that was mailed when the removal started.
 *
 * `POST /beak/passkey/recover/cancel`
 */
cancelPasskeyRecovery(input: CancelPasskeyRecoveryInput = {}, options?: CallOptions): Promise<CancelPasskeyRecoveryOutput> {
return this.call('cancelPasskeyRecovery', input, options)
}

/**
 * List your passkeys
 *
 * `recovery` is the pending removal of all passkeys (POST /beak/passkey/recover), or null.
 *
 * `GET /beak/passkey/list`
 */
listPasskeys(input: ListPasskeysInput = {}, options?: CallOptions): Promise<ListPasskeysOutput> {
return this.call('listPasskeys', input, options)
}

/**
 * Remove a passkey
 *
 * The passkey can no longer be used. Sessions that it started stay open: end them with POST /beak/session/revoke and `all_others`. The owner is notified by mail. Needs a passkey proof in the last 10 minutes, or a sign-in when the account has no passkey.
 *
 * `POST /beak/passkey/remove`
 */
removePasskey(input: RemovePasskeyInput, options?: CallOptions): Promise<Passkey> {
return this.call('removePasskey', input, options)
}

/**
 * Sign out
 *
 * Ends the session of the token in this request. The token is rejected from the next request on.
 *
 * `POST /beak/signout`
 */
signOut(options?: CallOptions): Promise<SignOutOutput> {
return this.call('signOut', {}, options)
}

/**
 * Start the sign-in of a device without a browser
 *
 * For command lines and other devices without a browser (RFC 8628). Show `user_code` and `verification_uri` to the person, or open `verification_uri_complete`, and call POST /beak/device/token every `interval` seconds. `client_name` is shown to the person who decides, for instance `beak on laptop`.
 *
 * `POST /beak/device/authorize`
 */
authorizeDevice(input: AuthorizeDeviceInput, options?: CallOptions): Promise<DeviceCodes> {
return this.call('authorizeDevice', input, options)
}

/**
 * Get the session of an approved device
 *
 * Call this every `interval` seconds. While nobody has decided, the answer is 409 with `current_status: "pending"`, or 429 for an early call; `Retry-After` has the seconds to wait. `denied` and `expired` are final. The session is an ordinary one, but it never counts as a fresh sign-in.
 *
 * `POST /beak/device/token`
 */
redeemDeviceCode(input: RedeemDeviceCodeInput, options?: CallOptions): Promise<RedeemDeviceCodeOutput> {
return this.call('redeemDeviceCode', input, options)
}

/**
 * See which device waits with a user code
 *
 * Needs a fresh sign-in. `client_name` and `user_agent` come from the device and prove nothing. Compare the code with the one that your device shows before you approve it.
 *
 * `POST /beak/device/view`
 */
viewDevice(input: ViewDeviceInput, options?: CallOptions): Promise<WaitingDevice> {
return this.call('viewDevice', input, options)
}

/**
 * Let a waiting device sign in to your account
 *
 * Needs a fresh sign-in. The device gets an ordinary session, which appears in GET /beak/session/list with the name of the device. Approve only a code that your own device shows.
 *
 * `POST /beak/device/approve`
 */
approveDevice(input: ApproveDeviceInput, options?: CallOptions): Promise<DeviceDecision> {
return this.call('approveDevice', input, options)
}

/**
 * Refuse a waiting device
 *
 * Needs a fresh sign-in. The device gets no session, and its code stops working.
 *
 * `POST /beak/device/deny`
 */
denyDevice(input: DenyDeviceInput, options?: CallOptions): Promise<DeviceDecision> {
return this.call('denyDevice', input, options)
}

/**
 * List your live sessions
 *
 * `current` is true for the session of this request. `approved_devices` are devices that you approved and that have not signed in yet; every page has all of them.
 *
 * `GET /beak/session/list`
 */
listSessions(input: ListSessionsInput = {}, options?: CallOptions): Promise<ListSessionsOutput> {
return this.call('listSessions', input, options)
}

/**
 * End one session, all other sessions, or the approval of a device
 *
 * `device_request_id` takes back the approval of a device that has not signed in yet. `all_others` takes back all of them. A session that signed in with a passkey is ended only with a recent proof of you. A session of the device flow needs the proof to end any other.
 *
 * `POST /beak/session/revoke`
 */
revokeSession(input: RevokeSessionInput = {}, options?: CallOptions): Promise<RevokeSessionOutput> {
return this.call('revokeSession', input, options)
}

/**
 * Read your profile and what waits for you
 *
 * Your profile, how many pecks wait for your answer (at most 100 are counted), how many passkeys you have, and the pending removal of all passkeys (POST /beak/passkey/recover), or null.
 *
 * `GET /beak/profile/overview`
 */
getOverview(options?: CallOptions): Promise<Overview> {
return this.call('getOverview', {}, options)
}

/**
 * Export your data
 *
 * All data about you in one document, without secrets. Lists are oldest first. `audit` has your whole audit chain with its signed head. Anybody can check it with `beak audit verify export.json` (/docs/sites/check-it-yourself). Requires a passkey proof in the last 10 minutes, or a sign-in in the last 10 minutes when the account has no passkey.
 *
 * `GET /beak/account/export`
 */
exportAccount(options?: CallOptions): Promise<AccountExport> {
return this.call('exportAccount', {}, options)
}

/**
 * Close your account
 *
 * This cannot be undone. Requires a passkey proof in the last 10 minutes, or a sign-in in the last 10 minutes when the account has no passkey. Your certificate is revoked and your agents are deregistered. Keys, sessions, passkeys, SSO tokens and webhooks end. Pending pecks are cancelled and grants are revoked. `touched` lists them all.
 *
 * `POST /beak/account/delete`
 */
closeAccount(options?: CallOptions): Promise<ClosedAccount> {
return this.call('closeAccount', {}, options)
}

/**
 * Preview what closing your account ends
 *
 * Counts what POST /beak/account/delete would end now and list by id in `touched`.
 *
 * `GET /beak/account/delete/preview`
 */
previewAccountClosing(options?: CallOptions): Promise<ClosingPreview> {
return this.call('previewAccountClosing', {}, options)
}

/**
 * Raise your trust tier
 *
 * Each call takes one step. `{phone}` sends a code by SMS. `{otp}` spends the code and raises T1 to T2; at T2 and T3 it changes the number and the tier stays. `{passkey}` raises T2 to T3 with the assertion for a challenge from POST /beak/passkey/challenge with purpose `elevate`. A number belongs to one account: when another account verifies it, the older one loses it and becomes T1. `{phone}` and `{otp}` need a recent sign-in, or a confirmation with a passkey when the account has one.
 *
 * Needs trust tier T1 or higher.
 *
 * `PUT /beak/trust/elevate`
 */
elevateTrust(input: ElevateTrustInput = {}, options?: CallOptions): Promise<ElevateTrustOutput> {
return this.call('elevateTrust', input, options)
}

/**
 * See your profile, or the profile that a grant shows
 *
 * With `X-Peck-Grant`, the answer is the `GrantedProfile` of the duckling that gave the permission. It has no settings and no referral code, and `email` only if `params.fields` asked for it. This spends one use. Only the asker can use the grant.
 *
 * An agent needs the capability `read:profile`.
 *
 * `GET /beak/profile`
 */
getProfile(input: GetProfileInput = {}, options?: CallOptions): Promise<GetProfileOutput> {
return this.call('getProfile', input, options)
}

/**
 * Change your profile
 *
 * Send the fields that should change. `bio: null` removes the bio. `display_name` can be changed once every 30 days, here or with POST /beak/name-change. Setting `require_passkey_for_pecks` to false or lowering `min_peck_tier` requires a passkey proof in the last 10 minutes, or a sign-in in the last 10 minutes when the account has no passkey.
 *
 * `POST /beak/profile/update`
 */
updateProfile(input: UpdateProfileInput = {}, options?: CallOptions): Promise<Profile> {
return this.call('updateProfile', input, options)
}

/**
 * Change your display name
 *
 * Allowed once every 30 days. The name chosen at sign-up does not count.
 *
 * `POST /beak/name-change`
 */
changeName(input: ChangeNameInput, options?: CallOptions): Promise<Profile> {
return this.call('changeName', input, options)
}

/**
 * Get your notification settings
 *
 * Which waiting requests are announced on each channel, whether you get a reminder before a request expires, your quiet hours and your time zone. Mail is the only channel so far.
 *
 * `GET /beak/notifications`
 */
getNotifications(options?: CallOptions): Promise<Notifications> {
return this.call('getNotifications', {}, options)
}

/**
 * Change your notification settings
 *
 * Send only the settings that should change. Mails about requests wait until `quiet_hours` end. Quiet hours need a `time_zone`. `quiet_hours: null` switches quiet hours off. `channels.mail.requests: "none"` stops mails about requests. Codes and security notices are always sent.
 *
 * `POST /beak/notifications/update`
 */
updateNotifications(input: UpdateNotificationsInput = {}, options?: CallOptions): Promise<Notifications> {
return this.call('updateNotifications', input, options)
}

/**
 * Browse the public directory
 *
 * Lists visible ducklings at T1 or higher, with masked ids. A credential is optional, but an invalid one is refused. With a session token, `self` is your own full profile. With the key of a bonded agent that has the capability `read:profile`, `self` is the profile of its operator.
 *
 * `GET /beak/spaceducks`
 */
listDucklings(input: ListDucklingsInput = {}, options?: CallOptions): Promise<ListDucklingsOutput> {
return this.call('listDucklings', input, options)
}

/**
 * See your birth certificate
 *
 * Returns your newest certificate, with any status.
 *
 * An agent needs the capability `read:cert`.
 *
 * `GET /beak/cert/view`
 */
getCertificate(options?: CallOptions): Promise<Certificate> {
return this.call('getCertificate', {}, options)
}

/**
 * List your birth certificates
 *
 * All that you ever had, newest first.
 *
 * An agent needs the capability `read:cert`.
 *
 * `GET /beak/cert/list`
 */
listCertificates(input: ListCertificatesInput = {}, options?: CallOptions): Promise<ListCertificatesOutput> {
return this.call('listCertificates', input, options)
}

/**
 * Get a birth certificate
 *
 * Issues a certificate at your current tier, also as a signed credential. Your certificate at a lower tier becomes `superseded`.
 *
 * Needs trust tier T1 or higher.
 *
 * `POST /beak/cert/issue`
 */
issueCertificate(options?: CallOptions): Promise<Certificate> {
return this.call('issueCertificate', {}, options)
}

/**
 * Check a birth certificate
 *
 * Anybody can ask. `valid` is true only while the certificate is active and its account is open. For an unknown `cert_id`, the answer has `valid: false` too.
 *
 * `GET /beak/cert/verify`
 */
verifyCertificate(input: VerifyCertificateInput, options?: CallOptions): Promise<CertificateVerification> {
return this.call('verifyCertificate', input, options)
}

/**
 * Revoke your birth certificate
 *
 * Revokes it permanently. Only you can see the reason, here and in your audit log. You can issue a new certificate.
 *
 * `POST /beak/cert/revoke`
 */
revokeCertificate(input: RevokeCertificateInput, options?: CallOptions): Promise<Certificate> {
return this.call('revokeCertificate', input, options)
}

/**
 * Ask a duckling for permission
 *
 * When an identical request is pending, the answer is that peck, with `repeated`. A `limited` permission is for one use, a `timed` one lasts until the grant expires, and a `standing` one until it is revoked. `params_hash` binds `params` to the approval. An operator and all its agents may have at most ten pending requests to one target (a person’s own agents 50), and send a limited number a day, which cancelling does not give back. After a rejection, they may not ask that target for the same action for an hour. From the third rejection in a day on, all their requests to that target are paused, and each further one doubles the pause.
 *
 * An agent needs the capability `request:peck`.
 *
 * `POST /beak/peck/request`
 */
requestPeck(input: RequestPeckInput, options?: CallOptions): Promise<Peck> {
return this.call('requestPeck', input, options)
}

/**
 * Approve a peck
 *
 * Only the target can approve, with a session. `grant_expires_in` sets the lifetime of the grant. With a passkey it may not exceed the requested lifetime, which the passkey signs. `passkey` is the assertion over the challenge from POST /beak/passkey/challenge. It is required for a `standing` permission, for a high risk when the account has a passkey, and for every peck when your profile has `require_passkey_for_pecks`. A high risk in an account without a passkey needs a sign-in in the last 10 minutes. A session of the device flow approves low risks only.
 *
 * `POST /beak/peck/approve`
 */
approvePeck(input: ApprovePeckInput, options?: CallOptions): Promise<Peck> {
return this.call('approvePeck', input, options)
}

/**
 * Reject a peck
 *
 * The asker can read the reason, and may not ask for the same action again for an hour. A rejection never needs a passkey. `passkey` signs it for the receipt.
 *
 * `POST /beak/peck/reject`
 */
rejectPeck(input: RejectPeckInput, options?: CallOptions): Promise<Peck> {
return this.call('rejectPeck', input, options)
}

/**
 * Cancel a pending request of yours or of one of your agents
 *
 * `POST /beak/peck/cancel`
 */
cancelPeck(input: CancelPeckInput, options?: CallOptions): Promise<Peck> {
return this.call('cancelPeck', input, options)
}

/**
 * Revoke a permission that you gave
 *
 * `POST /beak/peck/revoke`
 */
revokeGrant(input: RevokeGrantInput, options?: CallOptions): Promise<Peck> {
return this.call('revokeGrant', input, options)
}

/**
 * Revoke all permissions that you gave to one asker
 *
 * Revokes the active permissions of an agent, or those that a person asked for without an agent. `items` says how often each had been used. One call revokes at most 1,000. With `has_more`, call it again.
 *
 * `POST /beak/peck/revoke-all`
 */
revokeAllGrants(input: RevokeAllGrantsInput, options?: CallOptions): Promise<RevokeAllGrantsOutput> {
return this.call('revokeAllGrants', input, options)
}

/**
 * Spend one use of a permission
 *
 * Call this in the service that is about to do what was approved, before doing it. `params` must equal the approved params. Of many simultaneous uses of a `limited` grant, exactly one succeeds.
 *
 * `POST /beak/peck/consume`
 */
consumeGrant(input: ConsumeGrantInput, options?: CallOptions): Promise<ConsumedGrant> {
return this.call('consumeGrant', input, options)
}

/**
 * List the pecks you sent and received
 *
 * A person also sees the pecks of their agents. An agent sees only the pecks that it sent. `grant_status=active` lists the active permissions. `asker` is the id of the agent, or of the person, that asked. `peck_ids` selects up to 100 pecks.
 *
 * An agent needs the capability `read:peck`.
 *
 * `GET /beak/peck/history`
 */
listPecks(input: ListPecksInput = {}, options?: CallOptions): Promise<ListPecksOutput> {
return this.call('listPecks', input, options)
}

/**
 * List who asked you, and for what
 *
 * The agents and people whose requests you have seen, by name, each with the actions and how often you approved them. Their ids and actions are the filters of `GET /beak/peck/history`.
 *
 * `GET /beak/peck/askers`
 */
listAskers(options?: CallOptions): Promise<ListAskersOutput> {
return this.call('listAskers', {}, options)
}

/**
 * Read what helps to decide on pecks
 *
 * For up to 100 pecks that you sent or received, in `peck_ids`, separated by commas: the lifetime asked for, the certificate of the person behind the request, whether you block them, whether a passkey signed the approval, and when the grant was revoked. Pecks of other people are left out.
 *
 * `GET /beak/peck/details`
 */
getPeckDetails(input: GetPeckDetailsInput, options?: CallOptions): Promise<GetPeckDetailsOutput> {
return this.call('getPeckDetails', input, options)
}

/**
 * List the pecks that wait for you
 *
 * One line for each peck, newest first: who asks, for what, the value that decides most, and the risk.
 *
 * `GET /beak/peck/inbox`
 */
readInbox(input: ReadInboxInput = {}, options?: CallOptions): Promise<Inbox> {
return this.call('readInbox', input, options)
}

/**
 * Share the receipt of a peck
 *
 * Gives the receipt a public page, with the names of both sides. Each side has its own link. Without `values` the page does not show the params. A second call keeps the link. The link of the requester ends when the target ends it or closes the account, and the requester cannot make another one.
 *
 * `POST /beak/peck/share`
 */
shareReceipt(input: ShareReceiptInput, options?: CallOptions): Promise<ReceiptShare> {
return this.call('shareReceipt', input, options)
}

/**
 * Stop sharing a receipt
 *
 * The link of the caller becomes invalid at once. The target also ends the link of the requester, who cannot share the receipt again. The link of the target stays valid when the requester stops.
 *
 * `POST /beak/peck/unshare`
 */
unshareReceipt(input: UnshareReceiptInput, options?: CallOptions): Promise<UnshareReceiptOutput> {
return this.call('unshareReceipt', input, options)
}

/**
 * Read a shared receipt
 *
 * Returns the receipt to anybody who has the link. Verify the receipt with the keys of the service before you rely on it.
 *
 * `GET /beak/peck/shared`
 */
readSharedReceipt(input: ReadSharedReceiptInput, options?: CallOptions): Promise<SharedReceipt> {
return this.call('readSharedReceipt', input, options)
}

/**
 * Approve or reject several pecks
 *
 * Decides up to 100 pecks, with an outcome for each. Pecks with a high risk, first contacts and pecks that need a passkey are not approved: approve each with `POST /beak/peck/approve`.
 *
 * `POST /beak/peck/decide`
 */
decidePecks(input: DecidePecksInput, options?: CallOptions): Promise<DecidePecksOutput> {
return this.call('decidePecks', input, options)
}

/**
 * See a peck, or wait until it is decided
 *
 * With `wait`, the answer comes when the peck is decided or after that many seconds. An account and its agents together may have 20 long polls and streams open.
 *
 * An agent needs the capability `read:peck`.
 *
 * `GET /beak/peck/status`
 */
getPeck(input: GetPeckInput, options?: CallOptions): Promise<Peck> {
return this.call('getPeck', input, options)
}

/**
 * Get the receipt of an outcome
 *
 * Proves the outcome of a request, signed by the service and by the passkey that decided. `values=false` leaves the values out, and with them a passkey’s signature on version 1. See docs/receipts/format.md.
 *
 * An agent needs the capability `read:peck`.
 *
 * `GET /beak/peck/outcome`
 */
getOutcomeReceipt(input: GetOutcomeReceiptInput, options?: CallOptions): Promise<OutcomeReceipt> {
return this.call('getOutcomeReceipt', input, options)
}

/**
 * Get the receipt of an approval, version 1
 *
 * Deprecated since 2026-11-23. It may be gone from 2027-02-23 on.
 *
 * Use `getOutcomeReceipt` instead. Shows the asker and the target exactly what was approved, signed by the service and, if a passkey signed version 1 of the statement, by that passkey. The pages sign version 2.
 *
 * `GET /beak/peck/receipt`
 *
 * @deprecated
 */
getReceipt(input: GetReceiptInput, options?: CallOptions): Promise<Receipt> {
return this.call('getReceipt', input, options)
}

/**
 * Block a duckling
 *
 * You no longer receive pecks from the duckling and its agents, and their waiting pecks are hidden from you. The duckling is not notified: its pecks look pending until they expire. `hidden_pecks` is the number of hidden pecks. Unblocking brings back the hidden pecks that are still pending. Permissions that you gave stay active.
 *
 * `POST /beak/peck/block`
 */
blockDuckling(input: BlockDucklingInput, options?: CallOptions): Promise<BlockDucklingOutput> {
return this.call('blockDuckling', input, options)
}

/**
 * Unblock a duckling
 *
 * The pecks that the block hid wait for you again, unless they have expired or were cancelled. `restored_pecks` is their number. A peck that the duckling sent while it was blocked stays hidden until the duckling sends it again.
 *
 * `POST /beak/peck/unblock`
 */
unblockDuckling(input: UnblockDucklingInput, options?: CallOptions): Promise<UnblockDucklingOutput> {
return this.call('unblockDuckling', input, options)
}

/**
 * Let a duckling ask again
 *
 * Ends the pause that your rejections caused for a duckling and its agents, also for your own agents with your own id. The rejections stay. A later rejection pauses again.
 *
 * `POST /beak/peck/unpause`
 */
liftPause(input: LiftPauseInput, options?: CallOptions): Promise<LiftPauseOutput> {
return this.call('liftPause', input, options)
}

/**
 * List the ducklings that you have blocked
 *
 * Newest first. The blocked ducklings are not told, and nobody else can see this list.
 *
 * `GET /beak/peck/blocks`
 */
listBlocks(input: ListBlocksInput = {}, options?: CallOptions): Promise<ListBlocksOutput> {
return this.call('listBlocks', input, options)
}

/**
 * Register an agent
 *
 * Registers an agent of yours. You can have 25 live agents. `beak_key` and `handshake_token` are shown only once: give both to the agent, which bonds with POST /beak/agent/bond within an hour. It needs a recent proof of you. A session of the device flow only prepares the agent: its status is `suspended`, and it can bond after you have resumed it on its page. `agent_type` is free text. A name must not contain a reserved word such as beak, support or official, or a word that looks like one.
 *
 * `POST /beak/agent/register`
 */
registerAgent(input: RegisterAgentInput, options?: CallOptions): Promise<RegisterAgentOutput> {
return this.call('registerAgent', input, options)
}

/**
 * List your agents
 *
 * Newest first. `include=deregistered` also lists deregistered agents. `q` lists only agents whose name, id, type or capabilities contain that text, in upper or lower case. `key.retired_key_uses` counts the uses of retired or expired keys of the agent. A number above zero means that somebody still has such a key.
 *
 * `GET /beak/agent/list`
 */
listAgents(input: ListAgentsInput = {}, options?: CallOptions): Promise<ListAgentsOutput> {
return this.call('listAgents', input, options)
}

/**
 * See what your agents are doing
 *
 * Your agents without deregistered ones. Agents that wait for your answer come first. `peck` is the newest request of the agent that waits for you. Without such a request, it is the newest one that waits for somebody else. Without any waiting request, it is the one that changed last among the 20 newest.
 *
 * `GET /beak/agent/activity`
 */
listAgentActivity(options?: CallOptions): Promise<ListAgentActivityOutput> {
return this.call('listAgentActivity', {}, options)
}

/**
 * Change an agent
 *
 * Changes its name, and whether its key is accepted in the query string (`?beak_key=`). Capabilities cannot be changed: register another agent instead.
 *
 * `POST /beak/agent/update`
 */
updateAgent(input: UpdateAgentInput, options?: CallOptions): Promise<Agent> {
return this.call('updateAgent', input, options)
}

/**
 * Bond an agent
 *
 * Called by the agent itself, with its key in `X-Beak-Key` (or as bearer token, never in the query string) and the handshake token from its operator.
 *
 * `POST /beak/agent/bond`
 */
bondAgent(input: BondAgentInput, options?: CallOptions): Promise<Agent> {
return this.call('bondAgent', input, options)
}

/**
 * Make a new handshake token
 *
 * For an agent that has not bonded yet. The old token stops working, and the new one is shown only once. When another session registered the agent, this needs a passkey proof in the last 10 minutes, or a sign-in in the last 10 minutes when the account has no passkey.
 *
 * `POST /beak/agent/handshake`
 */
createHandshake(input: CreateHandshakeInput, options?: CallOptions): Promise<CreateHandshakeOutput> {
return this.call('createHandshake', input, options)
}

/**
 * Suspend an agent
 *
 * Stops the agent until you resume it. Its key, pecks and grants are not ended, but do not work while it is suspended.
 *
 * `POST /beak/agent/suspend`
 */
suspendAgent(input: SuspendAgentInput, options?: CallOptions): Promise<Agent> {
return this.call('suspendAgent', input, options)
}

/**
 * Resume an agent
 *
 * Resumes a suspended agent. Its status is `bonded` again, or `registered` when it has never bonded. An agent that the undo of a change of address has suspended needs a recent proof.
 *
 * `POST /beak/agent/resume`
 */
resumeAgent(input: ResumeAgentInput, options?: CallOptions): Promise<Agent> {
return this.call('resumeAgent', input, options)
}

/**
 * Deregister an agent
 *
 * Ends the agent permanently. Its key stops working, its pending pecks are cancelled, and its unused grants and SSO tokens are revoked. The answer lists them.
 *
 * `POST /beak/agent/deregister`
 */
deregisterAgent(input: DeregisterAgentInput, options?: CallOptions): Promise<DeregisterAgentOutput> {
return this.call('deregisterAgent', input, options)
}

/**
 * Preview what deregistering an agent ends
 *
 * Counts the pending pecks, the unspent grants and the SSO tokens of the agent, which end with it. All are 0 for an agent that is not yours.
 *
 * `GET /beak/agent/deregister/preview`
 */
previewAgentDeregistration(input: PreviewAgentDeregistrationInput, options?: CallOptions): Promise<PreviewAgentDeregistrationOutput> {
return this.call('previewAgentDeregistration', input, options)
}

/**
 * Prove an agent to a third party
 *
 * Returns a JWT (`typ: agent+jwt`) for one audience, valid for five minutes. The third party verifies it with /.well-known/jwks.json, so the agent does not show its key. This API does not accept the token.
 *
 * `POST /beak/agent/token`
 */
issueAgentToken(input: IssueAgentTokenInput, options?: CallOptions): Promise<IssueAgentTokenOutput> {
return this.call('issueAgentToken', input, options)
}

/**
 * Check an agent
 *
 * Returns whether the agent exists and is bonded, and who its operator is. Anybody can ask.
 *
 * `GET /beak/agent/verify`
 */
verifyAgent(input: VerifyAgentInput, options?: CallOptions): Promise<VerifyAgentOutput> {
return this.call('verifyAgent', input, options)
}

/**
 * Rotate a beak key
 *
 * Creates a new key for one of your agents, shown only once. The old key stops working immediately. An agent that has not bonded yet also gets a new handshake token. Needs a passkey proof in the last 10 minutes, or a sign-in in the last 10 minutes when the account has no passkey.
 *
 * `POST /beak/key/rotate`
 */
rotateKey(input: RotateKeyInput, options?: CallOptions): Promise<RotateKeyOutput> {
return this.call('rotateKey', input, options)
}

/**
 * Issue an SSO token
 *
 * The token is for one domain and valid for five minutes. Only this answer contains it. The domain verifies it with /beak/sso/verify, or you exchange it with POST /beak/sso/bridge. With a session, the first token for a domain needs a recent proof of you, and then one every 30 days.
 *
 * An agent needs the capability `issue:sso`.
 *
 * `POST /beak/sso/issue`
 */
issueSsoToken(input: IssueSsoTokenInput, options?: CallOptions): Promise<IssueSsoTokenOutput> {
return this.call('issueSsoToken', input, options)
}

/**
 * Verify an SSO token
 *
 * Returns the owner of a valid token, or `{"active": false}` for an invalid token or one for another `domain`. Does not spend the token. Proxies may log a token in the URL, so prefer POST.
 *
 * `GET /beak/sso/verify`
 */
verifySsoTokenInQuery(input: VerifySsoTokenInQueryInput, options?: CallOptions): Promise<SsoVerdict> {
return this.call('verifySsoTokenInQuery', input, options)
}

/**
 * Verify an SSO token sent in the body
 *
 * `POST /beak/sso/verify`
 */
verifySsoToken(input: VerifySsoTokenInput, options?: CallOptions): Promise<SsoVerdict> {
return this.call('verifySsoToken', input, options)
}

/**
 * Exchange an SSO token for an access token
 *
 * Spends an SSO token of yours and returns an access token (JWT, 15 minutes). Its audience is the `target`, the domain that the SSO token was issued for. No other service accepts it, nor does this API.
 *
 * `POST /beak/sso/bridge`
 */
bridgeSsoToken(input: BridgeSsoTokenInput, options?: CallOptions): Promise<BridgeSsoTokenOutput> {
return this.call('bridgeSsoToken', input, options)
}

/**
 * Create a webhook endpoint
 *
 * Deliveries follow Standard Webhooks. Only this answer contains the `secret`. It needs a recent proof of you. A session of the device flow only prepares the endpoint: it is switched off until you enable it. Without `kinds`, or with an empty list, the endpoint receives every kind of event.
 *
 * `POST /beak/webhook/create`
 */
createWebhook(input: CreateWebhookInput, options?: CallOptions): Promise<WebhookWithSecret> {
return this.call('createWebhook', input, options)
}

/**
 * List your webhook endpoints
 *
 * `GET /beak/webhook/list`
 */
listWebhooks(input: ListWebhooksInput = {}, options?: CallOptions): Promise<ListWebhooksOutput> {
return this.call('listWebhooks', input, options)
}

/**
 * Change, disable or enable a webhook endpoint
 *
 * Properties that are not given do not change. Disabling an endpoint ends its pending deliveries as failed. You can send each again with POST /beak/webhook/redeliver. Enabling an endpoint that the undo of a change of address has disabled (`disabled_reason` is `email_restored`) needs a recent proof.
 *
 * `POST /beak/webhook/update`
 */
updateWebhook(input: UpdateWebhookInput, options?: CallOptions): Promise<Webhook> {
return this.call('updateWebhook', input, options)
}

/**
 * Delete a webhook endpoint and its deliveries
 *
 * `POST /beak/webhook/delete`
 */
deleteWebhook(input: DeleteWebhookInput, options?: CallOptions): Promise<DeleteWebhookOutput> {
return this.call('deleteWebhook', input, options)
}

/**
 * Send a webhook.test message to an endpoint
 *
 * Waits for the answer, at most 15 seconds, and returns it. The message is signed and recorded like any other, and a 410 disables the endpoint. There is no retry.
 *
 * `POST /beak/webhook/test`
 */
testWebhook(input: TestWebhookInput, options?: CallOptions): Promise<WebhookTest> {
return this.call('testWebhook', input, options)
}

/**
 * Rotate the secret of a webhook endpoint
 *
 * Only this answer contains the new `secret`. For 24 hours every delivery has two signatures, one of the new secret and one of the old.
 *
 * `POST /beak/webhook/rotate-secret`
 */
rotateWebhookSecret(input: RotateWebhookSecretInput, options?: CallOptions): Promise<WebhookWithSecret> {
return this.call('rotateWebhookSecret', input, options)
}

/**
 * Redeliver a message
 *
 * Name the delivery by `delivery_id`, or by `message_id` and, when the message was sent to several endpoints, `webhook_id`. The message keeps its `webhook-id` and gets eight new attempts, the first immediately. They replace a retry that is still waiting.
 *
 * `POST /beak/webhook/redeliver`
 */
redeliverMessage(input: RedeliverMessageInput = {}, options?: CallOptions): Promise<WebhookDelivery> {
return this.call('redeliverMessage', input, options)
}

/**
 * List the deliveries to your webhook endpoints
 *
 * Deliveries are kept for 30 days. Each attempt shows the first 1 KiB of the answer and none of its headers.
 *
 * `GET /beak/webhook/deliveries`
 */
listDeliveries(input: ListDeliveriesInput = {}, options?: CallOptions): Promise<ListDeliveriesOutput> {
return this.call('listDeliveries', input, options)
}

/**
 * Read your audit log
 *
 * Everything that happened to your account, refused attempts included, newest first. The events form a hash chain whose signed end is at GET /beak/audit/head; `beak audit verify` checks an export of it (/docs/sites/check-it-yourself). `names=true` adds the names behind the ids.
 *
 * An agent needs the capability `read:audit`.
 *
 * `GET /beak/audit`
 */
listAuditEvents(input: ListAuditEventsInput = {}, options?: CallOptions): Promise<ListAuditEventsOutput> {
return this.call('listAuditEvents', input, options)
}

/**
 * Get the signed head of your audit log
 *
 * Save the head. With it, anybody can find out later whether the events up to it were changed.
 *
 * `GET /beak/audit/head`
 */
getAuditHead(options?: CallOptions): Promise<AuditHead> {
return this.call('getAuditHead', {}, options)
}

/**
 * Prove that the transparency log has your audit log
 *
 * Proves that the log includes the newest logged head of your audit log, the head that covers event `seq`, or your passkey `passkey_id`. With `first`, the answer also proves consistency from that tree size to `second` (default: the size of the checkpoint). `entry` is null until the log has an entry of yours: events are logged within a minute. With `heads=true`, the answer also lists every logged head of your audit log. Hashes are base64, and proofs follow RFC 6962. Save the answer: `beak audit verify -- export.json --checkpoint proof.json` compares it later with your export and with the log, and finds everything that was rewritten.
 *
 * `GET /beak/audit/proof`
 */
getAuditProof(input: GetAuditProofInput = {}, options?: CallOptions): Promise<LogProof> {
return this.call('getAuditProof', input, options)
}

/**
 * Name, version and time
 *
 * Uses no database, so its response time is the round-trip time of the network.
 *
 * `GET /beak/`
 */
getService(options?: CallOptions): Promise<GetServiceOutput> {
return this.call('getService', {}, options)
}

/**
 * Public counts
 *
 * The counts are at most 10 seconds old. `as_of` is the time when they were read.
 *
 * `GET /beak/metrics`
 */
getMetrics(options?: CallOptions): Promise<Metrics> {
return this.call('getMetrics', {}, options)
}

/**
 * Public counts over time
 *
 * One value for each day (UTC) and count, oldest first; the last one is the count now. More than 120 days are given week by week (`step`). `views` sums the page views of each step. `since` is the first recorded day.
 *
 * `GET /beak/metrics/history`
 */
getMetricsHistory(input: GetMetricsHistoryInput = {}, options?: CallOptions): Promise<MetricsHistory> {
return this.call('getMetricsHistory', input, options)
}

/**
 * Status of earlier days, and incidents
 *
 * For each component, one entry per day (UTC), oldest first, and the part of the measured time without an outage. `incidents` are measured once a minute or written by the operator. An outage of the database is recorded when the database is back.
 *
 * `GET /beak/system/history`
 */
getStatusHistory(input: GetStatusHistoryInput = {}, options?: CallOptions): Promise<StatusHistory> {
return this.call('getStatusHistory', input, options)
}

/**
 * Status of the service
 *
 * Answers 200 also during an outage. `agents_alive` is the number of bonded agents seen in the last five minutes. `api_latency_ms` is the median of the latest answers.
 *
 * `GET /beak/system/status`
 */
getStatus(options?: CallOptions): Promise<SystemStatus> {
return this.call('getStatus', {}, options)
}

/**
 * Record a page view
 *
 * Stores only the page and the referrer, both without query string and fragment.
 *
 * `POST /beak/pageview`
 */
recordPageview(input: RecordPageviewInput, options?: CallOptions): Promise<RecordPageviewOutput> {
return this.call('recordPageview', input, options)
}

/**
 * Subscribe to the newsletter or a partner list
 *
 * Mails a link to confirm the subscription. The answer is the same for known and unknown addresses.
 *
 * `POST /beak/newsletter/subscribe`
 */
subscribe(input: SubscribeInput, options?: CallOptions): Promise<SubscribeOutput> {
return this.call('subscribe', input, options)
}

/**
 * Confirm a subscription
 *
 * `token` is the token of the mailed link.
 *
 * `POST /beak/newsletter/confirm`
 */
confirmSubscription(input: ConfirmSubscriptionInput, options?: CallOptions): Promise<ConfirmSubscriptionOutput> {
return this.call('confirmSubscription', input, options)
}

/**
 * Unsubscribe
 *
 * `token` is the token of the mailed link.
 *
 * `POST /beak/newsletter/unsubscribe`
 */
unsubscribe(input: UnsubscribeInput, options?: CallOptions): Promise<UnsubscribeOutput> {
return this.call('unsubscribe', input, options)
}

/**
 * Contact support
 *
 * Support answers by mail. An address gets at most one receipt per hour.
 *
 * `POST /beak/support/contact`
 */
contactSupport(input: ContactSupportInput, options?: CallOptions): Promise<ContactSupportOutput> {
return this.call('contactSupport', input, options)
}

/**
 * This API reference as OpenAPI 3.1
 *
 * `GET /beak/openapi.json`
 */
getOpenapi(options?: CallOptions): Promise<GetOpenapiOutput> {
return this.call('getOpenapi', {}, options)
}

/**
 * Public keys of the service
 *
 * RFC 7517. A new key is published two minutes before it signs. Old keys stay, so that their signatures can still be verified. A stolen key is removed from `keys` and named in `distrusted`: do not accept its signatures, and check again everything that you have accepted since `from`.
 *
 * `GET /.well-known/jwks.json`
 */
getPublicKeys(options?: CallOptions): Promise<Jwks> {
return this.call('getPublicKeys', {}, options)
}

/**
 * Metadata of the MCP server
 *
 * RFC 9728. The same as at `/.well-known/oauth-protected-resource/mcp`.
 *
 * `GET /.well-known/oauth-protected-resource`
 */
getProtectedResource(options?: CallOptions): Promise<ProtectedResource> {
return this.call('getProtectedResource', {}, options)
}

/**
 * Metadata of the MCP server, at its path
 *
 * RFC 9728. The path is `mcp`. The header `WWW-Authenticate` of a 401 from the MCP server names this address.
 *
 * `GET /.well-known/oauth-protected-resource/{path}`
 */
getProtectedResourceAt(input: GetProtectedResourceAtInput, options?: CallOptions): Promise<ProtectedResource> {
return this.call('getProtectedResourceAt', input, options)
}

/**
 * Status list of birth certificates
 *
 * Returns a signed Bitstring Status List credential. The bit of a certificate is set when it is revoked or superseded.
 *
 * `GET /.well-known/status-list/{n}`
 */
getStatusList(input: GetStatusListInput, options?: CallOptions): Promise<string> {
return this.call('getStatusList', input, options)
}

/**
 * Newest checkpoint of the transparency log
 *
 * A signed note (C2SP tlog-checkpoint): the origin, the number of entries and the root hash, signed by the log and cosigned by witnesses. The log has digests of the newest events of all audit logs and of passkeys, and no personal data. A new checkpoint follows within a minute of a change.
 *
 * `GET /.well-known/tlog/checkpoint`
 */
getLogCheckpoint(options?: CallOptions): Promise<string> {
return this.call('getLogCheckpoint', {}, options)
}

/**
 * Tile of the transparency log
 *
 * C2SP tlog-tiles: `<L>/<N>` has 256 hashes of level L. `entries/<N>` has 256 entries, each with its length in two bytes before it. Add `.p/<W>` to get the first W hashes or entries of a tile that is not full.
 *
 * `GET /.well-known/tlog/tile/{path}`
 */
getLogTile(input: GetLogTileInput, options?: CallOptions): Promise<Uint8Array> {
return this.call('getLogTile', input, options)
}

/**
 * Verifier keys of the transparency log
 *
 * One key in each line, newest first, in the format of C2SP signed-note. Save these keys. Ask us when a key changes without an announcement.
 *
 * `GET /.well-known/tlog/vkeys`
 */
getLogVerifierKeys(options?: CallOptions): Promise<string> {
return this.call('getLogVerifierKeys', {}, options)
}
}
