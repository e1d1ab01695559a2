/**
 * Exports all data about the caller in one document, with the whole audit chain in the form that
 * `beak audit verify` reads.
 *
 * The export records its own event first. This locks the caller's audit chain until the transaction ends, and every change of the
 * account needs that lock before it commits. So the export shows one moment, and the chain ends at its signed head.
 */

import type { Params } from '@beak/decision/params'
import { hiddenSecret, withoutSecrets } from '@beak/decision/secret-values'
import type { Shown } from '@beak/proofs/receipts/outcome-schema'
import { Prisma, type Tx } from '@/lib/db/client'
import type { Duckling } from '@/lib/db/generated/client'
import { flush, transaction } from '@/lib/db/transaction'
import { readAgents } from '@/lib/domain/agents/read'
import { findApprover } from '@/lib/domain/approvers/schema'
import { signHead } from '@/lib/domain/audit/list'
import { presentEvent } from '@/lib/domain/audit/schema'
import { presentCertificate } from '@/lib/domain/certs/schema'
import { listChannels } from '@/lib/domain/channels/channels'
import { getDuckling, presentProfile } from '@/lib/domain/identity/schema'
import { presentInvitation } from '@/lib/domain/invitations/schema'
import { presentNotifications } from '@/lib/domain/notifications/schema'
import { readSettings } from '@/lib/domain/notifications/settings'
import { findRecovery } from '@/lib/domain/passkeys/recovery'
import { presentPasskey } from '@/lib/domain/passkeys/schema'
import { exportUses } from '@/lib/domain/pecks/lists/details'
import { listShares } from '@/lib/domain/pecks/receipts/share'
import { type PeckRow, readPecksInParts } from '@/lib/domain/pecks/rows'
import { exportRules } from '@/lib/domain/pecks/rules/read'
import { type PeckInput, presentPeck, presentPeckTo } from '@/lib/domain/pecks/schema'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { presentSession } from '@/lib/domain/sessions/schema'
import { proveForExport } from '@/lib/domain/tlog/prove'
import { presentDelivery, presentWebhook, withAttempts } from '@/lib/domain/webhooks/schema'
import { record } from '@/lib/infrastructure/events/record'
import { publicKeys } from '@/lib/infrastructure/keys/signing-keys'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { inSlices } from '@/lib/kernel/runtime/slices'
import { exportSites } from './export-sites'
import { type AccountExportInput, presentAccount, presentKey, presentLink, presentSsoToken } from './schema'

/** Returns all data about the caller, lists oldest first. Throws the failures of `requireProof`. */
export function exportAccount(context: DucklingContext<ProofFailure>): Promise<AccountExportInput> {
  return transaction(async (tx) => {
    await requireProof(tx, context)
    return readEverything(tx, context)
  })
}

/** Returns the same by a command of the host, which needs no proof. */
export function exportAccountByHost(context: DucklingContext): Promise<AccountExportInput> {
  return transaction((tx) => readEverything(tx, context))
}

async function readEverything(tx: Tx, context: DucklingContext): Promise<AccountExportInput> {
  const { caller, now } = context
  record(tx, context, 'duckling.exported', { targets: [{ type: 'duckling', id: caller.id }] })
  await flush(tx)
  const duckling = await tx.duckling.findUniqueOrThrow({ where: { id: caller.id } })
  return {
    exported_at: now,
    profile: presentProfile(await getDuckling(tx, caller.id), now),
    account: presentAccount(duckling),
    handles: await readHandles(tx, caller.id),
    notifications: presentNotifications(await readSettings(tx, caller.id), now),
    ...(await readCertificatesAndAgents(tx, context, duckling)),
    pecks: await readOwnPecks(tx, context),
    shared_receipts: await listShares(tx, caller.id),
    recent_changes: await readRecentChanges(tx, caller.id),
    former_names: await readOwnFormerNames(tx, caller.id),
    asker_history: await readAskerHistory(tx, caller.id),
    ...(await exportRules(tx, context)),
    ...(await readAccess(tx, context)),
    webhooks: await readWebhooks(tx, context),
    channels: (await listChannels(context, tx)).items,
    announcements: await readAnnouncements(tx, caller.id),
    ...(await exportSites(tx, caller.id)),
    ...(await readSubmissions(tx, duckling.emailVerifiedAt === null ? null : duckling.email)),
    audit: await readAudit(tx, context),
  }
}

/** The sensitive changes that the pages of other sessions show. */
async function readRecentChanges(tx: Tx, ducklingId: string): Promise<AccountExportInput['recent_changes']> {
  const row = await tx.recentChange.findUnique({ where: { ducklingId } })
  return (row?.items ?? []) as unknown as AccountExportInput['recent_changes']
}

