/** Decisions that a passkey of the host signs. */
import { randomBytes } from 'node:crypto'
import { base64 } from '@beak/proofs/bytes'
import { encodeEntry, passkeyDigest } from '@beak/proofs/log/entry'
import { proveInclusion } from '@beak/proofs/log/merkle'
import type { DecisionStatement3 } from '@beak/proofs/receipts/decision-statement'
import type { Enrolment, OutcomeFile } from '@beak/proofs/receipts/outcome-schema'
import { db } from '@/lib/db/client'
import { proveEnrolment } from '@/lib/domain/tlog/prove-logged'
import type { TestPasskey } from '@/lib/fixtures/receipt-maker'
import { newestCheckpoint } from '@/lib/fixtures/tlog'
import { readClock } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import type { Evidence, Lie } from '../evidence'
import { forgeReceipt, madeUpPasskey, madeUpStatement, offerOf, signOn, treeOf } from '../host/forge'
import { expectNoCosignature, forkedLog, hideEntriesOf } from '../host/rewrite'
import { logNow } from '../host/start'
import { contradict } from '../judges/copies'
import { passesChecks } from '../judges/owner'
import { ask, decide, termsOf } from '../people/decide'
import { exportOf, keptExport } from '../people/export'
import type { Site, Terms } from '../people/terms'
import { approverOrigin, type World } from '../people/world'
import { signedOn } from './made-up'

const year = 365 * 24 * 3600 * 1000
const ago = (milliseconds: number) => new Date(readClock().getTime() - milliseconds)

interface Facts extends Partial<DecisionStatement3> {
  log: DecisionStatement3['log']
}

interface Signed {
  terms: Terms
  passkey: TestPasskey
  enrolment: Enrolment | null
  decidedAt?: Date
}

/** Returns what the shop is shown: the host signs with its own passkey, also for the site of the approver. */
function signedByHost(world: World, site: Site, facts: Facts, { terms, passkey, ...rest }: Signed): Evidence {
  const statement = madeUpStatement(terms, { ...signedOn(site), ...facts })
  const origin = site === 'approver' ? approverOrigin : world.host.url
  const receipt = forgeReceipt(terms, { statement, passkey: signOn(origin, passkey, statement), ...rest })
  return { offer: offerOf(terms, receipt) }
}

async function notLogged(world: World, site: Site): Promise<Evidence> {
  const terms = termsOf(world)
  const facts = { peck_id: await ask(world, terms), log: treeOf(await newestCheckpoint()) }
  return signedByHost(world, site, facts, { terms, passkey: madeUpPasskey(), enrolment: null })
}

const digestOf = ({ nadia }: World, { credentialId, publicKey }: TestPasskey) =>
  passkeyDigest({ ducklingId: nadia.id, credentialId, publicKey })

async function inAnotherLog(world: World, site: Site): Promise<Evidence> {
  const terms = termsOf(world)
  const passkey = madeUpPasskey()
  const peckId = await ask(world, terms)
  await logNow(world.host)
  const fork = await forkedLog(encodeEntry('passkey_enrolled', digestOf(world, passkey)), world.nadia.id)
  await expectNoCosignature(world.host, fork)
  const { size, root, checkpoint, readSubtree, index } = fork
  const inclusion = (await proveInclusion(index, size, readSubtree)).map(base64)
  const enrolment = { index, inclusion, checkpoint, vkeys: [world.host.vkey] }
  const { origin = '' } = treeOf(await newestCheckpoint())
  const log = { origin, size, root: base64(root) }
  return signedByHost(world, site, { peck_id: peckId, log }, { terms, passkey, enrolment })
}

/** Puts a passkey of the host into the log under the account of Nadia. She gets no event and no mail. */
async function logOwnPasskey(world: World) {
  const passkey = madeUpPasskey()
  const passkeyId = newId('passkey', readClock())
  const digest = new Uint8Array(Buffer.from(digestOf(world, passkey), 'hex'))
  const ducklingId = world.nadia.id
  await db().logPending.create({ data: { kind: 'passkey_enrolled', digest, ducklingId, passkeyId } })
  const log = treeOf(await logNow(world.host))
  const enrolment = await proveEnrolment(db(), { ducklingId, passkeyId, ...passkey, log })
  if (enrolment === null) throw new Error('the log does not have the passkey of the host')
  return { passkey, passkeyId, log, enrolment }
}

