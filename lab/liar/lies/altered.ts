/** Decisions that Nadia really made, and that say something else afterwards. */
import { paramDigest } from '@beak/proofs/receipts/decision-statement'
import { valuesOf } from '@/lib/fixtures/receipt-maker'
import type { Evidence, Lie } from '../evidence'
import { forgeReceipt, madeUpStatement, offerOf, signAgain } from '../host/forge'
import { contradict } from '../judges/copies'
import { ask, decide, termsOf } from '../people/decide'
import type { Decision, Site, Terms } from '../people/terms'
import type { World } from '../people/world'
import { signedOn } from './made-up'

/** Returns the evidence of a decision that says something else. `terms` is what the shop is about to do. */
const alteredTo = (terms: Terms, decision: Decision, changes: Parameters<typeof signAgain>[2]): Evidence => {
  const receipt = signAgain(terms, decision, changes)
  return {
    offer: offerOf(terms, receipt),
    hasContradiction: () => contradict(decision.receipt, receipt),
  }
}

async function rejectionAsApproval(world: World, site: Site): Promise<Evidence> {
  const terms = termsOf(world)
  const rejection = await decide(world, site, terms, { purpose: 'reject' })
  return alteredTo(terms, rejection, { facts: { decision: 'approve' } })
}

async function rejectionWithoutPasskey(world: World, site: Site): Promise<Evidence> {
  const terms = termsOf(world)
  const rejection = await decide(world, site, terms, { purpose: 'reject' })
  return alteredTo(terms, rejection, { facts: { decision: 'approve' }, passkey: null, enrolment: null })
}

async function otherAudience(world: World, site: Site): Promise<Evidence> {
  const terms = termsOf(world)
  const decision = await decide(world, site, terms)
  const audience = 'casino.example'
  return alteredTo({ ...terms, audience }, decision, { facts: { audience } })
}

async function otherParams(world: World, site: Site): Promise<Evidence> {
  const terms = termsOf(world)
  const decision = await decide(world, site, terms)
  const params = { ...terms.params, amount: 50_000 }
  const { params: values } = valuesOf(params)
  const hashes = values.map(({ salt, name, value }) => paramDigest(salt, name, value)).sort()
  return alteredTo({ ...terms, params }, decision, { facts: { params: hashes }, values: { params: values } })
}

async function otherValue(world: World, site: Site): Promise<Evidence> {
  const terms = termsOf(world)
  const decision = await decide(world, site, terms)
  const params = { ...terms.params, amount: 50_000 }
  const values = (decision.receipt.values?.params ?? []).map((one) => ({
    ...one,
    value: params[one.name as 'amount'],
  }))
  return alteredTo({ ...terms, params }, decision, { values: { params: values } })
}

async function othersWithoutPasskey(world: World, site: Site): Promise<Evidence> {
  const terms = termsOf(world)
  const decision = await decide(world, site, terms)
  const others = { ...terms, audience: 'casino.example', params: { ...terms.params, amount: 50_000 } }
  const { peckId: peck_id } = decision
  const statement = madeUpStatement(others, { peck_id, ...signedOn(site) })
  return { offer: offerOf(others, forgeReceipt(others, { statement })) }
}

/** The signature covers only salted hashes, so the receipt stays valid when it keeps its values to itself. */
async function valuesLeftOut(world: World, site: Site): Promise<Evidence> {
  const terms = termsOf(world)
  const decision = await decide(world, site, terms)
  const params = { ...terms.params, amount: 50_000 }
  return alteredTo({ ...terms, params }, decision, { values: null })
}

async function underAnotherRequest(world: World, site: Site): Promise<Evidence> {
  const harmless = termsOf(world, { action: 'read:calendar', params: {} })
  const decision = await decide(world, site, harmless)
  const terms = termsOf(world)
  const statement = madeUpStatement(terms, { peck_id: await ask(world, terms), ...signedOn(site) })
  return {
    offer: offerOf(
      terms,
      signAgain(terms, decision, { statement, values: { params: valuesOf(terms.params).params } }),
    ),
  }
}

export const alteredLies: Lie[] = [
  {
    forged: 'A rejection as an approval, with the signature of the rejection',
    access: 'key of the service',
    play: rejectionAsApproval,
    fault: 'passkey',
  },
  {
    forged: 'A rejection as an approval, with the passkey left out',
    access: 'key of the service',
    play: rejectionWithoutPasskey,
    fault: 'trust',
  },
  {
    forged: 'A real approval for another shop',
    access: 'key of the service',
    play: otherAudience,
    fault: 'passkey',
  },
  {
    forged: 'A real approval with other params',
    access: 'key of the service',
    play: otherParams,
    fault: 'passkey',
  },
  {
    forged: 'A real approval that discloses other values than those behind its hashes',
    access: 'key of the service',
    play: otherValue,
    fault: 'values',
  },
  {
    forged: 'A real approval for another shop and with other params, with the passkey left out',
    access: 'key of the service',
    play: othersWithoutPasskey,
    fault: 'trust',
  },
  {
    forged: 'A real approval whose params are left out, shown as one of other params',
    access: 'key of the service',
    play: valuesLeftOut,
    fault: 'params',
  },
  {
    forged: 'The signature under a harmless request, moved to another request',
    access: 'key of the service',
    play: underAnotherRequest,
    fault: 'passkey',
  },
]
