/** Generated from clients/operations.json. Do not edit. */

/** RFC 9457 problem document. `message` equals `detail`. `reason` names what went wrong, and `action` says what to do next. */
export interface Problem {
type: string
title: string
status: number
detail: string
code: "E4000" | "E4001" | "E4002" | "E4003" | "E4004" | "E4005" | "E4006" | "E4007" | "E4008" | "E4009" | "E4010" | "E4011" | "E4012" | "E4013" | "E5001" | "E5002"
/** The stable name of what went wrong. New names may come. */
reason: "invalid_request" | "malformed_http" | "peck_to_self" | "beak_key_invalid" | "tier_too_low" | "target_tier_too_low" | "identity_exists" | "rate_limited" | "too_many_codes_sent" | "too_many_wrong_codes" | "code_paused" | "code_locked" | "too_many_user_codes" | "device_polled_too_early" | "too_many_text_messages" | "webhook_busy" | "too_many_open_connections" | "name_change_throttled" | "peck_recently_rejected" | "too_many_pending_pecks" | "asker_paused" | "too_many_pecks" | "path_not_found" | "duckling_not_found" | "certificate_not_found" | "agent_not_found" | "agent_not_registered" | "peck_not_found" | "passkey_not_found" | "session_not_found" | "webhook_not_found" | "duckling_not_blocked" | "receipt_not_shared" | "checkpoint_not_found" | "tile_not_found" | "log_entry_not_found" | "status_list_not_found" | "link_invalid" | "user_code_invalid" | "recovery_not_pending" | "undo_not_pending" | "subscription_link_invalid" | "session_invalid" | "device_code_invalid" | "sign_in_failed" | "code_invalid" | "passkey_assertion_invalid" | "handshake_token_invalid" | "grant_token_invalid" | "sso_token_invalid" | "agent_not_allowed" | "agent_not_bonded" | "capability_missing" | "not_the_target" | "not_the_asker" | "receipt_kept_private" | "grant_mismatch" | "grant_audience_mismatch" | "sso_token_mismatch" | "cross_origin_request" | "device_pending" | "device_denied" | "device_expired" | "device_already_decided" | "email_already_verified" | "tier_already_reached" | "certificate_already_active" | "agent_status_conflict" | "too_many_agents" | "peck_not_pending" | "peck_not_approved" | "peck_undecided" | "grant_not_active" | "passkey_already_registered" | "no_passkey_registered" | "too_many_passkeys" | "too_many_webhooks" | "webhook_disabled" | "idempotency_key_busy" | "answer_not_stored" | "fresh_sign_in_needed" | "fresh_code_needed" | "fresh_passkey_needed" | "older_passkey_needed" | "passkey_assertion_needed" | "decision_page_needed" | "method_not_allowed" | "body_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "internal_error" | "unavailable"
message: string
success: false
request_id: string
action: string
errors?: ({
field: string
message: string
})[]
/** Seconds. */
retry_after?: number
required_tier?: "T0" | "T1" | "T2" | "T3"
current_tier?: "T0" | "T1" | "T2" | "T3"
required_capability?: string
current_status?: string
/** Time in UTC (ISO 8601). */
next_allowed_at?: string
valid?: false
/** With E4009: what to do first. */
required?: "passkey" | "fresh_sign_in"
}

export interface CodeSent {
success: true
message: string
/** Seconds the code is valid */
expires_in: number
/** Seconds to wait before asking for another */
resend_after: number
}

export interface Profile {
duckling_id: string
display_name: string
email: string | null
email_verified: boolean
phone_verified: boolean
trust_tier: "T0" | "T1" | "T2" | "T3"
cert_id: string | null
cert_status: "none" | "active" | "revoked" | "superseded"
egg_count: number
referral_code: string
bio: string | null
directory_visible: boolean
require_passkey_for_pecks: boolean
min_peck_tier: "T0" | "T1" | "T2" | "T3"
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
next_name_change_at: string | null
}

export interface PasskeyCreationOptions {
rp: {
id: string
name: string
}
user: {
id: string
name: string
displayName: string
}
challenge: string
pubKeyCredParams: ({
type: "public-key"
alg: number
})[]
timeout: number
excludeCredentials: ({
id: string
type: "public-key"
transports?: string[]
})[]
authenticatorSelection: {
residentKey: "required"
requireResidentKey: true
userVerification: "required"
}
attestation: "none"
hints: string[]
extensions: {
credProps?: boolean
}
}