async function readHandles(tx: Tx, ducklingId: string): Promise<AccountExportInput['handles']> {
  const rows = await tx.handle.findMany({ where: { ducklingId }, orderBy: { claimedAt: 'asc' } })
  return rows.map(({ name, claimedAt, releasedAt }) => ({
    handle: name ?? '',
    claimed_at: claimedAt,
    released_at: releasedAt,
  }))
}

async function readCertificatesAndAgents(tx: Tx, { caller }: DucklingContext, owner: Duckling) {
  const ofCaller = { where: { ducklingId: caller.id }, orderBy: { id: 'asc' } } as const
  const certificates = await tx.certificate.findMany(ofCaller)
  const keys = await tx.beakKey.findMany({
    where: { agent: { ducklingId: caller.id } },
    orderBy: { id: 'asc' },
  })
  const agents = await readAgents(tx, Prisma.sql`SELECT * FROM "Agent" WHERE "ducklingId" = ${caller.id}`)
  return {
    certificates: certificates.map((row) => presentCertificate(row, owner)),
    agents: agents.toReversed().map((agent) => ({
      ...agent,
      keys: keys.filter(({ agentId }) => agentId === agent.agent_id).map(presentKey),
    })),
  }
}

interface StoredDecision {
  id: string
  approval: unknown
  displayed: string | null
}

/**
 * Leaves out pecks of askers that the caller has blocked. A peck to a duckling that blocked the caller looks like any other. Only received
 * pecks have a risk, even when an agent of the caller has sent the peck.
 */
async function readOwnPecks(tx: Tx, { caller, now }: DucklingContext): Promise<AccountExportInput['pecks']> {
  const sent = await readPecksInParts(tx, Prisma.sql`"requesterDucklingId" = ${caller.id}`)
  const received = await readPecksInParts(tx, Prisma.sql`"targetDucklingId" = ${caller.id} AND NOT "blocked"`)
  const decisions = await tx.rows<StoredDecision>`
    SELECT "id", "approval", "displayed" FROM "Peck"
    WHERE "targetDucklingId" = ${caller.id} AND NOT "blocked" AND ("approval" IS NOT NULL OR "displayed" IS NOT NULL) ORDER BY "id"`
  return {
    sent: await inSlices(sent.toReversed(), weightOf, (row) => shownPeck(presentPeck(row, now))),
    received: await inSlices(received.toReversed(), weightOf, (row) =>
      shownPeck(presentPeckTo(caller, row, now)),
    ),
    approvals: decisions.flatMap(({ id, approval }) =>
      approval === null ? [] : [{ peck_id: id, approval }],
    ),
    displayed: decisions.flatMap(({ id, displayed }) =>
      displayed === null ? [] : [{ peck_id: id, displayed: shownDisplay(displayed) }],
    ),
    uses: await exportUses(tx, caller.id),
  }
}

/** An account can have many pecks, and looking for secrets takes most of the time. */
const weightOf = ({ params }: Pick<PeckRow, 'params'>) => params.length

const parsed = (json: string) => JSON.parse(json) as Record<string, unknown>

// The file may be kept for years and sent around, so it has the secrets of pecks hidden (docs/risk.md, Secrets).
const withoutSecretsIn = (params: Params) => withoutSecrets('', params) as Params

function shownPeck<T extends Pick<PeckInput, 'params' | 'message'>>(peck: T): T {
  const message = withoutSecrets('message', peck.message) as T['message']
  return { ...peck, params: withoutSecretsIn(peck.params), message }
}

function shownDisplay(json: string): Record<string, unknown> {
  const shown = JSON.parse(json) as Shown
  const values = shown.values.map(({ text, ...value }) => ({
    ...value,
    text: value.type === 'secret' ? hiddenSecret : withoutSecrets(value.name, text),
  }))
  return { ...shown, values, message: withoutSecrets('message', shown.message) }
}

async function readOwnFormerNames(tx: Tx, ducklingId: string): Promise<AccountExportInput['former_names']> {
  const rows = await tx.formerName.findMany({ where: { ducklingId }, orderBy: { until: 'asc' } })
  return rows.map(({ until, displayName, fullName }) => ({
    until,
    display_name: displayName,
    full_name: fullName,
  }))
}

