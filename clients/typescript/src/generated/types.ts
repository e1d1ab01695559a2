/** Generated from clients/operations.json. Do not edit. */

import type { CodeSent, Profile, PasskeyCreationOptions, Passkey, RegistrationCredential, AssertionCredential, PasskeyRequestOptions, PasskeyChallenge, ListedPasskey, PasskeyRecovery, DeviceCodes, WaitingDevice, DeviceDecision, Session, ApprovedDevice, Overview, AccountExport, Notifications, Certificate, NewestKey, Peck, ParamTypes, ReceiptShare, WebhookDelivery, AuditEvent, Jwks, LogProof, ClosedAccount, ClosingPreview, GrantedProfile, DirectoryEntry, CertificateVerification, RevokedPermission, ConsumedGrant, KnownAsker, PeckDetails, Inbox, SharedReceipt, OutcomeReceipt, DecisionOutcome, Receipt, PeckBlock, Agent, AgentActivity, SsoVerdict, WebhookWithSecret, Webhook, WebhookTest, AuditHead, Metrics, MetricsHistory, StatusHistory, SystemStatus, ProtectedResource } from './schemas'
/** An operation without fields. */
export type NoInput = Record<string, never>
/** Fields of {@link Beak.signUp}. */
export interface SignUpInput {
email: string
display_name?: string | undefined
password?: string | undefined
referral_code?: string | undefined
}

export interface SignUpOutput {
success: true
message: string
duckling_id: string
token: string
/** Time in UTC (ISO 8601). */
expires_at: string
trust_tier: "T0" | "T1" | "T2" | "T3"
}

/** Fields of {@link Beak.verifyEmail}. */
export interface VerifyEmailInput {
otp: string
}

export interface VerifyEmailOutput {
success: true
trust_tier: "T1"
duckling_id: string
}

/** Fields of {@link Beak.changeEmail}. */
export interface ChangeEmailInput {
new_email: string
otp?: string | undefined
}

export type ChangeEmailOutput = Profile | CodeSent

/** Fields of {@link Beak.undoEmailChange}. */
export interface UndoEmailChangeInput {
token: string
}

export interface UndoEmailChangeOutput {
success: true
/** When the address is restored. Null: it is restored now. */
restores_at: string | null
}

/** Fields of {@link Beak.cancelEmailUndo}. */
export interface CancelEmailUndoInput {
}

export interface CancelEmailUndoOutput {
success: true
}

/** Fields of {@link Beak.signIn}. */
export interface SignInInput {
email: string
otp?: string | undefined
password?: string | undefined
/** The `device_token` of an earlier sign-in. Ignored when it is not valid for the account. */
device_token?: string | undefined
}

export interface SignInOutput {
token: string
/** Time in UTC (ISO 8601). */
expires_at: string
trust_tier: "T0" | "T1" | "T2" | "T3"
device_token: string
}

/** Fields of {@link Beak.requestSignInCode}. */
export interface RequestSignInCodeInput {
email: string
/** The `device_token` of an earlier sign-in. Ignored when it is not valid for the account. */
device_token?: string | undefined
}

/** Fields of {@link Beak.finishPasskeyRegistration}. */
export interface FinishPasskeyRegistrationInput {
credential: RegistrationCredential
name?: string | undefined
}

/** Fields of {@link Beak.signInWithPasskey}. */
export interface SignInWithPasskeyInput {
credential: AssertionCredential
/** The `device_token` of an earlier sign-in. Ignored when it is not valid for the account. */
device_token?: string | undefined
}

export interface SignInWithPasskeyOutput {
token: string
/** Time in UTC (ISO 8601). */
expires_at: string
trust_tier: "T0" | "T1" | "T2" | "T3"
duckling_id: string
device_token: string
}

/** Fields of {@link Beak.requestPasskeyChallenge}. */
export type RequestPasskeyChallengeInput = {
purpose: "elevate"
} | {
purpose: "confirm"
} | {
purpose: "approve"
peck_id: string
/** Version of the statement that the passkey signs. Default: 1. */
statement_version?: number
} | {
purpose: "reject"
peck_id: string
}

/** Fields of {@link Beak.confirmPasskey}. */
export interface ConfirmPasskeyInput {
passkey: AssertionCredential
}

