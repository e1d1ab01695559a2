/** Lies in which the host disowns what it signed: a real receipt, which a shop kept, counts no more. */
import { verifyOutcome } from '@beak/client/verify'
import type { KeySet } from '@beak/proofs/keys'
import { otherKey } from '@/lib/fixtures/receipt-maker'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import type { Evidence, Lie } from '../evidence'
import { agree } from '../judges/copies'
import { decide, termsOf } from '../people/decide'
import type { World } from '../people/world'
import { beak, fileOf } from '../shops/command-line'

/** A judge checks the receipt with the keys that the host shows after the approval. Believing the host means that the receipt is refused. */
async function withKeys(world: World, keys: KeySet): Promise<Evidence> {
  const { host, python } = world
  const { receipt } = await decide(world, 'service', termsOf(world))
  const accepts = async (jwks: KeySet) =>
    agree('the receipt, by a judge', {
      typescript: (await verifyOutcome(receipt, { issuer: host.url, keys: jwks, require: 'service' })).ok,
      python: await python.run('receipt', { url: host.url, jwks, policy: { require: 'service' }, receipt }),
      'command line': await beak(
        ...['receipt', 'verify', fileOf(receipt), '--jwks', fileOf(jwks), '--require=service'],
      ),
    })
  if (!(await accepts(host.jwks))) throw new Error('a judge refuses an honest receipt')
  return { isBelieved: async () => !(await accepts(keys)) }
}

function distrusted(world: World): Promise<Evidence> {
  const { keys } = world.host.jwks
  const from = secondsAfter(readClock(), -3600).toISOString()
  const stolen = keys.map(({ kid }) => ({ kid: kid ?? '', from }))
  return withKeys(world, { keys: [otherKey.jwk], distrusted: stolen } as KeySet)
}

/** Whoever kept the key set of the time of the approval has the missing key in it, and the receipt is valid with it. */
async function dropped(world: World): Promise<Evidence> {
  return {
    ...(await withKeys(world, { keys: [otherKey.jwk] } as KeySet)),
    hasContradiction: async () => world.host.jwks.keys.length > 0,
  }
}

export const denialLies: Lie[] = [
  {
    forged: 'A real approval disowned: the host calls the key stolen that signed the receipt',
    access: 'key of the service',
    play: distrusted,
    isSameEverywhere: true,
    why: 'a receipt counts only with a key that the host can call stolen',
  },
  {
    forged: 'A real approval disowned: the key set lacks the key that signed the receipt',
    access: 'key of the service',
    play: dropped,
    isSameEverywhere: true,
  },
]
