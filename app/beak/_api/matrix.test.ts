/**
 * Who may call what (security bar, item 31): every endpoint of the table against every kind of credential. What is expected
 * follows from the endpoint's declaration, so that none can be forgotten.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { rotateKey } from '@/lib/domain/agents/rotate-key'
import { suspendAgent } from '@/lib/domain/agents/suspend'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { anotherSession } from '@/lib/fixtures/accounts'
import { allCapabilities, anAgent } from '@/lib/fixtures/agents'
import { aDuckling } from '@/lib/fixtures/ducklings'
import type { Definition } from '@/lib/http/definition'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import { type CallOptions, call } from './call'
import { methods } from './serve'
import { table } from './table'

const targets = Object.entries(table).flatMap(([path, route]) =>
  methods.flatMap((method) => {
    const definition = route[method]?.definition
    return definition && definition.auth !== 'none'
      ? [{ line: `${method} ${path.replace('{n}', '0')}`, definition }]
      : []
  }),
)

type Kind =
  | 'nothing'
  | 'a broken token'
  | 'the token of an expired session'
  | 'the token of a session that was signed out'
  | 'the token of a closed account'
  | 'the key of a bonded agent'
  | 'the key of a bonded agent without capabilities'
  | 'the key of an agent that is not bonded'
  | 'the key of a suspended agent'
  | 'the key of a deregistered agent'
  | 'a rotated key'
  | 'an expired key'
  | 'a key with a wrong checksum'
  | 'a token and a key, both good'

const credentials = new Map<Kind, CallOptions>()

beforeAll(async () => {
  const owner = await aDuckling({ tier: 'T2' })
  const signedOut = await anotherSession(owner)
  await call('POST /beak/signout', { token: signedOut })
  const late = await aDuckling()
  await db().session.updateMany({
    where: { ducklingId: late.id },
    data: { expiresAt: secondsAfter(readClock(), -1) },
  })
  const closed = await aDuckling()
  await call('POST /beak/account/delete', { token: closed.token })
  const bonded = await anAgent(owner)
  const idle = await anAgent(owner, { capabilities: ['water:plants'] })
  const unbonded = await anAgent(owner, { bonded: false })
  const suspended = await anAgent(owner)
  await suspendAgent(await owner.context(), suspended.agentId)
  const gone = await anAgent(owner)
  await deregisterAgent(await owner.context(), gone.agentId)
  const rotated = await anAgent(owner)
  await rotateKey(await owner.context(), rotated.agentId, 90)
  const expired = await anAgent(owner)
  await db().beakKey.update({
    where: { id: expired.keyId },
    data: { expiresAt: secondsAfter(readClock(), -1) },
  })
  credentials.set('nothing', {})
  // The first character of the signature: in the last one some bits mean nothing.
  const broken = owner.token.replace(
    /\.(.)([^.]*)$/,
    (_, first, rest) => `.${first === 'A' ? 'B' : 'A'}${rest}`,
  )
  credentials.set('a broken token', { token: broken })
  credentials.set('the token of an expired session', { token: late.token })
  credentials.set('the token of a session that was signed out', { token: signedOut })
  credentials.set('the token of a closed account', { token: closed.token })
  credentials.set('the key of a bonded agent', { key: bonded.beakKey })
  credentials.set('the key of a bonded agent without capabilities', { key: idle.beakKey })
  credentials.set('the key of an agent that is not bonded', { key: unbonded.beakKey })
  credentials.set('the key of a suspended agent', { key: suspended.beakKey })
  credentials.set('the key of a deregistered agent', { key: gone.beakKey })
  credentials.set('a rotated key', { key: rotated.beakKey })
  credentials.set('an expired key', { key: expired.beakKey })
  credentials.set('a key with a wrong checksum', { key: `${bonded.beakKey.slice(0, -1)}_` })
  credentials.set('a token and a key, both good', { token: owner.token, key: bonded.beakKey })
}, 60_000)

type Verdict = '401 E4001' | '401 E4006' | '403 E4007' | 'passes'

const dead: Kind[] = [
  'the key of a deregistered agent',
  'a rotated key',
  'an expired key',
  'a key with a wrong checksum',
]

/** What the declaration says of a credential (contract A). */
function verdict({ auth }: Definition, kind: Kind): Verdict {
  const takesKeysOnly = auth === 'beak-key' || auth === 'bonded-key'
  if (kind === 'a token and a key, both good') return 'passes'
  if (kind === 'nothing') return auth === 'optional' ? 'passes' : takesKeysOnly ? '401 E4001' : '401 E4006'
  if (!kind.includes('key')) return takesKeysOnly ? '401 E4001' : '401 E4006'
  if (dead.includes(kind)) return '401 E4001'
  // Spec silent: where every credential is optional, a valid key that may do no more counts as none.
  if (auth === 'beak-key' || auth === 'optional') return 'passes'
  if (kind === 'the key of an agent that is not bonded' || kind === 'the key of a suspended agent')
    return '403 E4007'
  if (auth === 'bonded-key') return 'passes'
  if (auth !== 'session-or-agent') return '403 E4007'
  return kind === 'the key of a bonded agent' ? 'passes' : '403 E4007'
}

const kinds: Kind[] = [
  'nothing',
  'a broken token',
  'the token of an expired session',
  'the token of a session that was signed out',
  'the token of a closed account',
  'the key of a bonded agent',
  'the key of a bonded agent without capabilities',
  'the key of an agent that is not bonded',
  'the key of a suspended agent',
  'a token and a key, both good',
  ...dead,
]

describe.each(kinds)('%s', (kind) => {
  it('opens just what the declarations say', async () => {
    for (const { line, definition } of targets) {
      const expected = verdict(definition, kind)
      const options = { ...credentials.get(kind), ...(line.startsWith('GET') ? {} : { body: { no: 1 } }) }
      const { status, body } = await call(`${line}${line.startsWith('GET') ? '?no=1' : ''}`, options)
      // What passes is refused for its input, so that nothing happens.
      const found = status === 400 ? 'passes' : `${status} ${body.code}`
      expect([line, found]).toEqual([line, expected])
    }
  }, 60_000)
})

describe('a tier', () => {
  it('is needed wherever one is declared, and is the one the database says', async () => {
    const low = await aDuckling({ tier: 'T0' })
    for (const { line, definition } of targets.filter(({ definition }) => definition.tier !== undefined)) {
      const { status, body } = await call(line, { token: low.token })
      expect([line, status, body.code, body.required_tier, body.current_tier]).toEqual([
        line,
        403,
        'E4002',
        definition.tier,
        'T0',
      ])
    }
  })
})

describe('what an agent may call', () => {
  it('is the list of the contract, each with its capability', () => {
    const open = targets
      .filter(({ definition }) => definition.auth === 'session-or-agent')
      .map(({ line, definition }) => [line, definition.capability])
    expect(Object.fromEntries(open)).toEqual({
      'GET /beak/profile': 'read:profile',
      'GET /beak/cert/view': 'read:cert',
      'GET /beak/cert/list': 'read:cert',
      'POST /beak/peck/request': 'request:peck',
      'GET /beak/peck/history': 'read:peck',
      'GET /beak/peck/status': 'read:peck',
      'POST /beak/sso/issue': 'issue:sso',
      'GET /beak/audit': 'read:audit',
    })
    expect(new Set(open.map(([, capability]) => capability))).toEqual(new Set(allCapabilities))
  })
})