export interface ConfirmPasskeyOutput {
success: true
/** Time in UTC (ISO 8601). */
confirmed_until: string
}

export interface RecoverPasskeysOutput {
status: "pending"
/** Time in UTC (ISO 8601). */
requested_at: string
/** Time in UTC (ISO 8601). */
removes_at: string
}

/** Fields of {@link Beak.cancelPasskeyRecovery}. */
export interface CancelPasskeyRecoveryInput {
token?: string | undefined
}

export interface CancelPasskeyRecoveryOutput {
success: true
}

/** Fields of {@link Beak.listPasskeys}. */
export interface ListPasskeysInput {
/** How many items, at most 100. */
limit?: number | undefined
cursor?: string | undefined
}

export interface ListPasskeysOutput {
items: ListedPasskey[]
next_cursor: string | null
recovery: PasskeyRecovery | null
}

/** Fields of {@link Beak.removePasskey}. */
export interface RemovePasskeyInput {
passkey_id: string
}

export interface SignOutOutput {
success: true
}

/** Fields of {@link Beak.authorizeDevice}. */
export interface AuthorizeDeviceInput {
client_name: string
}

/** Fields of {@link Beak.redeemDeviceCode}. */
export interface RedeemDeviceCodeInput {
device_code: string
}

export interface RedeemDeviceCodeOutput {
token: string
/** Time in UTC (ISO 8601). */
expires_at: string
trust_tier: "T0" | "T1" | "T2" | "T3"
}

/** Fields of {@link Beak.viewDevice}. */
export interface ViewDeviceInput {
user_code: string
}

/** Fields of {@link Beak.approveDevice}. */
export interface ApproveDeviceInput {
user_code: string
}

/** Fields of {@link Beak.denyDevice}. */
export interface DenyDeviceInput {
user_code: string
}

/** Fields of {@link Beak.listSessions}. */
export interface ListSessionsInput {
/** How many items, at most 100. */
limit?: number | undefined
cursor?: string | undefined
}

export interface ListSessionsOutput {
items: Session[]
next_cursor: string | null
approved_devices: ApprovedDevice[]
}

/** Fields of {@link Beak.revokeSession}. */
export interface RevokeSessionInput {
session_id?: string | undefined
device_request_id?: string | undefined
all_others?: true | undefined
}

export interface RevokeSessionOutput {
success: true
revoked: number
}

/** Fields of {@link Beak.elevateTrust}. */
export interface ElevateTrustInput {
phone?: string | undefined
otp?: string | undefined
passkey?: AssertionCredential | undefined
}

export type ElevateTrustOutput = {
status: "challenge_sent"
/** Time in UTC (ISO 8601). */
expires_at: string
} | {
status: "elevated"
trust_tier: "T2" | "T3"
}

/** Fields of {@link Beak.getProfile}. */
export interface GetProfileInput {
/** The grant_token of an approved peck for the action read:profile. */
peck_grant?: string | undefined
}

export type GetProfileOutput = Profile | GrantedProfile

/** Fields of {@link Beak.updateProfile}. */
export interface UpdateProfileInput {
display_name?: string | undefined
bio?: string | null | undefined
directory_visible?: boolean | undefined
require_passkey_for_pecks?: boolean | undefined
min_peck_tier?: "T0" | "T1" | "T2" | "T3" | undefined
}

/** Fields of {@link Beak.changeName}. */
export interface ChangeNameInput {
new_display_name: string
}

/** Fields of {@link Beak.updateNotifications}. */
export interface UpdateNotificationsInput {
channels?: {
mail?: {
/** About which requests: `all`, only those of `others` and their agents, only those with a `high_risk`, or `none` */
requests?: "all" | "others" | "high_risk" | "none"
/** Whether a second message is sent before a request expires */
reminders?: boolean
}
} | undefined
quiet_hours?: {
/** Time of day in `time_zone`, as HH:MM */
from: string
/** Time of day in `time_zone`, as HH:MM */
to: string
} | null | undefined
/** IANA name, for instance Europe/Berlin */
time_zone?: string | null | undefined
}

