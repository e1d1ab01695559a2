/** Real decisions with another date, and permissions that have ended and are active again. */
import { setTimeout as wait } from 'node:timers/promises'
import { shopChallenge } from '@beak/client/trust/shop-challenge'
import { db } from '@/lib/db/client'
import { proveEnrolment } from '@/lib/domain/tlog/prove-enrolment'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import type { Evidence, Lie } from '../evidence'
import { forgeReceipt, madeUpStatement, offerOf, signAgain, treeOf } from '../host/forge'
import { logNow } from '../host/start'
import { contradict } from '../judges/copies'
import { shopActs } from '../judges/shop'
import type { Cast } from '../people/cast'
import {
  ask,
  call,
  consume,
  decide,
  type Offer,
  receiptOf,
  type Site,
  shopSecret,
  signAs,
  termsOf,
  use,
} from '../people/decide'
import { columns } from '../shops/columns'
import { signedOn } from './made-up'

/** The clocks of shops may differ from that of the service by so many seconds. */
const skew = 30

async function datedAgain(cast: Cast, site: Site): Promise<Evidence> {
  const terms = termsOf(cast, { scope: 'timed' })
  const decision = await decide(cast, site, terms, { grantSeconds: 60 })
  const { token, answer } = await use(cast, decision)
  const ended = secondsAfter(readClock(), 60 + skew + 1)
  const evidence: Evidence = {
    ready: async () => {
      await wait(Math.max(0, ended.getTime() - readClock().getTime()))
      await expectEnded(cast, { terms, token, answer })
      const receipt = signAgain(terms, decision, { decidedAt: readClock() })
      evidence.offer = offerOf(terms, receipt)
      evidence.hasContradiction = () => contradict(decision.receipt, receipt)
    },
  }
  return evidence
}

/** Throws when a shop acts on the honest receipt although the permission has ended: then the lie would gain nothing. */
async function expectEnded(cast: Cast, offer: Offer): Promise<void> {
  const [guard] = columns
  if (guard !== undefined && (await shopActs(cast, guard, { offer })))
    throw new Error('a shop acted on a permission after its end')
}

async function oldDecision(cast: Cast, site: Site): Promise<Evidence> {
  const earlier = termsOf(cast, { challenge: null })
  const decision = await decide(cast, site, earlier)
  await wait(10)
  const terms = termsOf(cast)
  const receipt = signAgain(terms, decision, { decidedAt: readClock() })
  return { offer: offerOf(terms, receipt), hasContradiction: () => contradict(decision.receipt, receipt) }
}

async function datedBack(cast: Cast, site: Site): Promise<Evidence> {
  const { credentialId } = cast.authenticator
  const old = treeOf(await logNow(cast.host))
  const then = readClock()
  const terms = termsOf(cast, { challenge: shopChallenge(shopSecret, then) })
  const peckId = await ask(cast, terms)
  // The page gives her passkey a statement that names the state of the log of that time.
  const facts = { peck_id: peckId, log: old, created_at: then.toISOString(), ...signedOn(site) }
  const statement = madeUpStatement(terms, facts)
  await wait(2000)
  const passkey = signAs(cast, site, statement)
  const [row, log] = [await db().passkey.findUniqueOrThrow({ where: { credentialId } }), old]
  const proof = {
    ducklingId: cast.nadia.id,
    passkeyId: row.id,
    credentialId,
    publicKey: passkey.public_key,
    log,
  }
  const enrolment = site === 'service' ? await proveEnrolment(db(), proof) : null
  return { offer: offerOf(terms, forgeReceipt(terms, { statement, passkey, enrolment, decidedAt: then })) }
}

async function usedAgain(cast: Cast, site: Site): Promise<Evidence> {
  const decision = await decide(cast, site, termsOf(cast))
  const before = await use(cast, decision)
  await db().peck.update({ where: { id: decision.peckId }, data: { uses: 0, lastUsedAt: null } })
  const answer = await consume(cast, before.token, decision.terms)
  return {
    before,
    offer: { ...before, answer },
    isInReceipt: false,
    hasContradiction: () => contradict(before.answer.receipt as never, answer.receipt as never),
  }
}

async function revivedPermission(cast: Cast, site: Site): Promise<Evidence> {
  const terms = termsOf(cast, { scope: 'timed' })
  const decision = await decide(cast, site, terms)
  const { token } = await use(cast, decision)
  const { peckId } = decision
  await call(cast, 'POST /beak/peck/revoke', { token: cast.nadia.token, body: { peck_id: peckId } })
  const kept = await receiptOf(cast, peckId)
  await db().peck.update({ where: { id: peckId }, data: { grantRevokedAt: null } })
  const answer = await consume(cast, token, terms)
  return {
    offer: { terms, token, answer },
    hasContradiction: () => contradict(kept, answer.receipt as never),
  }
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
