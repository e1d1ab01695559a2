/** Entries of the log that the host hides from their owner, and events without an entry. The owner of the account gets them. */
import { aPerson, type Person } from '@/e2e/people'
import { db } from '@/lib/db/client'
import type { Evidence, Lie } from '../evidence'
import { hideEntriesOf } from '../host/rewrite'
import { logNow } from '../host/start'
import { type Export, passesChecks } from '../judges/owner'
import { call } from '../people/decide'
import { exportOf } from '../people/export'
import type { World } from '../people/world'

interface Revocation {
  owner: Person
  kept: Export
  certId: string
}

/** An owner revokes a certificate after an export that she keeps. */
async function aRevocation(world: World, name: string): Promise<Revocation> {
  const owner = await aPerson(world.host.server, name)
  await logNow(world.host)
  const kept = await exportOf(world, owner)
  return { owner, kept, certId: await revokeOne(world, owner) }
}

async function revokeOne(world: World, { token }: Person): Promise<string> {
  const { cert_id: certId } = await call(world, 'POST /beak/cert/issue', { token })
  await call(world, 'POST /beak/cert/revoke', { token, body: { reason: 'I lost my laptop' } })
  return certId
}

interface LogPart {
  signed_at?: string
  own_entries?: unknown[]
}

/**
 * An event must be in the log after ten minutes. Returns the export as it will be then: the program does not wait, it writes the time of
 * the later checkpoint into the export. The service signs this time nowhere.
 */
function minutesLater({ audit, ...rest }: Export): Export {
  const revoked = audit.events.findLast(({ action }) => action === 'cert.revoked')
  if (revoked === undefined) throw new Error('the export has no revocation')
  const signed_at = new Date(Date.parse(revoked.occurred_at) + 600_001).toISOString()
  return { ...rest, audit: { ...audit, log: { ...(audit.log as LogPart), signed_at } } }
}

function evidenceFor(
  { host, python }: World,
  { owner, kept }: Pick<Revocation, 'owner' | 'kept'>,
  shown: Export,
): Evidence {
  const owned = { host, python, ducklingId: owner.id, kept, shown, isAboutEntries: true }
  return { passesOwner: (column) => passesChecks(owned, column) }
}

/** Hides the entry of a revocation. Throws unless the honest export passes. */
async function hiddenRevocation(world: World, name: string) {
  const { owner, kept, certId } = await aRevocation(world, name)
  await logNow(world.host)
  const honest = evidenceFor(world, { owner, kept }, minutesLater(await exportOf(world, owner)))
  for (const hasKeptExport of [false, true])
    if (!(await honest.passesOwner?.({ hasKeptExport } as never)))
      throw new Error('the check of an honest export found a fault')
  await hideEntriesOf(certId)
  return { owner, kept, shown: minutesLater(await exportOf(world, owner)) }
}

async function entryHidden(world: World): Promise<Evidence> {
  const { shown, ...revocation } = await hiddenRevocation(world, 'Ada')
  return evidenceFor(world, revocation, shown)
}

async function entryNeverMade(world: World): Promise<Evidence> {
  let { certId, ...revocation } = await aRevocation(world, 'Bea')
  const remove = () => db().logQueue.deleteMany({ where: { subjectId: certId } })
  // The service may have been faster.
  while ((await remove()).count === 0) certId = await revokeOne(world, revocation.owner)
  await logNow(world.host)
  return evidenceFor(world, revocation, minutesLater(await exportOf(world, revocation.owner)))
}

async function listLeftOut(world: World): Promise<Evidence> {
  const { shown, ...revocation } = await hiddenRevocation(world, 'Cleo')
  const { own_entries: _, ...log } = shown.audit.log as LogPart
  return evidenceFor(world, revocation, { ...shown, audit: { ...shown.audit, log } })
}

async function timeLeftOut(world: World): Promise<Evidence> {
  const { shown, ...revocation } = await hiddenRevocation(world, 'Dora')
  const { signed_at: _, ...log } = shown.audit.log as LogPart
  return evidenceFor(world, revocation, { ...shown, audit: { ...shown.audit, log } })
}

export const entryLies: Lie[] = [
  {
    forged: 'The list of her entries without the one of a revocation, which an event names',
    access: 'database',
    play: entryHidden,
    isSameEverywhere: true,
  },
  {
    forged: 'A revocation with an event and without an entry in the log',
    access: 'database',
    play: entryNeverMade,
    isSameEverywhere: true,
  },
  {
    forged: 'The entry of a revocation is hidden, and the export has no list of entries',
    access: 'database',
    play: listLeftOut,
    isSameEverywhere: true,
  },
  {
    forged: 'The entry of a revocation is hidden, and the export does not say when its checkpoint was signed',
    access: 'database',
    play: timeLeftOut,
    isSameEverywhere: true,
    why: 'only the service says how old an export is',
  },
]