export interface Passkey {
passkey_id: string
name: string
/** Time in UTC (ISO 8601). */
created_at: string
backed_up: boolean
user_verified: boolean
}

export interface RegistrationCredential {
id: string
rawId: string
type: "public-key"
authenticatorAttachment?: string | null
clientExtensionResults?: object
response: {
clientDataJSON: string
attestationObject: string
transports?: string[] | null
}
}

export interface AssertionCredential {
id: string
rawId: string
type: "public-key"
authenticatorAttachment?: string | null
clientExtensionResults?: object
response: {
clientDataJSON: string
authenticatorData: string
signature: string
userHandle?: string | null
}
}

export interface PasskeyRequestOptions {
challenge: string
rpId: string
timeout: number
userVerification: "required"
allowCredentials?: ({
id: string
type: "public-key"
transports?: string[]
})[]
}

export interface PasskeyChallenge {
challenge: string
rpId: string
timeout: number
userVerification: "required"
allowCredentials?: ({
id: string
type: "public-key"
transports?: string[]
})[]
/** In version 2: canonical JSON, whose SHA-256 is the challenge. */
statement?: string
/** In version 2: the values behind the hashes. */
values?: {
params: ({
salt: string
name: string
value: unknown
})[]
display?: {
salt: string
shown: unknown
}
}
}

export interface ListedPasskey {
passkey_id: string
name: string
/** Time in UTC (ISO 8601). */
created_at: string
backed_up: boolean
user_verified: boolean
/** Time in UTC (ISO 8601). */
last_used_at: string | null
transports: string[]
}

/** A pending removal of all passkeys */
export interface PasskeyRecovery {
/** Time in UTC (ISO 8601). */
requested_at: string
/** Time in UTC (ISO 8601). */
removes_at: string
}

export interface DeviceCodes {
device_code: string
user_code: string
verification_uri: string
verification_uri_complete: string
/** Seconds. */
expires_in: number
/** The least number of seconds between two polls. */
interval: number
}

export interface WaitingDevice {
user_code: string
client_name: string
ip: string | null
user_agent: string | null
/** Whether the device has the network address of the caller. */
same_network: boolean
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
expires_at: string
}

export interface DeviceDecision {
status: "approved" | "denied"
client_name: string
}

export interface Session {
session_id: string
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
expires_at: string
/** Time in UTC (ISO 8601). */
auth_time: string
amr: string[]
ip: string | null
user_agent: string | null
/** The name that the device gave itself, when it signed in with a code from POST /beak/device/authorize. */
name: string | null
/** Time in UTC (ISO 8601). */
last_seen_at: string | null
current: boolean
}

export interface ApprovedDevice {
device_request_id: string
client_name: string
ip: string | null
user_agent: string | null
/** Time in UTC (ISO 8601). */
created_at: string
/** The device can sign in until then. */
expires_at: string
}

export interface Overview {
profile: Profile
/** Pecks that wait for your answer. 1000 for 1000 and more. */
pending_pecks: number
passkeys: number
recovery: PasskeyRecovery | null
email_undo: PendingUndo | null
}

/** An undo of a change of address that waits for a day */
export interface PendingUndo {
/** Time in UTC (ISO 8601). */
restores_at: string
}

