/**
 * The one list of what belongs to an account, and of what each occasion takes away. The type of the list follows the schema of the database: a new
 * model with rows of an account does not compile before it says here what happens to them on every occasion.
 */
import { Prisma, type Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { eraseUses } from '@/lib/domain/pecks/lists/details'
import { rulesOf } from '@/lib/domain/rules/end-rules'
import { suspendChain } from '@/lib/infrastructure/events/chain'
import * as agents from './take-agents'
import * as requests from './take-requests'
import { isUnfinishedPeckOf } from './take-requests'
import * as settings from './take-settings'
import * as access from './taking'
import { type Ended, endedNames, type Occasion, type Take, type Taking } from './taking'

type Model = keyof Prisma.TypeMap['model']

/** Columns that say whose a row is: the account, or what belongs to it. */
type OwnerColumn =
  | `${'d' | `${string}D`}ucklingId`
  | `${'agent' | 'session' | 'endpoint' | 'message' | 'delivery' | 'peck' | 'rule' | 'subject'}Id`
  | 'account'
  | 'address'
  | 'email'

/** Models with rows of an account. */
export type OwnedModel = {
  [M in Model]: Extract<keyof Prisma.TypeMap['model'][M]['fields'], OwnerColumn> extends never ? never : M
}[Model]

/** True: the occasion takes the kind away. A text says why it does not, or which kind takes it along. */
type Answers = Readonly<Record<Occasion, true | string>>
type Row = (Answers & { readonly take: Take }) | Readonly<Record<Occasion, string>>

const asleep = 'Nothing of a suspended account works until the host resumes it, and it loses nothing.'
const passkeysOnly = 'A recovery removes the passkeys of an owner who has lost them, and nothing else.'

/** What sessions make, and a thief could. */
const made = {
  first_proof: true,
  undo: true,
  recovery: passkeysOnly,
  suspension: asleep,
  close: true,
} as const

/** Personal data that gives nobody access. Only closing deletes it. */
const personal = (why: string) =>
  ({ first_proof: why, undo: why, recovery: passkeysOnly, suspension: asleep, close: true }) as const

const always = (why: string) =>
  ({ first_proof: why, undo: why, recovery: why, suspension: why, close: why }) as const

const along = (kind: OwnedModel) => `Goes along with its ${kind}.`

/** Makes the function of a kind whose rows are changed or deleted and are in no list. */
const silently =
  (take: (tx: Tx, ducklingId: string) => Promise<unknown>): Take =>
  async (tx, { ducklingId }) => {
    await take(tx, ducklingId)
    return {}
  }

const deleteFrom = (model: OwnedModel): Take =>
  silently((tx, id) => tx.run`DELETE FROM ${Prisma.raw(`"${model}"`)} WHERE "ducklingId" = ${id}`)

/**
 * In the order in which they are taken. Sessions are first, so that none of them adds rows meanwhile. Keys are before requests and tokens, which
 * end with their keys. The account itself is last, because events of others still name it.
 */
export const kinds = {
  AuditChain: {
    ...always('Every event stays. Closing ends the chain after its last event.'),
    first_proof: along('Session'),
    undo: along('Session'),
    suspension: true,
    take: silently((tx, id) => suspendChain(tx, id, true)),
  },
  DeviceRequest: {
    ...personal('An approval works only while the session that gave it is live, and that session ends.'),
    suspension: true,
    take: access.takeDeviceRequests,
  },
  Session: { ...made, suspension: true, take: access.takeSessions },
  SignOnProof: always(along('Session')),
  DeviceToken: { ...made, take: access.takeDevices },
  WebhookEndpoint: { ...made, take: agents.takeWebhooks },
  WebhookMessage: always(along('WebhookEndpoint')),
  WebhookDelivery: always(along('WebhookEndpoint')),
  WebhookAttempt: always(along('WebhookEndpoint')),
  WebhookQueue: always(along('WebhookEndpoint')),
  Outbox: always(along('WebhookEndpoint')),
  Site: { ...made, take: agents.takeSites },
  SiteConsent: { ...made, take: agents.takeSiteConsents },
  SiteSignIn: {
    ...personal('It ends with its session.'),
    first_proof: along('Session'),
    undo: along('Session'),
    take: deleteFrom('SiteSignIn'),
  },
  SiteSubject: {
    ...personal('It opens nothing, and without it a site would take its owner for somebody else.'),
    take: deleteFrom('SiteSubject'),
  },
  Certificate: {
    ...personal(
      'It certifies a proven address, so a stranger without one has none, and a thief proves nothing new.',
    ),
    take: agents.takeCertificate,
  },
  Agent: {
    ...made,
    recovery:
      'Goes along with its Passkey: an agent that a removed passkey made counts as new, and works on.',
    suspension: true,
    take: agents.takeAgents,
  },
  Handshake: { ...made, take: agents.takeHandshakes },
  BeakKey: { ...made, take: agents.takeKeys },
  Connection: {
    ...personal('It opens nothing without the key of its agent, which goes.'),
    take: agents.takeConnections,
  },
  Guard: {
    ...personal('It says what the guard of a coding agent said, and opens nothing.'),
    take: deleteFrom('Guard'),
  },
  Peck: { ...made, take: requests.takePecks },
  PeckUse: {
    ...personal('What was used stays in the history of the owner.'),
    take: silently(eraseUses),
  },
  GrantToken: always(along('Peck')),
  Passkey: { ...made, recovery: true, take: access.takePasskeys },
  Approver: { ...made, suspension: true, take: access.takeApprover },
  PasskeyRecovery: {
    first_proof: 'Asking for one needs a mailed code, which is the first proof itself.',
    undo: true,
    recovery: 'Its row is the recovery. Whoever deletes it finishes or cancels it.',
    suspension: true,
    close: true,
    take: access.takeRecovery,
  },
  SignInLink: {
    ...personal('The host made it and handed it over.'),
    undo: true,
    take: deleteFrom('SignInLink'),
  },
  MailLink: {
    ...personal(
      'Whoever reads the mail of the owner may use it. An undo uses up the links of later changes itself.',
    ),
    take: deleteFrom('MailLink'),
  },
  OtpCode: {
    ...made,
    undo: 'Revoked before the account is locked, in the order of a change of address.',
    take: access.takeCodes,
  },
  OtpGuard: { ...made, undo: 'Counts only slow down people who try codes.', take: access.takeCounts },
  AskerHistory: { ...made, take: requests.takeHistory },
  Rule: { ...made, recovery: along('Passkey'), take: requests.takeRules },
  RuleStatement: always(along('Rule')),
  RuleUse: always(along('Rule')),
  RuleReport: always(along('Rule')),
  AgentBudget: always(along('Rule')),
  Invitation: { ...made, take: requests.takeInvitations },
  Contact: { ...made, take: requests.takeContacts },
  Channel: { ...made, take: agents.takeChannels },
  SsoToken: { ...made, take: agents.takeSsoTokens },
  SsoProof: {
    ...personal('Nothing counts them any more.'),
    take: deleteFrom('SsoProof'),
  },
  SharedReceipt: { ...made, take: requests.takeReceipts },
  PeckBlock: { ...made, take: requests.takeBlocks },
  NotificationSettings: {
    ...made,
    undo: 'What a setting was before is not stored. The owner is told which were changed.',
    take: settings.takeNotifications,
  },
  Ceremony: {
    ...personal('It ends within minutes, and with the session that began it.'),
    take: deleteFrom('Ceremony'),
  },
  IdempotencyKey: {
    ...personal('It repeats an answer to the session that got it, and allows nothing.'),
    take: deleteFrom('IdempotencyKey'),
  },
  PeckNotice: {
    ...personal('It says when the next mail about requests may be sent.'),
    take: deleteFrom('PeckNotice'),
  },
  PeckMail: {
    ...personal('It is a mail to the owner.'),
    take: deleteFrom('PeckMail'),
  },
  PeckAnnouncement: {
    ...personal('It says what channels have announced, and a removed channel announces nothing.'),
    take: deleteFrom('PeckAnnouncement'),
  },
  WebhookStanding: {
    ...personal('It counts failures of receivers.'),
    take: deleteFrom('WebhookStanding'),
  },
  Notice: {
    ...personal('It is a mail to the owner.'),
    take: deleteFrom('Notice'),
  },
  RecentChange: {
    ...personal('It tells the owner what was changed.'),
    take: deleteFrom('RecentChange'),
  },
  FormerName: {
    ...personal('Receipts show the name that a person had at the time of the decision.'),
    take: deleteFrom('FormerName'),
  },
  Handle: {
    ...personal('A handle gives nobody access. The owner may choose another one.'),
    take: settings.takeHandles,
  },
  Subscription: {
    ...personal('The newsletter is confirmed by the address itself.'),
    take: (tx, { ducklingId }) => settings.takeByAddress(tx, 'subscription', ducklingId),
  },
  SupportTicket: {
    ...personal('The host answers it by mail.'),
    take: (tx, { ducklingId }) => settings.takeByAddress(tx, 'supportTicket', ducklingId),
  },
  SignUpPass: always('It belongs to an address without an account, and ends within minutes.'),
  AuditEvent: always('The log keeps every event. A closed account loses their networks and devices later.'),
  LogEntry: always('The transparency log has digests and is never changed.'),
  LogPending: always('The transparency log has digests and is never changed.'),
  LogQueue: always('The transparency log has digests and is never changed.'),
  Duckling: {
    ...made,
    suspension: 'The command that suspends the account marks it, and takes it from the directory.',
    take: settings.takeSettings,
  },
} as const satisfies Record<OwnedModel | 'Duckling', Row>

type Given = Pick<Taking, 'occasion' | 'context' | 'ducklingId'> & Partial<Taking>

/** Takes away from a locked account what the occasion takes of each kind. Returns the ids of what ended. */
export async function takeAway(tx: Tx, given: Given): Promise<Ended> {
  const ended = Object.fromEntries(endedNames.map((name): [string, string[]] => [name, []])) as Ended
  for (const row of Object.values<Row>(kinds)) {
    if (!('take' in row) || row[given.occasion] !== true) continue
    const taken = await row.take(tx, {
      sessionId: null,
      since: new Date(0),
      isMade: () => sql`true`,
      ...given,
      ended,
    })
    for (const name of endedNames) ended[name].push(...(taken[name] ?? []))
  }
  return ended
}

export interface Owner {
  /** The email address, or null when it was never verified. */
  verifiedEmail: string | null
}

/**
 * Locks an account and everything that ends with it. The locks are taken in the same order as in other commands, audit logs last, so that
 * no deadlock can occur. Returns null when the account is closed.
 */
export async function lockAccount(tx: Tx, id: string, now: Date): Promise<Owner | null> {
  await tx.run`
    SELECT 1 FROM "Agent" WHERE "ducklingId" = ${id} AND "status" <> 'deregistered' ORDER BY "id" FOR NO KEY UPDATE`
  const [owner] = await tx.rows<Owner>`
    SELECT CASE WHEN "emailVerifiedAt" IS NOT NULL THEN "email" END AS "verifiedEmail"
    FROM "Duckling" WHERE "id" = ${id} AND "deletedAt" IS NULL FOR UPDATE`
  if (!owner) return null
  const pecks = await tx.rows<{ requester: string; target: string }>`
    SELECT "requesterDucklingId" AS "requester", "targetDucklingId" AS "target" FROM "Peck"
    WHERE ${isUnfinishedPeckOf(id, now)} ORDER BY "id" FOR NO KEY UPDATE`
  await tx.run`
    SELECT 1 FROM "Session" WHERE "ducklingId" = ${id} AND "revokedAt" IS NULL ORDER BY "id" FOR NO KEY UPDATE`
  const rules = await tx.rows<{ owner: string }>`
    SELECT "ducklingId" AS "owner" FROM "Rule"
    WHERE "status" <> 'ended' AND (${rulesOf(id)} OR "subjectId" IN (SELECT "id" FROM "Agent" WHERE "ducklingId" = ${id}))
    ORDER BY "id" FOR NO KEY UPDATE`
  const owners = rules.map(({ owner }) => owner)
  const sides = new Set([id, ...owners, ...pecks.flatMap(({ requester, target }) => [requester, target])])
  await tx.run`
    SELECT 1 FROM "AuditChain" WHERE "ducklingId" = ANY(${[...sides]}::text[]) ORDER BY "ducklingId" COLLATE "C" FOR UPDATE`
  return owner
}
