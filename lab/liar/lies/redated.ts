/** Real decisions with another date, and permissions that have ended and are active again. */
import { setTimeout as wait } from 'node:timers/promises'
import { shopChallenge } from '@beak/client/trust/shop-challenge'
import { base64 } from '@beak/proofs/bytes'
import { decisionDigest, encodeEntry } from '@beak/proofs/log/entry'
import { proveInclusion } from '@beak/proofs/log/merkle'
import type { OutcomeFile } from '@beak/proofs/receipts/outcome-schema'
import { db } from '@/lib/db/client'
import { proveEnrolment } from '@/lib/domain/tlog/prove-logged'
import { earliest, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import type { Evidence, Lie } from '../evidence'
import { claimsOf, withLogged } from '../host/enter'
import { forgeReceipt, madeUpStatement, offerOf, signAgain, treeOf } from '../host/forge'
import { expectNoCosignature, forkedLog } from '../host/rewrite'
import { logNow } from '../host/start'
import { contradict } from '../judges/copies'
import { shopActs } from '../judges/shop'
import { ask, call, consume, decide, receiptOf, shopSecret, signAs, termsOf, use } from '../people/decide'
import type { Offer, Site } from '../people/terms'
import type { World } from '../people/world'
import { columns } from '../shops/columns'
import { signedOn } from './made-up'

/** The clocks of shops may differ from the clock of the service by so many seconds. */
const skew = 30

async function datedAgain(world: World, site: Site): Promise<Evidence> {
  const terms = termsOf(world, { scope: 'timed' })
  const decision = await decide(world, site, terms, { grantSeconds: 60 })
  const { token, answer } = await use(world, decision)
  const ended = secondsAfter(readClock(), 60 + skew + 1)
  const evidence: Evidence = {
    kept: decision.receipt,
    ready: async () => {
      await wait(Math.max(0, ended.getTime() - readClock().getTime()))
      await expectEnded(world, { terms, token, answer })
      const receipt = signAgain(terms, decision, { decidedAt: readClock() })
      evidence.offer = offerOf(terms, receipt)
      evidence.hasContradiction = () => contradict(decision.receipt, receipt)
    },
  }
  return evidence
}

/** Throws when a shop acts on the honest receipt although the permission has ended: then the lie would gain nothing. */
async function expectEnded(world: World, offer: Offer): Promise<void> {
  const [guard] = columns
  if (guard !== undefined && (await shopActs(world, guard, { offer })))
    throw new Error('a shop acted on a permission after its end')
}

async function oldDecision(world: World, site: Site): Promise<Evidence> {
  const earlier = termsOf(world, { challenge: null })
  const decision = await decide(world, site, earlier)
  await wait(10)
  const terms = termsOf(world)
  const receipt = signAgain(terms, decision, { decidedAt: readClock() })
  return {
    offer: offerOf(terms, receipt),
    kept: decision.receipt,
    hasContradiction: () => contradict(decision.receipt, receipt),
  }
}

const datedBack = (world: World, site: Site) => datedAt(world, site, (now) => now)
const datedFarBack = (world: World, site: Site) => datedAt(world, site, (now) => secondsAfter(now, -20 * 60))
const datedAhead = (world: World, site: Site) => datedAt(world, site, (now) => secondsAfter(now, 30 * 60))

/** Nadia really approves, and the host gives the time that `dated` returns. `now` is the time of the request. */
async function datedAt(world: World, site: Site, dated: (now: Date) => Date): Promise<Evidence> {
  const { credentialId } = world.authenticator
  const old = treeOf(await logNow(world.host))
  const now = readClock()
  const then = dated(now)
  const made = earliest([now, then]) ?? now
  const terms = termsOf(world, { challenge: shopChallenge(shopSecret, made) })
  const peckId = await ask(world, terms)
  // The page gives her passkey a statement that names the state of the log of that time.
  const facts = {
    peck_id: peckId,
    log: old,
    created_at: made.toISOString(),
    ...signedOn(site),
  }
  const statement = madeUpStatement(terms, facts)
  await wait(2000)
  const passkey = signAs(world, site, statement)
  const [row, log] = [await db().passkey.findUniqueOrThrow({ where: { credentialId } }), old]
  const proof = {
    ducklingId: world.nadia.id,
    passkeyId: row.id,
    credentialId,
    publicKey: passkey.public_key,
    log,
  }
  const enrolment = site === 'service' ? await proveEnrolment(db(), proof) : null
  return { offer: offerOf(terms, forgeReceipt(terms, { statement, passkey, enrolment, decidedAt: then })) }
}

/** The receipt shows the entry of the decision in a log that only this shop sees. */
async function inAnotherLog(world: World, site: Site): Promise<Evidence> {
  const { host, nadia } = world
  const { offer } = await datedFarBack(world, site)
  if (offer === undefined) throw new Error('nothing was offered')
  const receipt = offer.answer.receipt as OutcomeFile
  const { statement, decided_at: decidedAt } = claimsOf(receipt)
  const entry = encodeEntry('decided', decisionDigest({ statement, decidedAt: decidedAt ?? '' }))
  await logNow(host)
  const fork = await forkedLog(entry, nadia.id)
  await expectNoCosignature(host, fork)
  const { index, size, checkpoint, readSubtree } = fork
  const inclusion = (await proveInclusion(index, size, readSubtree)).map(base64)
  const decided = { index, inclusion, checkpoint }
  const logged = withLogged(receipt, { decided, used: null, revoked: null, vkeys: [host.vkey] })
  return { offer: offerOf(offer.terms, logged), shownLater: async () => logged }
}

async function usedAgain(world: World, site: Site): Promise<Evidence> {
  const decision = await decide(world, site, termsOf(world))
  const before = await use(world, decision)
  await db().peck.update({ where: { id: decision.peckId }, data: { uses: 0, lastUsedAt: null } })
  const answer = await consume(world, before.token, decision.terms)
  await logNow(world.host)
  return {
    before: [before],
    kept: decision.receipt,
    shownLater: () => receiptOf(world, decision.peckId),
    offer: { ...before, answer },
    isInReceipt: false,
    hasContradiction: () => contradict(before.answer.receipt as never, answer.receipt as never),
  }
}

async function revivedPermission(world: World, site: Site): Promise<Evidence> {
  const terms = termsOf(world, { scope: 'timed' })
  const decision = await decide(world, site, terms)
  const { token } = await use(world, decision)
  const { peckId } = decision
  await call(world, 'POST /beak/peck/revoke', { token: world.nadia.token, body: { peck_id: peckId } })
  const kept = await receiptOf(world, peckId)
  await db().peck.update({ where: { id: peckId }, data: { grantRevokedAt: null } })
  const answer = await consume(world, token, terms)
  await logNow(world.host)
  return {
    offer: { terms, token, answer },
    kept,
    shownLater: () => receiptOf(world, peckId),
    hasContradiction: () => contradict(kept, answer.receipt as never),
  }
}

/** The permission is active only while the shop looks. Afterwards, the row is as Nadia left it. */
async function revivedForShop(world: World, site: Site): Promise<Evidence> {
  const evidence = await revivedPermission(world, site)
  const { uses, last_used_at: usedAt, ended_at: endedAt } = claimsOf(evidence.kept as OutcomeFile)
  if (usedAt === null || endedAt === null) throw new Error('nothing was used and revoked')
  const id = evidence.kept?.peck_id ?? ''
  const later = await receiptOf(world, id)
  const data = { grantRevokedAt: new Date(endedAt), uses, lastUsedAt: new Date(usedAt) }
  await db().peck.update({ where: { id }, data })
  return { ...evidence, shownLater: async () => later }
}

const dates = 'only the service says when she decided'

export const redatedLies: Lie[] = [
  {
    forged:
      'A real decision of a permission that has ended, dated anew, so that the permission has not ended',
    access: 'key of the service',
    play: datedAgain,
    why: dates,
  },
  {
    forged: 'An old real decision, dated anew as the decision about a new order of the same things',
    access: 'key of the service',
    play: oldDecision,
    why: dates,
  },
  {
    forged:
      'A real decision dated back to the time of the request; its statement names the cosigned state of the log of that time',
    access: 'key of the service, pages',
    play: datedBack,
    why: dates,
    whyLater: 'the log allows ten minutes',
  },
]

export const farRedatedLies: Lie[] = [
  {
    forged: 'The same as L18, dated back by 20 minutes; the log gets the entry today',
    access: 'keys of the service and of the log, database, pages',
    play: datedFarBack,
    faultLater: 'logged',
    why: dates,
  },
  {
    forged: 'The same, and only a log for this shop has the entry',
    access: 'keys of the service and of the log, pages',
    play: inAnotherLog,
    faultLater: 'logged',
    why: dates,
  },
  {
    forged: 'The same as L18, dated ahead by 30 minutes; the log gets the entry at once',
    access: 'keys of the service and of the log, database, pages',
    play: datedAhead,
    faultLater: 'logged',
    why: dates,
  },
]

export const shopStateLies: Lie[] = [
  {
    forged: 'The same as L22, only for the shop: Nadia still sees the revocation',
    access: 'database',
    play: revivedForShop,
  },
]

export const stateLies: Lie[] = [
  {
    forged: 'A permission for one use that was used, and is unused again',
    access: 'database',
    play: usedAgain,
  },
  {
    forged: 'A permission that Nadia revoked, and that is active again',
    access: 'database',
    play: revivedPermission,
  },
]