export interface AccountExport {
/** Time in UTC (ISO 8601). */
exported_at: string
profile: Profile
account: {
phone: string | null
/** Time in UTC (ISO 8601). */
email_verified_at: string | null
/** Time in UTC (ISO 8601). */
phone_verified_at: string | null
has_password: boolean
referred_by_code: string | null
rate_limit: {
per_minute: number
burst: number
} | null
}
notifications: Notifications
certificates: Certificate[]
agents: ({
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
keys: ({
key_id: string
tier_scope: "T0" | "T1" | "T2" | "T3"
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
expires_at: string
/** Time in UTC (ISO 8601). */
last_used_at: string | null
/** Time in UTC (ISO 8601). */
retired_at: string | null
uses_after_death: number
})[]
})[]
pecks: {
sent: Peck[]
received: Peck[]
/** The passkey assertions that confirmed your approvals */
approvals: ({
peck_id: string
approval: unknown
})[]
/** What the page displayed when you decided */
displayed: ({
peck_id: string
displayed: Record<string, unknown>
})[]
}
/** The receipts that you have made public */
shared_receipts: ReceiptShare[]
/** How often somebody asked you for an action, and the params that you approved last */
asker_history: ({
action: string
asked: number
approved: number
/** Time in UTC (ISO 8601). */
approved_at: string | null
asker: string
/** Time in UTC (ISO 8601). */
asked_at: string | null
approved_params: Record<string, unknown> | null
})[]
blocks: ({
duckling_id: string
/** Time in UTC (ISO 8601). */
created_at: string
})[]
passkeys: ListedPasskey[]
passkey_recovery: PasskeyRecovery | null
mail_links: ({
purpose: string
address: string
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
expires_at: string
/** Time in UTC (ISO 8601). */
used_at: string | null
})[]
sessions: ({
session_id: string
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
expires_at: string
/** Time in UTC (ISO 8601). */
auth_time: string
amr: string[]
ip: string | null
user_agent: string | null
/** The name that the device gave itself, when it signed in with a code from POST /beak/device/authorize. */
name: string | null
/** Time in UTC (ISO 8601). */
last_seen_at: string | null
current: boolean
/** Time in UTC (ISO 8601). */
revoked_at: string | null
})[]
/** Devices that have signed in before */
devices: ({
device_id: string
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
expires_at: string
})[]
/** Codes that were sent in the last days, with purpose and address */
codes: ({
purpose: string
address: string
/** Time in UTC (ISO 8601). */
created_at: string
})[]
sso_tokens: ({
sso_id: string
target_domain: string
scope: string
agent_id: string | null
/** Time in UTC (ISO 8601). */
issued_at: string
/** Time in UTC (ISO 8601). */
expires_at: string
/** Time in UTC (ISO 8601). */
spent_at: string | null
/** Time in UTC (ISO 8601). */
revoked_at: string | null
})[]
webhooks: ({
webhook_id: string
url: string
kinds: string[]
description: string | null
enabled: boolean
disabled_reason: "owner" | "gone" | "failing" | "unconfirmed" | "email_restored" | null
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
secret_rotating_until: string | null
deliveries: WebhookDelivery[]
})[]
subscriptions: ({
email: string
partner_type: string | null
status: string
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
confirmed_at: string | null
})[]
support_tickets: ({
ticket_id: string
email: string
message: string
/** Time in UTC (ISO 8601). */
created_at: string
})[]
audit: {
events: AuditEvent[]
head: string
jwks: Jwks
/** Proof that the transparency log contains the newest logged head of this chain */
log: LogProof | null
}
}

export interface Notifications {
channels: {
mail: {
/** About which requests: `all`, only those of `others` and their agents, only those with a `high_risk`, or `none` */
requests: "all" | "others" | "high_risk" | "none"
/** Whether a second message is sent before a request expires */
reminders: boolean
}
}
/** Mails about requests wait until the quiet hours end. Null: no quiet hours */
quiet_hours: {
/** Time of day in `time_zone`, as HH:MM */
from: string
/** Time of day in `time_zone`, as HH:MM */
to: string
} | null
/** IANA name. Null: unknown, times are in UTC */
time_zone: string | null
}

export interface Certificate {
cert_id: string
status: "active" | "revoked" | "superseded"
tier: "T0" | "T1" | "T2" | "T3"
display_name: string
duckling_id: string
/** Time in UTC (ISO 8601). */
issued_at: string
/** Time in UTC (ISO 8601). */
revoked_at: string | null
revocation_reason: string | null
verify_url: string
/** The certificate as a signed W3C Verifiable Credential 2.0 (vc+jwt, EdDSA). */
credential: string
}

export interface NewestKey {
key_id: string
start: string
tier_scope: "T0" | "T1" | "T2" | "T3"
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
expires_at: string
/** Time in UTC (ISO 8601). */
last_used_at: string | null
retired_key_uses: number
}