/** Fields of {@link Beak.listDucklings}. */
export interface ListDucklingsInput {
/** How many items, at most 100. */
limit?: number | undefined
cursor?: string | undefined
tier?: "T0" | "T1" | "T2" | "T3" | undefined
}

export interface ListDucklingsOutput {
items: DirectoryEntry[]
next_cursor: string | null
self?: Profile
}

/** Fields of {@link Beak.listCertificates}. */
export interface ListCertificatesInput {
/** How many items, at most 100. */
limit?: number | undefined
cursor?: string | undefined
}

export interface ListCertificatesOutput {
items: Certificate[]
next_cursor: string | null
}

/** Fields of {@link Beak.verifyCertificate}. */
export interface VerifyCertificateInput {
cert_id: string
}

/** Fields of {@link Beak.revokeCertificate}. */
export interface RevokeCertificateInput {
reason: string
}

/** Fields of {@link Beak.requestPeck}. */
export interface RequestPeckInput {
target_duckling_id: string
action: string
scope: "limited" | "timed" | "standing"
params?: Record<string, unknown> | undefined
message?: string | undefined
expires_in?: number | undefined
grant_expires_in?: number | undefined
param_types?: ParamTypes | undefined
/** Host name of the service that the permission is meant for. */
audience?: string | undefined
}

/** Fields of {@link Beak.approvePeck}. */
export interface ApprovePeckInput {
peck_id: string
grant_expires_in?: number | undefined
passkey?: AssertionCredential | undefined
}

/** Fields of {@link Beak.rejectPeck}. */
export interface RejectPeckInput {
peck_id: string
reason: string
passkey?: AssertionCredential | undefined
}

/** Fields of {@link Beak.cancelPeck}. */
export interface CancelPeckInput {
peck_id: string
}

/** Fields of {@link Beak.revokeGrant}. */
export interface RevokeGrantInput {
peck_id: string
}

/** Fields of {@link Beak.revokeAllGrants}. */
export interface RevokeAllGrantsInput {
/** Id of the agent, or of the person, that asks. */
asker: string
}

export interface RevokeAllGrantsOutput {
items: RevokedPermission[]
/** Permissions of the asker are left: call it again. */
has_more: boolean
}

/** Fields of {@link Beak.consumeGrant}. */
export interface ConsumeGrantInput {
grant_token: string
params?: Record<string, unknown> | undefined
/** Your host name. A permission for another service is refused. */
audience?: string | undefined
}

/** Fields of {@link Beak.listPecks}. */
export interface ListPecksInput {
/** How many items, at most 100. */
limit?: number | undefined
cursor?: string | undefined
status?: "pending" | "approved" | "rejected" | "expired" | "cancelled" | undefined
grant_status?: "active" | "consumed" | "expired" | "revoked" | undefined
direction?: "sent" | "received" | undefined
/** Id of the agent, or of the person, that asks. */
asker?: string | undefined
action?: string | undefined
peck_ids?: string | undefined
}

export interface ListPecksOutput {
items: Peck[]
next_cursor: string | null
}

export interface ListAskersOutput {
items: KnownAsker[]
}

/** Fields of {@link Beak.getPeckDetails}. */
export interface GetPeckDetailsInput {
peck_ids: string
}

export interface GetPeckDetailsOutput {
items: PeckDetails[]
}

/** Fields of {@link Beak.readInbox}. */
export interface ReadInboxInput {
/** Id of the agent, or of the person, that asks. */
asker?: string | undefined
action?: string | undefined
risk?: "low" | "medium" | "high" | undefined
/** Sent in the last hour, in the last day, or before. */
age?: "hour" | "day" | "older" | undefined
/** Words that must all occur in the names, the action, the params or the message. */
q?: string | undefined
/** The second list: requests of strangers beyond their budget. */
list?: "strangers" | undefined
limit?: number | undefined
}

/** Fields of {@link Beak.shareReceipt}. */
export interface ShareReceiptInput {
peck_id: string
/** Whether the page also shows the params and what the decision page displayed. It never shows secret values: with one, it shows only the other params. */
values?: boolean | undefined
}

/** Fields of {@link Beak.unshareReceipt}. */
export interface UnshareReceiptInput {
peck_id: string
}

export interface UnshareReceiptOutput {
success: true
peck_id: string
}

