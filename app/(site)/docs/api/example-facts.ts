/** The story of the examples in the reference: Teal's agent Scout asks Mallard for permission to send mail. */

import { testAction } from '@beak/decision/test-request'
import { config } from '@/lib/kernel/config'
import { type Facts, factsOfRules, id, ruleBudget, time } from './example-rules'

/** Teal, who operates Scout. Scout asks Mallard, who has the other id. */
const teal = 'DUCK-01JDV7Q0A1B2C3D4E5F6G7H8J9'
/** When the request of the examples was decided. */
const decided = '2026-11-21T10:05:00.000Z'
const nextDay = '2026-11-22T10:00:00.000Z'
const digest = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'
/** A SHA-256 in base64url. */
export const shortDigest = 'RBNvo1WzZ4oRRq0W9-hkn3Q7YBBv6qhuFmP_q1o0Xso'

/** Example values by field name. */
export const byName: Record<string, unknown> = {
  email: 'mallard@pond.example',
  new_email: 'mallard@lake.example',
  display_name: 'Mallard',
  handle: 'mallard',
  target_display_name: 'Mallard',
  new_display_name: 'Teal',
  otp: '123456',
  password: 'correct horse battery',
  phone: '+14155550101',
  action: 'send:mail',
  message: 'The draft you asked for is ready.',
  reason: 'Ask me in person.',
  token: 'eyJhbGciOiJFZERTQSIs…',
  grant_token: 'eyJhbGciOiJFZERTQSIs…',
  sso_token: 'SSO-01JDV8K2M3N4P5Q6R7S8T9V0WX_…',
  beak_key: 'beak_…',
  handshake_token: 'HSK-01JDV8K2M3N4P5Q6R7S8T9V0WX_…',
  device_token: 'DEV-01JDV8K2M3N4P5Q6R7S8T9V0WX…',
  agent_name: 'Scout',
  agent_type: 'assistant',
  capabilities: ['request:peck', 'read:peck'],
  audience: 'lake.example',
  target: 'lake.example',
  target_domain: 'lake.example',
  domain: 'lake.example',
  params: { to: 'pond@example.com' },
  /** SHA-256 of the canonical JSON of `params`. */
  params_hash: '606b3a36c32ceba3a65b86b76b1791998dabc2537414428d6af262ebeb5658f9',
  hash: digest,
  prev_hash: digest,
  summary:
    'Agent "Scout" of Teal (tier T2) asks Mallard for permission to send mail with the parameters shown, once, within 24 hours of the approval; to be answered by 2026-11-22 10:00 UTC.',
  url: 'https://hooks.lake.example/beak',
  page: '/directory',
  bio: 'Keeps the north bank tidy.',
  client_name: 'Build server',
  user_code: 'BCDF-GHJK',
  device_code: 'DVC-01JDV8K2M3N4P5Q6R7S8T9V0WX_…',
  request: 'AmLT8tOQKHuIJjoveAAvf1',
  browser: 'Gz-sDKeZYWmHn-iI0AhW',
  scopes: ['ask', 'profile'],
  connection: null,
  guard: null,
  alarm: null,
  computer: 'otter',
  mode: 'guard',
  site: null,
  origin: 'https://approver.example',
  joined: '2026-11',
  since: '2026-11',
  target_duckling_id: id('DUCK'),
  next_cursor: null,
  recovery: null,
  credential: 'eyJhbGciOiJFZERTQSIs…',
  jws: 'eyJhbGciOiJFZERTQSIs…',
  requester_cert_id: id('CERT'),
  referral_code: 'ABCDEFGH',
  name: 'My phone',
  transports: ['internal'],
  amr: ['otp'],
  ip: '203.0.113.7',
  user_agent: 'Mozilla/5.0 …',
  request_id: '01JDV8K2M3N4P5Q6',
  start: 'beak_01JDV8K2',
  retired_key_uses: 0,
  grant_seconds: 86_400,
  status_code: 200,
  latency_ms: 48,
  function_version: '0.3.0',
  expires_at: nextDay,
  trust_tier: 'T1',
  tier: 'T1',
  tier_scope: 'T1',
  current_tier: 'T1',
  min_peck_tier: 'T1',
  expires_in: 86_400,
  grant_expires_in: 3600,
  limit: '20',
  quiet_hours: { from: '22:00', to: '07:00' },
  time_zone: 'Europe/Berlin',
  budget: ruleBudget,
}