export interface Peck {
peck_id: string
status: "pending" | "approved" | "rejected" | "expired" | "cancelled"
grant_status: "active" | "consumed" | "expired" | "revoked" | null
action: string
scope: "limited" | "timed" | "standing"
params: Record<string, unknown>
params_hash: string
message: string | null
summary: string
reason: string | null
target_duckling_id: string
target_display_name: string
requester: Requester
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
expires_at: string
/** Time in UTC (ISO 8601). */
decided_at: string | null
/** Time in UTC (ISO 8601). */
grant_expires_at: string | null
uses: number
max_uses: number | null
/** Time in UTC (ISO 8601). */
last_used_at: string | null
param_types?: ParamTypes
/** Host name of the service that the permission is meant for, if the asker named one. */
audience?: string
/** For the target only. See docs/risk.md for the rules. */
risk?: PeckRisk
repeated?: true
grant_token?: string
}

export interface Requester {
type: "duckling" | "agent"
duckling_id: string
display_name: string
trust_tier: "T0" | "T1" | "T2" | "T3"
agent_id?: string
agent_name?: string
}

/** How the decision page shows a param: the type of each top-level name. A type never lowers the risk. */
export type ParamTypes = Record<string, "money" | "email" | "url" | "date" | "diff" | "text" | "secret">

export interface PeckRisk {
level: "low" | "medium" | "high"
reasons: ({
rule: "money" | "irreversible" | "control" | "secret" | "command" | "force" | "production" | "hidden_text" | "look_alike" | "outward" | "standing" | "sensitive" | "unlisted"
level: "low" | "medium" | "high"
/** One sentence of the service. */
text: string
})[]
/** What is new about the asker, the action or the values. It does not change the level. */
novelty: ({
rule: "first_time_asker" | "first_time_action" | "unlike_earlier" | "new_agent" | "new_key"
/** One sentence of the service. */
text: string
})[]
}

export interface ReceiptShare {
peck_id: string
share_id: string
/** The public page of the receipt. */
url: string
values: boolean
/** Time in UTC (ISO 8601). */
shared_at: string
}

export interface WebhookDelivery {
delivery_id: string
webhook_id: string
message_id: string
type: string
/** The member `data` of the message. `timestamp` of the message is `created_at`. */
data: Record<string, unknown>
status: "pending" | "delivered" | "failed"
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
next_attempt_at: string | null
attempts: ({
/** Time in UTC (ISO 8601). */
attempted_at: string
status_code: number | null
latency_ms: number
error: "timeout" | "refused" | "unreachable" | "reset" | "name_not_found" | "blocked_address" | "tls" | "redirect" | "http_status" | "invalid_response" | "network" | null
response: string | null
})[]
}

export interface AuditEvent {
event_id: string
/** The account whose log the event is in. */
duckling_id: string
seq: number
action: string
outcome: "success" | "denied"
/** Time in UTC (ISO 8601). */
occurred_at: string
actor: {
type: "duckling" | "agent" | "system" | "anonymous"
id: string | null
}
targets: ({
type: string
id: string
})[]
context: {
ip: string | null
user_agent: string | null
request_id: string | null
/** SHA-256 of `ip`, `salt` and `user_agent` as canonical JSON. `hash` covers this digest instead of the three values. */
digest?: string
/** Base64url. Null after IP address, user agent and salt were erased. */
salt?: string | null
}
metadata: Record<string, unknown>
prev_hash: string
hash: string
}

export interface Jwks {
keys: ({
kty: "OKP"
crv: "Ed25519"
x: string
kid: string
use: "sig"
alg: "EdDSA"
})[]
/** Stolen keys. Signatures of these keys are not valid. Since `from`, somebody else may have signed with the key. */
distrusted?: ({
kid: string
/** Time in UTC (ISO 8601). */
from: string
})[]
}

export interface LogProof {
origin: string
/** The signed note, with the cosignatures of witnesses. */
checkpoint: string
tree_size: number
/** When the log signed the checkpoint. */
signed_at: string
/** How many witnesses have cosigned the checkpoint. */
cosignatures: number
/** 32 bytes in base64. */
root_hash: string
/** Verifier keys of the log, newest first. */
vkeys: string[]
/** null until the log has an entry of the caller. Events are logged within a minute. */
entry: LogEntry | null
/** Proof that `entry` is in the tree of `tree_size` entries, from the leaf up. */
inclusion: string[] | null
/** With `passkey_id`: every entry of that passkey, oldest first. */
entries?: ({
entry: LogEntry
inclusion: string[]
})[]
/** With `heads=true`, and in exports: every logged head of the caller, oldest first. `beak audit verify` compares each with the event. */
heads?: ({
index: number
seq: number
digest: string
})[]
/** Proof that the first `first` entries are the beginning of the first `second`. */
consistency: {
first: number
second: number
proof: string[]
} | null
}