/** Fields of {@link Beak.readSharedReceipt}. */
export interface ReadSharedReceiptInput {
id: string
}

/** Fields of {@link Beak.decidePecks}. */
export interface DecidePecksInput {
decision: "approve" | "reject"
peck_ids: string[]
/** Needed to reject. The askers can read it. */
reason?: string | undefined
}

export interface DecidePecksOutput {
items: DecisionOutcome[]
}

/** Fields of {@link Beak.getPeck}. */
export interface GetPeckInput {
peck_id: string
/** Seconds to wait for the decision. */
wait?: number | undefined
}

/** Fields of {@link Beak.getOutcomeReceipt}. */
export interface GetOutcomeReceiptInput {
peck_id: string
/** Default: true. */
values?: boolean | undefined
}

/** Fields of {@link Beak.getReceipt}. */
export interface GetReceiptInput {
peck_id: string
}

/** Fields of {@link Beak.blockDuckling}. */
export interface BlockDucklingInput {
duckling_id: string
}

export interface BlockDucklingOutput {
success: true
duckling_id: string
blocked: boolean
/** After a block: how many pecks that waited for you it hid. */
hidden_pecks?: number
/** After unblocking: how many of those wait for you again. */
restored_pecks?: number
}

/** Fields of {@link Beak.unblockDuckling}. */
export interface UnblockDucklingInput {
duckling_id: string
}

export interface UnblockDucklingOutput {
success: true
duckling_id: string
blocked: boolean
/** After a block: how many pecks that waited for you it hid. */
hidden_pecks?: number
/** After unblocking: how many of those wait for you again. */
restored_pecks?: number
}

/** Fields of {@link Beak.liftPause}. */
export interface LiftPauseInput {
duckling_id: string
}

export interface LiftPauseOutput {
success: true
duckling_id: string
/** How many rejections no longer pause requests. */
lifted_rejections: number
}

/** Fields of {@link Beak.listBlocks}. */
export interface ListBlocksInput {
/** How many items, at most 100. */
limit?: number | undefined
cursor?: string | undefined
}

export interface ListBlocksOutput {
items: PeckBlock[]
next_cursor: string | null
}

/** Fields of {@link Beak.registerAgent}. */
export interface RegisterAgentInput {
agent_name: string
agent_type: string
capabilities: string[]
allow_query_key?: boolean | undefined
}

export interface RegisterAgentOutput {
agent_id: string
agent_name: string
agent_type: string
capabilities: string[]
/** `suspended`: a session of the device flow prepared the agent. Its owner resumes it. */
status: "registered" | "suspended"
beak_key: string
key_id: string
/** Time in UTC (ISO 8601). */
key_expires_at: string
handshake_token: string
/** Time in UTC (ISO 8601). */
handshake_expires_at: string
}

/** Fields of {@link Beak.listAgents}. */
export interface ListAgentsInput {
/** How many items, at most 100. */
limit?: number | undefined
cursor?: string | undefined
include?: "deregistered" | undefined
/** Part of a name, an id, a type or a capability. */
q?: string | undefined
}

export interface ListAgentsOutput {
items: Agent[]
next_cursor: string | null
}

export interface ListAgentActivityOutput {
items: AgentActivity[]
}

/** Fields of {@link Beak.updateAgent}. */
export interface UpdateAgentInput {
agent_id: string
agent_name?: string | undefined
allow_query_key?: boolean | undefined
}

/** Fields of {@link Beak.bondAgent}. */
export interface BondAgentInput {
agent_id: string
handshake_token: string
}

/** Fields of {@link Beak.createHandshake}. */
export interface CreateHandshakeInput {
agent_id: string
}

export interface CreateHandshakeOutput {
agent_id: string
handshake_token: string
/** Time in UTC (ISO 8601). */
handshake_expires_at: string
}

/** Fields of {@link Beak.suspendAgent}. */
export interface SuspendAgentInput {
agent_id: string
}

/** Fields of {@link Beak.resumeAgent}. */
export interface ResumeAgentInput {
agent_id: string
}

/** Fields of {@link Beak.deregisterAgent}. */
export interface DeregisterAgentInput {
agent_id: string
}

