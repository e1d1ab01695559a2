/** The judges of one column: the same shop with both clients, and with the command line. */
import type { OutcomeFile } from '@beak/proofs/receipts/outcome-schema'
import type { Evidence } from '../evidence'
import { withEntries } from '../host/enter'
import type { Offer } from '../people/terms'
import type { World } from '../people/world'
import type { Column } from '../shops/columns'
import * as commandLine from '../shops/command-line'
import * as python from '../shops/python'
import * as typescript from '../shops/typescript'
import { agree, contradict } from './copies'

type Permission = Required<Pick<Evidence, 'offer'>> & Evidence

/** Whether every judge accepts the receipt that somebody hands to the shop. Null: the shop requires nothing. */
async function acceptsReceipt(world: World, column: Column | null, offer: Offer): Promise<boolean> {
  const [first, second, third] = await Promise.all([
    typescript.acceptsReceipt(world, column, offer),
    python.acceptsReceipt(world.python, world, column, offer),
    commandLine.acceptsReceipt(world, column, offer),
  ])
  return agree(`the receipt, ${column?.name ?? 'without a requirement'}`, {
    typescript: first,
    python: second,
    'command line': third,
  })
}

/** Lets a new shop use the permission while the host answers as in the offer. */
async function actsAfter(world: World, shop: typescript.Shop, permission: Permission): Promise<boolean> {
  const { before = [], offer, acceptsRules } = permission
  const use = async (shown: Offer) => {
    // A guard reads the receipt before it spends the permission. The host lies the same both times.
    const ends = ['check', 'consume'].map((what) =>
      world.host.front.answer(`POST /beak/peck/${what}`, () => shown.answer),
    )
    try {
      return await shop.acts(shown)
    } finally {
      for (const end of ends) end()
    }
  }
  for (const earlier of before)
    if (!(await use(earlier))) {
      // A guard accepts no answer of a rule at all.
      if (acceptsRules) return false
      throw new Error('the shop refused the honest use before')
    }
  return use(offer)
}

async function acts(world: World, column: Column | null, permission: Permission): Promise<boolean> {
  return agree(`the use, ${column?.name ?? 'believing the service'}`, {
    typescript: await actsAfter(world, await typescript.openShop(world, column), permission),
    python: await actsAfter(world, await python.openShop(world.python, world, column), permission),
  })
}

/**
 * Whether the shop of a column acts. A guard decides about the use of a permission, and the others also about the receipt alone: both must
 * come to the same.
 */
export async function shopActs(world: World, column: Column, permission: Permission): Promise<boolean> {
  const isUsed = await acts(world, column, permission)
  if (permission.isInReceipt === false || column.name === 'default') return isUsed
  const isAccepted = await acceptsReceipt(world, column, permission.offer)
  return agree(`the receipt and its use, ${column.name}`, { receipt: isAccepted, use: isUsed })
}

/** Throws unless a shop that believes the service acts on the lie, and a verifier without a requirement accepts nothing. */
export async function checkWithoutDemands(world: World, permission: Permission): Promise<void> {
  if (await acceptsReceipt(world, null, permission.offer))
    throw new Error('a verifier without a requirement accepted a receipt')
  if (!(await acts(world, null, permission)))
    throw new Error('a shop that believes the service did not act on the lie')
}

/** Whether the shop that acted finds nothing minutes later: neither in the receipt, nor when it compares what it was shown. */
export async function passesLater(world: World, column: Column, permission: Permission): Promise<boolean> {
  const { offer, before } = permission
  const acted = [...(before ?? []), offer].flatMap((one) => one?.answer.receipt ?? []) as OutcomeFile[]
  const later = await shownLater(world, permission)
  const answer = { ...offer.answer, receipt: later as never }
  if (!(await acceptsReceipt(world, column, { ...offer, answer }))) return false
  for (const receipt of acted) if (await contradict(receipt, later)) return false
  return true
}

/** Returns why the shop refuses what it is shown minutes later: the part that is not valid, or the reason of the policy. */
export async function faultLater(
  world: World,
  column: Column,
  permission: Permission,
): Promise<string | null> {
  const { offer } = permission
  const receipt = (await shownLater(world, permission)) as never
  return typescript.faultOf(world, column, { ...offer, answer: { ...offer.answer, receipt } })
}

/** What the host shows for a permission, made once. */
const shown = new WeakMap<Offer, Promise<OutcomeFile>>()

function shownLater(world: World, { offer, ...evidence }: Permission): Promise<OutcomeFile> {
  const make = evidence.shownLater ?? (() => withEntries(world.host, offer.answer.receipt as never))
  const made = shown.get(offer) ?? make()
  shown.set(offer, made)
  return made
}