export interface LogEntry {
index: number
kind: "chain_head" | "passkey_enrolled" | "passkey_removed"
/** SHA-256 in hex: see docs/audit/format.md. */
digest: string
/** The bytes of the entry, as text. */
data: string
/** SHA-256 of a zero byte and `data`, in base64. */
leaf_hash: string
duckling_id: string
/** For a chain head: the number of the event. */
seq: number | null
/** For a chain head: the hash of that event, in hex. */
hash: string | null
passkey_id: string | null
}

export interface ClosedAccount {
success: true
duckling_id: string
/** Time in UTC (ISO 8601). */
closed_at: string
touched: {
certificates: string[]
agents: string[]
keys: string[]
sessions: string[]
passkeys: string[]
pecks_cancelled: string[]
grants_revoked: string[]
sso_tokens: string[]
webhooks: string[]
}
}

export interface ClosingPreview {
certificates: number
agents: number
keys: number
sessions: number
passkeys: number
pecks_cancelled: number
grants_revoked: number
sso_tokens: number
webhooks: number
}

export interface GrantedProfile {
duckling_id: string
display_name: string
email?: string | null
trust_tier: "T0" | "T1" | "T2" | "T3"
cert_id: string | null
cert_status: "none" | "active" | "revoked" | "superseded"
egg_count: number
bio: string | null
/** Time in UTC (ISO 8601). */
created_at: string
}

export interface DirectoryEntry {
/** `DUCK-…` and the last four characters */
duckling_id: string
display_name: string
trust_tier: "T0" | "T1" | "T2" | "T3"
certified: boolean
bonded_agents: number
/** Year and month, `YYYY-MM` */
joined: string
}

export interface CertificateVerification {
valid: boolean
status: "active" | "revoked" | "superseded"
cert_id: string
tier: "T0" | "T1" | "T2" | "T3"
/** Time in UTC (ISO 8601). */
issued_at: string
/** Time in UTC (ISO 8601). */
revoked_at: string | null
display_name: string
current_tier: "T0" | "T1" | "T2" | "T3"
/** Time in UTC (ISO 8601). */
checked_at: string
credential: string
}

export interface RevokedPermission {
peck_id: string
action: string
/** How often the permission had been used. */
uses: number
/** Time in UTC (ISO 8601). */
last_used_at: string | null
}

export interface ConsumedGrant {
active: true
peck_id: string
action: string
target_duckling_id: string
requester: Requester
/** null when the number of uses is not limited */
uses_left: number | null
}

export interface KnownAsker {
/** Id of the agent, or of the person, that asks. */
asker: string
/** Name of the agent, or of the person. */
name: string
/** Name of the person behind an agent. */
operator_name?: string
actions: AskedAction[]
}

export interface AskedAction {
action: string
asked: number
approved: number
/** Time in UTC (ISO 8601). */
approved_at: string | null
}

export interface PeckDetails {
peck_id: string
/** Lifetime asked for the grant. Null: until it is revoked. */
grant_seconds: number | null
/** Active certificate of the person behind the request. */
requester_cert_id: string | null
/** Whether you block that person. */
requester_blocked: boolean
/** Whether a passkey signed the approval. */
signed: boolean
/** Time in UTC (ISO 8601). */
grant_revoked_at: string | null
/** The public page of the receipt, while you share it. */
shared: {
url: string
values: boolean
} | null
/** For the target only: the public page of the receipt, while the requester shares it. POST /beak/peck/unshare ends it. */
shared_by_requester: {
url: string
values: boolean
} | null
display: PeckDisplay
/** For the target only: earlier requests of this asker for this action. */
asker_history: AskerHistory | null
}