export interface DeregisterAgentOutput {
agent_id: string
agent_name: string
agent_type: string
capabilities: string[]
status: "registered" | "bonded" | "suspended" | "deregistered"
allow_query_key: boolean
key: NewestKey
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
bonded_at: string | null
/** Time in UTC (ISO 8601). */
last_seen_at: string | null
retired_keys: string[]
cancelled_pecks: string[]
revoked_grants: string[]
revoked_sso_tokens: string[]
}

/** Fields of {@link Beak.previewAgentDeregistration}. */
export interface PreviewAgentDeregistrationInput {
agent_id: string
}

export interface PreviewAgentDeregistrationOutput {
agent_id: string
pending_pecks: number
active_grants: number
sso_tokens: number
}

/** Fields of {@link Beak.issueAgentToken}. */
export interface IssueAgentTokenInput {
audience: string
}

export interface IssueAgentTokenOutput {
token: string
token_type: "Bearer"
/** Time in UTC (ISO 8601). */
expires_at: string
audience: string
}

/** Fields of {@link Beak.verifyAgent}. */
export interface VerifyAgentInput {
agent_id: string
}

export interface VerifyAgentOutput {
agent_id: string
valid: boolean
status: "registered" | "bonded" | "suspended" | "deregistered"
agent_name: string
agent_type: string
capabilities: string[]
/** Time in UTC (ISO 8601). */
bonded_at: string | null
operator: {
duckling_id: string
display_name: string
trust_tier: "T0" | "T1" | "T2" | "T3"
certified: boolean
cert_id: string | null
}
/** Time in UTC (ISO 8601). */
checked_at: string
}

/** Fields of {@link Beak.rotateKey}. */
export interface RotateKeyInput {
agent_id: string
expires_in_days?: number | undefined
}

export interface RotateKeyOutput {
agent_id: string
key_id: string
beak_key: string
/** Time in UTC (ISO 8601). */
expires_at: string
handshake_token?: string
/** Time in UTC (ISO 8601). */
handshake_expires_at?: string
}

/** Fields of {@link Beak.issueSsoToken}. */
export interface IssueSsoTokenInput {
target_domain: string
scope: string
}

export interface IssueSsoTokenOutput {
sso_token: string
target_domain: string
scope: string
/** Time in UTC (ISO 8601). */
expires_at: string
}

/** Fields of {@link Beak.verifySsoTokenInQuery}. */
export interface VerifySsoTokenInQueryInput {
token: string
domain?: string | undefined
}

/** Fields of {@link Beak.verifySsoToken}. */
export interface VerifySsoTokenInput {
token: string
domain?: string | undefined
}

/** Fields of {@link Beak.bridgeSsoToken}. */
export interface BridgeSsoTokenInput {
sso_token: string
target: string
}

export interface BridgeSsoTokenOutput {
token: string
token_type: "Bearer"
/** Time in UTC (ISO 8601). */
expires_at: string
target: string
scope: string
}

/** Fields of {@link Beak.createWebhook}. */
export interface CreateWebhookInput {
url: string
kinds?: ("passkey.recovery_started" | "passkey.recovery_cancelled" | "passkey.recovered" | "trust.elevated" | "trust.lowered" | "cert.issued" | "cert.revoked" | "agent.registered" | "agent.bonded" | "agent.suspended" | "agent.deregistered" | "key.rotated" | "peck.sent" | "peck.approved" | "peck.rejected" | "peck.expired" | "peck.consumed" | "webhook.test")[] | undefined
description?: string | null | undefined
}

/** Fields of {@link Beak.listWebhooks}. */
export interface ListWebhooksInput {
/** How many items, at most 100. */
limit?: number | undefined
cursor?: string | undefined
}

export interface ListWebhooksOutput {
items: Webhook[]
next_cursor: string | null
}

/** Fields of {@link Beak.updateWebhook}. */
export interface UpdateWebhookInput {
webhook_id: string
url?: string | undefined
kinds?: ("passkey.recovery_started" | "passkey.recovery_cancelled" | "passkey.recovered" | "trust.elevated" | "trust.lowered" | "cert.issued" | "cert.revoked" | "agent.registered" | "agent.bonded" | "agent.suspended" | "agent.deregistered" | "key.rotated" | "peck.sent" | "peck.approved" | "peck.rejected" | "peck.expired" | "peck.consumed" | "webhook.test")[] | undefined
description?: string | null | undefined
enabled?: boolean | undefined
}