/** Lets Nadia export her account, and then hides the entry of the passkey, so that the next lies are not found because of this one. */
async function exportAndHide(world: World, passkeyId: string): Promise<Pick<Evidence, 'passesOwner'>> {
  const { host, python, nadia } = world
  const history = { kept: await keptExport(world), shown: await exportOf(world, nadia) }
  await hideEntriesOf(passkeyId)
  return {
    passesOwner: (column) =>
      passesChecks({ host, python, ducklingId: nadia.id, ...history, isAboutEntries: true }, column),
  }
}

async function putIntoLog(world: World, site: Site): Promise<Evidence> {
  const terms = termsOf(world)
  const { passkey, passkeyId, log, enrolment } = await logOwnPasskey(world)
  const facts = { peck_id: await ask(world, terms), log }
  return {
    ...signedByHost(world, site, facts, { terms, passkey, enrolment }),
    ...(await exportAndHide(world, passkeyId)),
  }
}

async function hiddenInLog(world: World, site: Site): Promise<Evidence> {
  const terms = termsOf(world)
  const { passkey, passkeyId, log, enrolment } = await logOwnPasskey(world)
  await hideEntriesOf(passkeyId)
  return signedByHost(world, site, { peck_id: await ask(world, terms), log }, { terms, passkey, enrolment })
}

/** Nadia rejects, and a hidden passkey of the host approves the same request. */
async function rejectionApproved(world: World, site: Site): Promise<Evidence> {
  const terms = termsOf(world)
  const rejection = await decide(world, site, terms, { purpose: 'reject' })
  const { passkey, passkeyId, log, enrolment } = await logOwnPasskey(world)
  await hideEntriesOf(passkeyId)
  const facts = { peck_id: rejection.peckId, log }
  const evidence = signedByHost(world, site, facts, { terms, passkey, enrolment })
  const receipt = evidence.offer?.answer.receipt as OutcomeFile
  return {
    ...evidence,
    kept: rejection.receipt,
    hasContradiction: () => contradict(rejection.receipt, receipt),
  }
}

async function datedLastYear(world: World, site: Site): Promise<Evidence> {
  const terms = termsOf(world, { action: 'sign:contract', scope: 'standing' })
  const { passkey, passkeyId, log, enrolment } = await logOwnPasskey(world)
  const facts = {
    peck_id: `PECK-${randomBytes(13).toString('hex').toUpperCase()}`,
    scope: 'standing' as const,
    grant_seconds: null,
    created_at: ago(year + 3_600_000).toISOString(),
    expires_at: ago(year - 3_600_000).toISOString(),
    log,
  }
  return {
    ...signedByHost(world, site, facts, { terms, passkey, enrolment, decidedAt: ago(year) }),
    ...(await exportAndHide(world, passkeyId)),
  }
}

const notSaid = 'the log does not say whose an entry is'
const notHers = 'only the service says whose passkey it is'

export const passkeyLies: Lie[] = [
  {
    forged: 'An approval that a made-up passkey signed, which the log does not have',
    access: 'key of the service',
    play: notLogged,
    why: notHers,
  },
  {
    forged: 'An approval that a made-up passkey signed, which only a log for this shop has',
    access: 'keys of the service and of the log',
    play: inAnotherLog,
    why: notHers,
  },
  {
    forged: 'An approval that a made-up passkey signed, which the host put into the log of everybody',
    access: 'keys of the service and of the log, database',
    play: putIntoLog,
    why: notSaid,
  },
  {
    forged: 'The same, and the decision is dated a year back',
    access: 'keys of the service and of the log, database',
    play: datedLastYear,
    faultLater: 'logged',
    why: notHers,
  },
]

export const hiddenPasskeyLies: Lie[] = [
  {
    forged: 'The same as L6, and the host hides the entry of the passkey from Nadia',
    access: 'keys of the service and of the log, database',
    play: hiddenInLog,
    why: notSaid,
  },
  {
    forged: 'A rejection of Nadia, approved by such a hidden passkey; the log has an entry of the approval',
    access: 'keys of the service and of the log, database',
    play: rejectionApproved,
  },
]