/** What the decision page shows. A receipt of version 2 has the hash of the same values, in the order of the params. */
export interface PeckDisplay {
version: number
/** What is asked. Show it after the name of the asker and "wants to". */
sentence: string
/** Sorted: values with a warning first, then by type. Show them in this order. */
values: DisplayValue[]
}

export interface DisplayValue {
name: string
type: "money" | "email" | "url" | "date" | "diff" | "value" | "text" | "secret"
text: string
/** A warning about the value, written by the service. */
warning?: string
/** The value that decides most. Never a secret. */
decides?: true
}

export interface AskerHistory {
/** How often the asker asked you for this action, with this request. */
asked: number
approved: number
/** Time in UTC (ISO 8601). */
approved_at: string | null
approved_params: Record<string, unknown> | null
/** The params that you approved last, as the decision page shows them. */
approved_values: DisplayValue[]
/** Names of the params that differ from those approved last. */
differs: string[]
}

export interface Inbox {
/** Newest first. */
items: InboxItem[]
/** Pecks that wait, without filters. 1000 for 1000 and more. */
total: number
/** Pecks that the filters select. */
matching: number
/** Whom you can filter by: all askers of waiting pecks. */
askers: InboxFacet[]
actions: InboxFacet[]
risks: InboxFacet[]
/** Pecks of people you do not know, beyond their budget: `list=strangers` has them. */
strangers: number
}

export interface InboxItem {
peck_id: string
requester: Requester
action: string
scope: "limited" | "timed" | "standing"
/** What the asker wants, after "wants to". */
sentence: string
/** The param that decides most. */
value: DisplayValue | null
risk_level: "low" | "medium" | "high"
/** Nothing of this asker was approved before. */
first_contact: boolean
needs_passkey: boolean
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
expires_at: string
}

export interface InboxFacet {
value: string
label: string
count: number
}

export interface SharedReceipt {
receipt: OutcomeReceipt
requester: Requester
target: {
duckling_id: string
display_name: string
}
shared_by: "requester" | "target"
/** Time in UTC (ISO 8601). */
shared_at: string
}

export interface OutcomeReceipt {
version: 2
peck_id: string
/** `consumed`: a permission for one use was used. `revoked`: the permission was revoked after the approval. */
outcome: "approved" | "rejected" | "expired" | "cancelled" | "revoked" | "consumed"
statement: DecisionStatement
/** Canonical JSON (RFC 8785) of the statement, whose SHA-256 the passkey signed. */
statement_text: string
/** Signature of the service: a JWT (`peck-receipt+jwt`, EdDSA). */
jws: string
/** null when no passkey signed the decision, and when it signed version 1 and the receipt leaves params out */
passkey: DecisionProof | null
/** Proof that the transparency log had the passkey before the decision. */
enrolment: PasskeyEnrolment | null
/** The values behind the salted hashes. */
values?: ReceiptValues
jwks: Jwks
}

export interface DecisionStatement {
type: "beak.peck.decision"
version: 2
decision: "approve" | "reject" | null
issuer: string
audience: string | null
nonce: string
peck_id: string
action: string
scope: "limited" | "timed" | "standing"
params: string[]
requester: {
duckling_id: string
agent_id: string | null
}
target_duckling_id: string
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
expires_at: string
grant_seconds: number | null
display: {
version: number
hash: string
}
log: {
origin: string
size: number
root: string
} | null
}

export interface DecisionProof {
credential_id: string
public_key: string
assertion: {
authenticatorData: string
clientDataJSON: string
signature: string
}
statement_v1?: string
}

export interface PasskeyEnrolment {
index: number
inclusion: string[]
checkpoint: string
vkeys: string[]
}

export interface ReceiptValues {
params: ({
salt: string
name: string
value: unknown
})[]
display?: {
salt: string
shown: unknown
}
}

export interface DecisionOutcome {
peck_id: string
/** `high_risk`, `first_contact` and `passkey_needed`: approve it on its own. `page_needed`: approve it on its page, in a browser. `not_pending`: `status` says what happened to it. */
outcome: "decided" | "not_pending" | "missing" | "high_risk" | "first_contact" | "passkey_needed" | "page_needed"
status: "pending" | "approved" | "rejected" | "expired" | "cancelled" | null
}