/** Fields of {@link Beak.deleteWebhook}. */
export interface DeleteWebhookInput {
webhook_id: string
}

export interface DeleteWebhookOutput {
success: true
webhook_id: string
}

/** Fields of {@link Beak.testWebhook}. */
export interface TestWebhookInput {
webhook_id: string
}

/** Fields of {@link Beak.rotateWebhookSecret}. */
export interface RotateWebhookSecretInput {
webhook_id: string
}

/** Fields of {@link Beak.redeliverMessage}. */
export interface RedeliverMessageInput {
delivery_id?: string | undefined
message_id?: string | undefined
webhook_id?: string | undefined
}

/** Fields of {@link Beak.listDeliveries}. */
export interface ListDeliveriesInput {
webhook_id?: string | undefined
status?: "pending" | "delivered" | "failed" | undefined
/** How many items, at most 100. */
limit?: number | undefined
cursor?: string | undefined
}

export interface ListDeliveriesOutput {
items: WebhookDelivery[]
next_cursor: string | null
}

/** Fields of {@link Beak.listAuditEvents}. */
export interface ListAuditEventsInput {
/** How many items, at most 1000. */
limit?: number | undefined
cursor?: string | undefined
action?: string | undefined
outcome?: "success" | "denied" | undefined
names?: "true" | undefined
}

export interface ListAuditEventsOutput {
items: AuditEvent[]
next_cursor: string | null
/** With `names=true`: current names of the ducklings and agents in the events, by id. */
names?: Record<string, string>
}

/** Fields of {@link Beak.getAuditProof}. */
export interface GetAuditProofInput {
seq?: number | undefined
passkey_id?: string | undefined
heads?: boolean | undefined
first?: number | undefined
second?: number | undefined
}

export interface GetServiceOutput {
name: "Beak"
version: string
/** Time in UTC (ISO 8601). */
timestamp: string
}

/** Fields of {@link Beak.getMetricsHistory}. */
export interface GetMetricsHistoryInput {
/** How many days back. */
days?: "30" | "90" | "365" | undefined
}

/** Fields of {@link Beak.getStatusHistory}. */
export interface GetStatusHistoryInput {
/** How many days back. */
days?: "30" | "90" | undefined
}

/** Fields of {@link Beak.recordPageview}. */
export interface RecordPageviewInput {
page: string
referrer?: string | undefined
}

export interface RecordPageviewOutput {
success: true
}

/** Fields of {@link Beak.subscribe}. */
export interface SubscribeInput {
email: string
partner_type?: string | undefined
}

export interface SubscribeOutput {
success: true
message: string
}

/** Fields of {@link Beak.confirmSubscription}. */
export interface ConfirmSubscriptionInput {
token: string
}

export interface ConfirmSubscriptionOutput {
success: true
message: string
}

/** Fields of {@link Beak.unsubscribe}. */
export interface UnsubscribeInput {
token: string
}

export interface UnsubscribeOutput {
success: true
message: string
}

/** Fields of {@link Beak.contactSupport}. */
export interface ContactSupportInput {
email: string
message: string
}

export interface ContactSupportOutput {
success: true
ticket_id: string
}

export interface GetOpenapiOutput {
openapi: string
}

/** Fields of {@link Beak.getProtectedResourceAt}. */
export interface GetProtectedResourceAtInput {
/** The rest of the path, with its slashes. */
path: string
}

/** Fields of {@link Beak.getStatusList}. */
export interface GetStatusListInput {
/** The number of the list, from 0. */
n: number
}

/** Fields of {@link Beak.getLogTile}. */
export interface GetLogTileInput {
/** The rest of the path, with its slashes. */
path: string
}

