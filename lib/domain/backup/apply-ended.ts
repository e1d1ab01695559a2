/**
 * Ends again what the log shows as removed or ended since the backup (contract E, Backup and restore). Entries have only digests, so those of
 * everything that the backup has living are compared with them.
 */

import { type EntryKind, passkeyDigest } from '@beak/proofs/log/entry'
import { db, Prisma } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { closeAccountAgain } from '@/lib/domain/accounts/close'
import { retireKey } from '@/lib/domain/agents/credentials'
import { liveStatuses } from '@/lib/domain/agents/schema'
import { lockOwner, revokeActiveCertificate } from '@/lib/domain/certs/issue'
import { deletePasskeys } from '@/lib/domain/passkeys/delete'
import { retireAgents } from '@/lib/domain/revocation/deregister'
import { appendToLog } from '@/lib/domain/tlog/append'
import { type Continued, continueFromMirror, type Missing } from '@/lib/domain/tlog/continue-log'
import { type EndedThing, endedDigest } from '@/lib/domain/tlog/enqueue'
import { digestIn } from '@/lib/domain/tlog/own-entries'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import { hostContext, systemContext } from '@/lib/kernel/request/context'
import type { Tier } from '@/lib/kernel/request/tier'

/** How many things were ended again. */
export interface EndedAgain {
  accounts: number
  certificates: number
  agents: number
  keys: number
  passkeys: number
}

interface Owned {
  id: string
  ducklingId: string
  trustTier: Tier
}

type Entry = { kind: EntryKind; data: string }

const digestsOf = (entries: Entry[], kind: EntryKind) =>
  new Set(entries.filter((entry) => entry.kind === kind).map(({ data }) => digestIn(Buffer.from(data))))

const batch = 5_000

/** Reads living things in batches, in the order of their ids, and returns those that the marks name. */
async function findEnded(
  marks: ReadonlySet<string>,
  nameOf: (id: string) => EndedThing,
  read: (after: string) => Promise<Owned[]>,
): Promise<Owned[]> {
  const found: Owned[] = []
  if (marks.size === 0) return found
  for (let after = ''; ; ) {
    const rows = await read(after)
    found.push(...rows.filter(({ id }) => marks.has(endedDigest(nameOf(id)))))
    const last = rows.at(-1)
    if (last === undefined || rows.length < batch) return found
    after = last.id
  }
}

const accounts = (after: string) => db().rows<Owned>`
  SELECT "id", "id" AS "ducklingId", "trustTier"::text FROM "Duckling"
  WHERE "deletedAt" IS NULL AND "id" > ${after} ORDER BY "id" LIMIT ${batch}::int`

const certificates = (after: string) => db().rows<Owned>`
  SELECT c."id", c."ducklingId", d."trustTier"::text FROM "Certificate" c JOIN "Duckling" d ON d."id" = c."ducklingId"
  WHERE c."activeFor" IS NOT NULL AND c."id" > ${after} ORDER BY c."id" LIMIT ${batch}::int`

const agents = (after: string) => db().rows<Owned>`
  SELECT a."id", a."ducklingId", d."trustTier"::text FROM "Agent" a JOIN "Duckling" d ON d."id" = a."ducklingId"
  WHERE a."status" = ANY(${liveStatuses}::"AgentStatus"[]) AND a."id" > ${after} ORDER BY a."id" LIMIT ${batch}::int`

const keys = (after: string) => db().rows<Owned>`
  SELECT k."id", a."ducklingId", d."trustTier"::text FROM "BeakKey" k JOIN "Agent" a ON a."id" = k."agentId"
  JOIN "Duckling" d ON d."id" = a."ducklingId"
  WHERE k."activeFor" IS NOT NULL AND k."id" > ${after} ORDER BY k."id" LIMIT ${batch}::int`

const ownerOf = ({ ducklingId, trustTier }: Owned) => ({ id: ducklingId, trustTier })