export interface Receipt {
peck_id: string
/** Time in UTC (ISO 8601). */
decided_at: string
statement: ApprovalStatement
/** Canonical JSON (RFC 8785) of the statement. Its SHA-256 is the challenge that the passkey signed. */
statement_text: string
/** Signature of the service: a JWT (`peck-receipt+jwt`, EdDSA) about statement, decision and passkey. */
jws: string
/** null when no passkey signed this statement. A passkey may have signed version 2: see GET /beak/peck/outcome. */
passkey: PasskeyProof | null
jwks: Jwks
}

export interface ApprovalStatement {
type: "beak.peck.approval"
version: 1
peck_id: string
action: string
scope: "limited" | "timed" | "standing"
params_hash: string
requester: {
duckling_id: string
agent_id: string | null
}
target_duckling_id: string
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
expires_at: string
grant_seconds: number | null
}

export interface PasskeyProof {
credential_id: string
public_key: string
assertion: {
authenticatorData: string
clientDataJSON: string
signature: string
}
}

export interface PeckBlock {
duckling_id: string
display_name: string
trust_tier: "T0" | "T1" | "T2" | "T3"
/** Time in UTC (ISO 8601). */
blocked_at: string
}

export interface Agent {
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
}

export interface AgentActivity {
agent_id: string
agent_name: string
status: "registered" | "bonded" | "suspended" | "deregistered"
/** Time in UTC (ISO 8601). */
last_seen_at: string | null
/** How many requests of the agent wait for an answer. */
waiting: number
/** How many of them wait for your answer. */
waiting_for_you: number
peck: AgentActivityPeck | null
}

export interface AgentActivityPeck {
peck_id: string
action: string
status: "pending" | "approved" | "rejected" | "expired" | "cancelled"
grant_status: "active" | "consumed" | "expired" | "revoked" | null
target_duckling_id: string
target_display_name: string
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
expires_at: string
/** When it was asked, answered, used or ended, whichever came last. */
changed_at: string
/** Time in UTC (ISO 8601). */
grant_expires_at: string | null
uses: number
}

export type SsoVerdict = {
active: true
duckling_id: string
display_name: string
trust_tier: "T0" | "T1" | "T2" | "T3"
target_domain: string
scope: string
/** Time in UTC (ISO 8601). */
issued_at: string
/** Time in UTC (ISO 8601). */
expires_at: string
agent_id?: string
} | {
active: false
}

export interface WebhookWithSecret {
webhook_id: string
url: string
kinds: string[]
description: string | null
enabled: boolean
disabled_reason: "owner" | "gone" | "failing" | "unconfirmed" | "email_restored" | null
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
secret_rotating_until: string | null
secret: string
}

export interface Webhook {
webhook_id: string
url: string
kinds: string[]
description: string | null
enabled: boolean
disabled_reason: "owner" | "gone" | "failing" | "unconfirmed" | "email_restored" | null
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
secret_rotating_until: string | null
}

export interface WebhookTest {
success: boolean
message_id: string
status_code: number | null
latency_ms: number
response: string | null
error: "timeout" | "refused" | "unreachable" | "reset" | "name_not_found" | "blocked_address" | "tls" | "redirect" | "http_status" | "invalid_response" | "network" | null
}

export interface AuditHead {
duckling_id: string
seq: number
hash: string
/** Time in UTC (ISO 8601). */
signed_at: string
/** Signed JWT (`audit-head+jwt`, EdDSA) of seq and hash. */
head: string
}

export interface Metrics {
registered_ducklings: number
certified: number
bonded_agents: number
domains: number
completed_pecks: number
galaxy_version: string
/** Time in UTC (ISO 8601). */
as_of: string
}

export interface MetricsHistory {
/** The day of each value (YYYY-MM-DD), oldest first. */
days: string[]
counts: {
registered_ducklings: number[]
certified: number[]
bonded_agents: number[]
domains: number[]
completed_pecks: number[]
}
/** Page views of `days` days from `day` on. Empty when none are recorded. */
views: ({
day: string
days: number
value: number
})[]
/** Days between two values. */
step: 1 | 7
/** The first recorded day. */
since: string
}