/** Input and output of each operation. */
export interface OperationTypes {
signUp: { input: SignUpInput; output: SignUpOutput }
verifyEmail: { input: VerifyEmailInput; output: VerifyEmailOutput }
resendVerificationCode: { input: NoInput; output: CodeSent }
changeEmail: { input: ChangeEmailInput; output: ChangeEmailOutput }
undoEmailChange: { input: UndoEmailChangeInput; output: UndoEmailChangeOutput }
cancelEmailUndo: { input: CancelEmailUndoInput; output: CancelEmailUndoOutput }
signIn: { input: SignInInput; output: SignInOutput }
requestSignInCode: { input: RequestSignInCodeInput; output: CodeSent }
startPasskeyRegistration: { input: NoInput; output: PasskeyCreationOptions }
finishPasskeyRegistration: { input: FinishPasskeyRegistrationInput; output: Passkey }
signInWithPasskey: { input: SignInWithPasskeyInput; output: SignInWithPasskeyOutput }
startPasskeySignIn: { input: NoInput; output: PasskeyRequestOptions }
requestPasskeyChallenge: { input: RequestPasskeyChallengeInput; output: PasskeyChallenge }
confirmPasskey: { input: ConfirmPasskeyInput; output: ConfirmPasskeyOutput }
recoverPasskeys: { input: NoInput; output: RecoverPasskeysOutput }
cancelPasskeyRecovery: { input: CancelPasskeyRecoveryInput; output: CancelPasskeyRecoveryOutput }
listPasskeys: { input: ListPasskeysInput; output: ListPasskeysOutput }
removePasskey: { input: RemovePasskeyInput; output: Passkey }
signOut: { input: NoInput; output: SignOutOutput }
authorizeDevice: { input: AuthorizeDeviceInput; output: DeviceCodes }
redeemDeviceCode: { input: RedeemDeviceCodeInput; output: RedeemDeviceCodeOutput }
viewDevice: { input: ViewDeviceInput; output: WaitingDevice }
approveDevice: { input: ApproveDeviceInput; output: DeviceDecision }
denyDevice: { input: DenyDeviceInput; output: DeviceDecision }
listSessions: { input: ListSessionsInput; output: ListSessionsOutput }
revokeSession: { input: RevokeSessionInput; output: RevokeSessionOutput }
getOverview: { input: NoInput; output: Overview }
exportAccount: { input: NoInput; output: AccountExport }
closeAccount: { input: NoInput; output: ClosedAccount }
previewAccountClosing: { input: NoInput; output: ClosingPreview }
elevateTrust: { input: ElevateTrustInput; output: ElevateTrustOutput }
getProfile: { input: GetProfileInput; output: GetProfileOutput }
updateProfile: { input: UpdateProfileInput; output: Profile }
changeName: { input: ChangeNameInput; output: Profile }
getNotifications: { input: NoInput; output: Notifications }
updateNotifications: { input: UpdateNotificationsInput; output: Notifications }
listDucklings: { input: ListDucklingsInput; output: ListDucklingsOutput }
getCertificate: { input: NoInput; output: Certificate }
listCertificates: { input: ListCertificatesInput; output: ListCertificatesOutput }
issueCertificate: { input: NoInput; output: Certificate }
verifyCertificate: { input: VerifyCertificateInput; output: CertificateVerification }
revokeCertificate: { input: RevokeCertificateInput; output: Certificate }
requestPeck: { input: RequestPeckInput; output: Peck }
approvePeck: { input: ApprovePeckInput; output: Peck }
rejectPeck: { input: RejectPeckInput; output: Peck }
cancelPeck: { input: CancelPeckInput; output: Peck }
revokeGrant: { input: RevokeGrantInput; output: Peck }
revokeAllGrants: { input: RevokeAllGrantsInput; output: RevokeAllGrantsOutput }
consumeGrant: { input: ConsumeGrantInput; output: ConsumedGrant }
listPecks: { input: ListPecksInput; output: ListPecksOutput }
listAskers: { input: NoInput; output: ListAskersOutput }
getPeckDetails: { input: GetPeckDetailsInput; output: GetPeckDetailsOutput }
readInbox: { input: ReadInboxInput; output: Inbox }
shareReceipt: { input: ShareReceiptInput; output: ReceiptShare }
unshareReceipt: { input: UnshareReceiptInput; output: UnshareReceiptOutput }
readSharedReceipt: { input: ReadSharedReceiptInput; output: SharedReceipt }
decidePecks: { input: DecidePecksInput; output: DecidePecksOutput }
getPeck: { input: GetPeckInput; output: Peck }
getOutcomeReceipt: { input: GetOutcomeReceiptInput; output: OutcomeReceipt }
getReceipt: { input: GetReceiptInput; output: Receipt }
blockDuckling: { input: BlockDucklingInput; output: BlockDucklingOutput }
unblockDuckling: { input: UnblockDucklingInput; output: UnblockDucklingOutput }
liftPause: { input: LiftPauseInput; output: LiftPauseOutput }
listBlocks: { input: ListBlocksInput; output: ListBlocksOutput }
registerAgent: { input: RegisterAgentInput; output: RegisterAgentOutput }
listAgents: { input: ListAgentsInput; output: ListAgentsOutput }
listAgentActivity: { input: NoInput; output: ListAgentActivityOutput }
updateAgent: { input: UpdateAgentInput; output: Agent }
bondAgent: { input: BondAgentInput; output: Agent }
createHandshake: { input: CreateHandshakeInput; output: CreateHandshakeOutput }
suspendAgent: { input: SuspendAgentInput; output: Agent }
resumeAgent: { input: ResumeAgentInput; output: Agent }
deregisterAgent: { input: DeregisterAgentInput; output: DeregisterAgentOutput }
previewAgentDeregistration: { input: PreviewAgentDeregistrationInput; output: PreviewAgentDeregistrationOutput }
issueAgentToken: { input: IssueAgentTokenInput; output: IssueAgentTokenOutput }
verifyAgent: { input: VerifyAgentInput; output: VerifyAgentOutput }
rotateKey: { input: RotateKeyInput; output: RotateKeyOutput }
issueSsoToken: { input: IssueSsoTokenInput; output: IssueSsoTokenOutput }
verifySsoTokenInQuery: { input: VerifySsoTokenInQueryInput; output: SsoVerdict }
verifySsoToken: { input: VerifySsoTokenInput; output: SsoVerdict }
bridgeSsoToken: { input: BridgeSsoTokenInput; output: BridgeSsoTokenOutput }
createWebhook: { input: CreateWebhookInput; output: WebhookWithSecret }
listWebhooks: { input: ListWebhooksInput; output: ListWebhooksOutput }
updateWebhook: { input: UpdateWebhookInput; output: Webhook }
deleteWebhook: { input: DeleteWebhookInput; output: DeleteWebhookOutput }
testWebhook: { input: TestWebhookInput; output: WebhookTest }
rotateWebhookSecret: { input: RotateWebhookSecretInput; output: WebhookWithSecret }
redeliverMessage: { input: RedeliverMessageInput; output: WebhookDelivery }
listDeliveries: { input: ListDeliveriesInput; output: ListDeliveriesOutput }
listAuditEvents: { input: ListAuditEventsInput; output: ListAuditEventsOutput }
getAuditHead: { input: NoInput; output: AuditHead }
getAuditProof: { input: GetAuditProofInput; output: LogProof }
getService: { input: NoInput; output: GetServiceOutput }
getMetrics: { input: NoInput; output: Metrics }
getMetricsHistory: { input: GetMetricsHistoryInput; output: MetricsHistory }
getStatusHistory: { input: GetStatusHistoryInput; output: StatusHistory }
getStatus: { input: NoInput; output: SystemStatus }
recordPageview: { input: RecordPageviewInput; output: RecordPageviewOutput }
subscribe: { input: SubscribeInput; output: SubscribeOutput }
confirmSubscription: { input: ConfirmSubscriptionInput; output: ConfirmSubscriptionOutput }
unsubscribe: { input: UnsubscribeInput; output: UnsubscribeOutput }
contactSupport: { input: ContactSupportInput; output: ContactSupportOutput }
getOpenapi: { input: NoInput; output: GetOpenapiOutput }
getPublicKeys: { input: NoInput; output: Jwks }
getProtectedResource: { input: NoInput; output: ProtectedResource }
getProtectedResourceAt: { input: GetProtectedResourceAtInput; output: ProtectedResource }
getStatusList: { input: GetStatusListInput; output: string }
getLogCheckpoint: { input: NoInput; output: string }
getLogTile: { input: GetLogTileInput; output: Uint8Array }
getLogVerifierKeys: { input: NoInput; output: string }
}