/** What is true of the object in an example, by component. `undefined` leaves an optional field out. */
export const factsOfComponents: Record<string, Facts> = {
  Peck: {
    status: 'pending',
    grant_status: null,
    reason: null,
    decided_at: null,
    grant_expires_at: null,
    uses: 0,
    max_uses: null,
    last_used_at: null,
    // For the target only.
    risk: undefined,
    // Only when the request has them, or a person has that name.
    decided_by: undefined,
    superseded_by: undefined,
    supersedes: undefined,
    audience: undefined,
    challenge: undefined,
    code_hash: undefined,
    require: undefined,
    param_types: undefined,
    target_full_name: undefined,
    target_handle: undefined,
    repeated: undefined,
    grant_token: undefined,
    would_approve: undefined,
    unclear: undefined,
    snoozed_until: undefined,
    undo_until: undefined,
    // Only when the target knows the asker.
    notified_at: undefined,
    seen_at: undefined,
  },
  MaxAmount: { amount: '50.00', currency: 'EUR' },
  ...factsOfRules,
  InboxItem: { snoozed_until: undefined },
  DecisionOutcome: { undo_until: undefined },
  Requester: {
    type: 'agent',
    duckling_id: teal,
    display_name: 'Teal',
    trust_tier: 'T2',
    agent_name: 'Scout',
    full_name: undefined,
    handle: undefined,
    // For the target only.
    member_since: undefined,
  },
  PeckDetails: {
    requester_blocked: false,
    signed: false,
    grant_revoked_at: null,
  },
  OwnHandle: {
    next_handle_change_at: null,
    get url() {
      return `${config().baseUrl}/@mallard`
    },
  },
  PublicPerson: {
    full_name: undefined,
    get url() {
      return `${config().baseUrl}/@mallard`
    },
  },
  PeckBlock: { duckling_id: teal, display_name: 'Teal' },
  KnownAsker: { asker: id('AGT'), name: 'Scout', operator_name: 'Teal' },
  ConsumedGrant: { uses_left: 0 },
  Profile: {
    phone_verified: false,
    cert_status: 'active',
    require_passkey_for_pecks: false,
    builder: false,
    next_name_change_at: null,
    next_handle_change_at: null,
  },
  GrantedProfile: { cert_status: 'active' },
  Certificate: {
    full_name: undefined,
    status: 'active',
    revoked_at: null,
    revocation_reason: null,
    // The address of the service is known when it runs.
    get verify_url() {
      return `${config().baseUrl}/verify/${id('CERT')}`
    },
  },
  CertificateVerification: { status: 'active', revoked_at: null },
  Agent: { status: 'bonded', allow_query_key: false },
  Webhook: { disabled_reason: null, secret_rotating_until: null },
  WebhookWithSecret: { disabled_reason: null, secret_rotating_until: null, secret: 'whsec_…' },
  WebhookTest: { response: 'ok', error: null },
  WebhookDelivery: {
    type: 'peck.approved',
    status: 'delivered',
    next_attempt_at: null,
    attempts: [{ attempted_at: time, status_code: 200, latency_ms: 48, error: null, response: 'ok' }],
  },
  Receipt: { decided_at: decided, statement_text: '{"action":"send:mail",…}', passkey: null },
  OutcomeReceipt: {
    outcome: 'approved',
    statement_text: '{"action":"send:mail",…}',
    passkey: null,
    enrolment: null,
  },
  DecisionStatement: {
    decision: 'approve',
    requester: { duckling_id: teal, agent_id: id('AGT') },
    expires_at: nextDay,
    display: { version: 1, hash: shortDigest },
    log: null,
  },
  ApprovalStatement: { requester: { duckling_id: teal, agent_id: id('AGT') }, created_at: time },
  Jwks: { distrusted: undefined },
  LogEntry: { passkey_id: null },
  AuditEvent: {
    action: 'peck.approved',
    actor: { type: 'duckling', id: id('DUCK') },
    targets: [{ type: 'peck', id: id('PECK') }],
  },
}

const approved: Facts = {
  max_uses: 1,
  status: 'approved',
  grant_status: 'active',
  decided_at: decided,
  grant_expires_at: '2026-11-22T10:05:00.000Z',
}

/** What is true after an operation, where that is another state than the usual one of the component. */
export const factsOfAnswers: Record<string, Facts> = {
  approvePeck: approved,
  getPeck: { ...approved, grant_token: byName.grant_token },
  rejectPeck: { status: 'rejected', decided_at: decided, reason: byName.reason },
  snoozePeck: { snoozed_until: nextDay },
  cancelPeck: { status: 'cancelled', decided_at: decided },
  sendTestRequest: {
    action: testAction,
    params: {},
    params_hash: digest,
    message: null,
    summary:
      'A test that Beak sends for Agent "Scout" of Teal (tier T2), because its operator asked for it. An approval permits nothing; to be answered by 2026-11-21 11:00 UTC.',
    target_duckling_id: teal,
    target_display_name: 'Teal',
  },
  revokeGrant: { ...approved, grant_status: 'revoked' },
  revokeCertificate: { status: 'revoked', revoked_at: decided, revocation_reason: 'I have lost my phone.' },
  suspendAgent: { status: 'suspended' },
  deregisterAgent: { status: 'deregistered' },
  verifyAgent: {
    status: 'bonded',
    operator: {
      duckling_id: `DUCK-…${teal.slice(-4)}`,
      display_name: 'Teal',
      trust_tier: 'T2',
      certified: true,
      cert_id: id('CERT'),
    },
  },
  unblockDuckling: { blocked: false },
  rotateWebhookSecret: { secret_rotating_until: nextDay },
}

/** Examples of parameters whose names mean something else in each operation. */
export const factsOfParameters: Record<string, Record<string, unknown>> = {
  getStatusList: { n: 0 },
  getAsker: { asker: id('AGT') },
  getPeckDetails: { peck_ids: id('PECK') },
  readSharedReceipt: { id: '01JDV8K2M3N4P5Q6R7S8T9V0WX' },
  viewInvitation: { token: '01JDV8K2M3N4P5Q6R7S8T9V0WX' },
  getLogTile: { path: '0/000' },
  getProtectedResourceAt: { path: 'mcp' },
}