/** Returns what askers asked the account for, and what the account approved last. */
async function readAskerHistory(
  tx: Tx,
  targetDucklingId: string,
): Promise<AccountExportInput['asker_history']> {
  const rows = await tx.askerHistory.findMany({
    where: { targetDucklingId },
    orderBy: [{ askerId: 'asc' }, { action: 'asc' }],
  })
  return rows.map((row) => ({
    asker: row.askerId,
    action: row.action,
    asked: row.asked,
    asked_at: row.askedAt,
    approved: row.approved - row.approvedByRule,
    approved_by_rule: row.approvedByRule,
    approved_at: row.approvedAt,
    approved_params: row.approvedParams === null ? null : withoutSecretsIn(parsed(row.approvedParams)),
  }))
}

async function readAccess(tx: Tx, { caller, now }: DucklingContext) {
  const ofCaller = { where: { ducklingId: caller.id }, orderBy: { id: 'asc' } } as const
  const blocks = await tx.peckBlock.findMany({
    where: { ducklingId: caller.id },
    orderBy: { createdAt: 'asc' },
  })
  const invitations = await tx.invitation.findMany(ofCaller)
  const contacts = await tx.contact.findMany({
    where: { ducklingId: caller.id },
    orderBy: { askerId: 'asc' },
  })
  const sessions = await tx.session.findMany(ofCaller)
  const devices = await tx.deviceToken.findMany(ofCaller)
  const codes = await tx.otpCode.findMany(ofCaller)
  return {
    invitations: invitations.map((row) => presentInvitation(row, now)),
    contacts: contacts.map((row) => ({ asker: row.askerId, note: row.note, always_since: row.alwaysAt })),
    blocks: blocks.map((row) => ({ duckling_id: row.blockedDucklingId, created_at: row.createdAt })),
    passkeys: (await tx.passkey.findMany(ofCaller)).map(presentPasskey),
    passkey_recovery: await findRecovery(tx, caller.id),
    approver: await findApprover(tx, caller.id),
    mail_links: (await tx.mailLink.findMany(ofCaller)).map(presentLink),
    sessions: sessions.map((row) => ({
      ...presentSession(row, caller.sessionId),
      revoked_at: row.revokedAt,
    })),
    devices: devices.map(({ id, createdAt, expiresAt }) => ({
      device_id: id,
      created_at: createdAt,
      expires_at: expiresAt,
    })),
    codes: codes.map(({ purpose, address, createdAt }) => ({ purpose, address, created_at: createdAt })),
    sso_tokens: (await tx.ssoToken.findMany(ofCaller)).map(presentSsoToken),
  }
}

async function readAnnouncements(tx: Tx, ducklingId: string): Promise<AccountExportInput['announcements']> {
  const rows = await tx.peckAnnouncement.findMany({ where: { ducklingId }, orderBy: { createdAt: 'asc' } })
  return rows.map((row) => ({
    peck_id: row.peckId,
    channel_id: row.channelId,
    announced_at: row.announcedAt,
    reminded_at: row.remindedAt,
  }))
}

async function readWebhooks(tx: Tx, { caller, now }: DucklingContext) {
  const rows = await tx.webhookEndpoint.findMany({
    where: { ducklingId: caller.id },
    orderBy: { id: 'asc' },
    include: {
      deliveries: {
        orderBy: { id: 'asc' },
        include: withAttempts,
      },
    },
  })
  return rows.map((row) => ({
    ...presentWebhook(row, now),
    deliveries: row.deliveries.map(presentDelivery),
  }))
}

/** Reads what was submitted with the caller's address. An unverified address may belong to another person, so it yields nothing. */
async function readSubmissions(tx: Tx, verifiedEmail: string | null) {
  if (verifiedEmail === null) return { subscriptions: [], support_tickets: [] }
  const where = { email: verifiedEmail }
  const subscriptions = await tx.subscription.findMany({ where })
  const tickets = await tx.supportTicket.findMany({ where, orderBy: { id: 'asc' } })
  return {
    subscriptions: subscriptions.map((row) => ({
      email: row.email,
      partner_type: row.partnerType,
      status: row.status,
      created_at: row.createdAt,
      confirmed_at: row.confirmedAt,
    })),
    support_tickets: tickets.map((row) => ({
      ticket_id: row.id,
      email: row.email,
      message: row.message,
      created_at: row.createdAt,
    })),
  }
}

async function readAudit(tx: Tx, { caller, now }: DucklingContext) {
  const { head } = await signHead(tx, caller.id, now)
  const events = await tx.auditEvent.findMany({ where: { ducklingId: caller.id }, orderBy: { seq: 'asc' } })
  const log = await proveForExport(tx, caller.id)
  return { events: events.map(presentEvent), head, jwks: { keys: publicKeys() }, log }
}