/** Revokes the certificate, unless its owner has another one by now. Returns whether it did. */
function revokeAgain(certificate: Owned, now: Date): Promise<boolean> {
  const { id, ducklingId } = certificate
  return transaction(async (tx) => {
    await lockOwner(tx, ducklingId)
    if ((await tx.certificate.count({ where: { id, activeFor: ducklingId } })) === 0) return false
    const context = hostContext(ownerOf(certificate), now)
    return (
      (await revokeActiveCertificate(tx, context, ducklingId, 'It was revoked before the restore.')) !== null
    )
  })
}

/** Retires a key that its owner has replaced since, unless the agent has another one by now. The owner rotates again to get a new one. */
function retireAgain({ id, ducklingId }: Owned, now: Date): Promise<boolean> {
  return transaction(async (tx) => {
    const [key] = await tx.rows<{ agentId: string }>`
      SELECT "agentId" FROM "BeakKey" WHERE "id" = ${id} AND "activeFor" IS NOT NULL FOR UPDATE`
    if (key === undefined) return false
    await retireKey(tx, key.agentId, now)
    record(tx, systemContext(now), 'key.retired', {
      concerning: [ducklingId],
      actor: systemActor,
      targets: [
        { type: 'agent', id: key.agentId },
        { type: 'key', id },
      ],
      isDeferred: true,
    })
    return true
  })
}

/** Removes passkeys that were removed since. Returns their number. */
async function removePasskeys(entries: Entry[], now: Date): Promise<number> {
  const removed = digestsOf(entries, 'passkey_removed')
  if (removed.size === 0) return 0
  const passkeys = await db().passkey.findMany({
    select: { id: true, ducklingId: true, credentialId: true, publicKey: true },
  })
  const again = passkeys.filter(({ ducklingId, credentialId, publicKey }) =>
    removed.has(
      passkeyDigest({ ducklingId, credentialId, publicKey: Buffer.from(publicKey).toString('base64url') }),
    ),
  )
  for (const { id, ducklingId } of again)
    await transaction((tx) =>
      deletePasskeys(tx, systemContext(now), {
        ducklingId,
        where: Prisma.sql`"id" = ${id}`,
        actor: systemActor,
      }),
    )
  return again.length
}

/**
 * Ends accounts, certificates, agents, beak keys and passkeys again. `entries` are those that the log has and the backup lacks. A second call
 * ends nothing more.
 */
export async function applyEnded(entries: Entry[], now: Date): Promise<EndedAgain> {
  const marks = digestsOf(entries, 'ended')
  const again: EndedAgain = { accounts: 0, certificates: 0, agents: 0, keys: 0, passkeys: 0 }
  // Accounts first: closing one ends everything that it has.
  for (const account of await findEnded(marks, (id) => ({ duckling_id: id }), accounts)) {
    await closeAccountAgain(hostContext(ownerOf(account), now))
    again.accounts++
  }
  for (const certificate of await findEnded(marks, (id) => ({ cert_id: id }), certificates)) {
    if (await revokeAgain(certificate, now)) again.certificates++
  }
  for (const agent of await findEnded(marks, (id) => ({ agent_id: id }), agents)) {
    const context = hostContext(ownerOf(agent), now)
    const retired = await transaction((tx) => retireAgents(tx, context, agent.ducklingId, { id: agent.id }))
    again.agents += retired.length
  }
  for (const key of await findEnded(marks, (id) => ({ key_id: id }), keys)) {
    if (await retireAgain(key, now)) again.keys++
  }
  again.passkeys = await removePasskeys(entries, now)
  return again
}

export interface Caught extends Continued {
  again: EndedAgain
}

/**
 * Applies the entries that a mirror has and a restored database lacks, and puts them into its log. Uses and revocations of permissions need
 * nothing, because the commands `restore` and `restored` end every permission. Applies first, so that a command that dies in between can be repeated. Throws
 * `ContinueRefused`.
 */
export async function catchUp(missing: Missing, now: Date): Promise<Caught> {
  const again = await applyEnded(missing.entries, now)
  const continued = await continueFromMirror(missing, now)
  await appendToLog(now, { force: true })
  return { ...continued, again }
}