export interface StatusHistory {
/** The first recorded day. Null: none yet. */
since: string | null
components: ({
name: "database" | "outbox" | "redis"
/** The part of the measured time without an outage. Null when nothing was measured. */
uptime: number | null
/** One for each day, oldest first. The last one is today. */
days: ({
/** YYYY-MM-DD, in UTC. */
day: string
/** The worst condition of the day. `no_data`: not measured. */
condition: "operational" | "degraded" | "outage" | "no_data"
outage_seconds: number
degraded_seconds: number
/** How many seconds of the day were measured. */
measured_seconds: number
})[]
})[]
/** The 50 newest of these days, newest first. */
incidents: ({
incident_id: string
/** Null: the whole service. */
component: "database" | "outbox" | "redis" | null
condition: "degraded" | "outage"
/** Whether the service measured it or its operator wrote it. */
source: "measured" | "operator"
/** Time in UTC (ISO 8601). */
started_at: string
/** Null while it lasts. */
ended_at: string | null
/** What the operator writes about it. */
note: string | null
})[]
/** Time in UTC (ISO 8601). */
as_of: string
}

export interface SystemStatus {
status: "operational" | "degraded" | "outage"
function_version: string
agents_alive: number
api_latency_ms: number
components: ({
name: "database" | "outbox" | "redis"
status: "operational" | "degraded" | "outage"
})[]
/** Time in UTC (ISO 8601). */
checked_at: string
}

export interface ProtectedResource {
resource: string
resource_name: string
resource_documentation: string
bearer_methods_supported: ("header")[]
}

/** The removal of all passkeys, 24 hours after somebody asked for it. */
export interface RecoveryEventData {
duckling_id: string
/** Time in UTC (ISO 8601). */
requested_at: string
/** Time in UTC (ISO 8601). */
removes_at: string
}

/** A change of your trust tier. */
export interface TierEventData {
duckling_id: string
previous_tier: "T0" | "T1" | "T2" | "T3"
trust_tier: "T0" | "T1" | "T2" | "T3"
}

/** A new certificate of yours. */
export interface CertificateIssuedData {
cert_id: string
duckling_id: string
tier: "T0" | "T1" | "T2" | "T3"
/** Time in UTC (ISO 8601). */
issued_at: string
/** The certificate that the new certificate replaces. */
supersedes: string | null
}

/** A revoked certificate of yours. */
export interface CertificateRevokedData {
cert_id: string
duckling_id: string
tier: "T0" | "T1" | "T2" | "T3"
/** Time in UTC (ISO 8601). */
revoked_at: string
}

/** An agent of yours. */
export interface AgentEventData {
agent_id: string
agent_name: string
agent_type: string
/** As verb:object. */
capabilities: string[]
status: "registered" | "bonded" | "suspended" | "deregistered"
}

/** An agent that ended, and what ended with it. */
export interface AgentEndedData {
agent_id: string
agent_name: string
agent_type: string
/** As verb:object. */
capabilities: string[]
status: "registered" | "bonded" | "suspended" | "deregistered"
/** Ids of pecks. */
cancelled_pecks: string[]
/** Ids of pecks. */
revoked_grants: string[]
}

/** A new key of an agent. */
export interface KeyRotatedData {
agent_id: string
key_id: string
/** Null when the agent had no key. */
retired_key_id: string | null
/** Time in UTC (ISO 8601). */
expires_at: string
}

/** The peck as it was at that time. It never has a grant token: the asker reads the token with `getPeck`. */
export interface PeckEventData {
peck_id: string
status: "pending" | "approved" | "rejected" | "expired" | "cancelled"
grant_status: "active" | "consumed" | "expired" | "revoked" | null
action: string
scope: "limited" | "timed" | "standing"
params: Record<string, unknown>
params_hash: string
message: string | null
summary: string
reason: string | null
target_duckling_id: string
target_display_name: string
requester: Requester
/** Time in UTC (ISO 8601). */
created_at: string
/** Time in UTC (ISO 8601). */
expires_at: string
/** Time in UTC (ISO 8601). */
decided_at: string | null
/** Time in UTC (ISO 8601). */
grant_expires_at: string | null
uses: number
max_uses: number | null
/** Time in UTC (ISO 8601). */
last_used_at: string | null
param_types?: ParamTypes
/** Host name of the service that the permission is meant for, if the asker named one. */
audience?: string
}

/** What a test sends. */
export interface TestEventData {
webhook_id: string
message: string
}
