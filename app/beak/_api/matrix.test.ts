/**
 * Calls every endpoint of the table with every kind of credential (security bar, check-31). The expected answers follow from the
 * declarations, so a new endpoint is tested automatically.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { suspendAgent } from '@/lib/domain/agents/suspend'
import { allCapabilities, anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { anotherSession } from '@/lib/fixtures/accounts'
import { deadKeys } from '@/lib/fixtures/stolen-keys'
import type { Definition } from '@/lib/http/definition'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
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
  | 'a token'
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
  | 'a token and a key, both valid'

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
  const { deregistered, rotated, expired } = await deadKeys(owner)
  credentials.set('nothing', {})
  credentials.set('a token', { token: owner.token })
  // Changes the first character of the signature, because some bits of the last character are unused.
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
  credentials.set('the key of a deregistered agent', { key: deregistered })
  credentials.set('a rotated key', { key: rotated })
  credentials.set('an expired key', { key: expired })
  credentials.set('a key with a wrong checksum', { key: `${bonded.beakKey.slice(0, -1)}_` })
  credentials.set('a token and a key, both valid', { token: owner.token, key: bonded.beakKey })
}, 60_000)

type Outcome = '401 E4001' | '401 E4006' | '403 E4007' | 'passes'

const dead: Kind[] = [
  'the key of a deregistered agent',
  'a rotated key',
  'an expired key',
  'a key with a wrong checksum',
]

/** Returns the answer that a declaration implies for a credential. */
function expectedOutcome({ auth }: Definition, kind: Kind): Outcome {
  const takesKeysOnly = auth === 'beak-key' || auth === 'bonded-key'
  if (kind === 'a token and a key, both valid') return 'passes'
  if (kind === 'nothing') return auth === 'optional' ? 'passes' : takesKeysOnly ? '401 E4001' : '401 E4006'
  if (kind === 'a token' && !takesKeysOnly) return 'passes'
  if (!kind.includes('key')) return takesKeysOnly ? '401 E4001' : '401 E4006'
  if (dead.includes(kind)) return '401 E4001'
  // When every credential is optional, a valid key of an agent that is not bonded counts as none (contract F, Directory).
  if (auth === 'beak-key' || auth === 'optional') return 'passes'
  if (kind === 'the key of an agent that is not bonded' || kind === 'the key of a suspended agent')
    return '403 E4007'
  if (auth === 'bonded-key') return 'passes'
  if (auth !== 'session-or-agent') return '403 E4007'
  return kind === 'the key of a bonded agent' ? 'passes' : '403 E4007'
}

const kinds: Kind[] = [
  'nothing',
  'a token',
  'a broken token',
  'the token of an expired session',
  'the token of a session that was signed out',
  'the token of a closed account',
  'the key of a bonded agent',
  'the key of a bonded agent without capabilities',
  'the key of an agent that is not bonded',
  'the key of a suspended agent',
  'a token and a key, both valid',
  ...dead,
]

describe.each(kinds)('%s', (kind) => {
  // security: stranger-21, agent-15, check-31, check-37
  it('is accepted exactly where the declarations allow it', async () => {
    for (const { line, definition } of targets) {
      const expected = expectedOutcome(definition, kind)
      const options = { ...credentials.get(kind), ...(line.startsWith('GET') ? {} : { body: { no: 1 } }) }
      const { status, body } = await call(`${line}${line.startsWith('GET') ? '?no=1' : ''}`, options)
      // The input is invalid, so an accepted call returns 400 and changes nothing.
      const found = status === 400 ? 'passes' : `${status} ${body.code}`
      expect([line, found]).toEqual([line, expected])
      if (kind === 'the key of a bonded agent without capabilities' && definition.capability !== undefined)
        expect([line, body.required_capability]).toEqual([line, definition.capability])
    }
  }, 60_000)
})

describe('the tier of the caller', () => {
  it('is required where it is declared, and is read from the database', async () => {
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

describe('the endpoints for agents', () => {
  // security: agent-1
  it('are in the contract, each with its capability', () => {
    const open = targets
      .filter(({ definition }) => definition.auth === 'session-or-agent')
      .map(({ line, definition }) => [line, definition.capability])
    expect(Object.fromEntries(open)).toEqual({
      'GET /beak/profile': 'read:profile',
      'GET /beak/cert/view': 'read:cert',
      'GET /beak/cert/list': 'read:cert',
      'POST /beak/peck/request': 'request:peck',
      'POST /beak/peck/cancel': 'request:peck',
      'GET /beak/peck/history': 'read:peck',
      'GET /beak/peck/outcome': 'read:peck',
      'GET /beak/peck/status': 'read:peck',
      'GET /beak/peck/uses': 'read:peck',
      'POST /beak/sso/issue': 'issue:sso',
      'GET /beak/audit': 'read:audit',
    })
    expect(new Set(open.map(([, capability]) => capability))).toEqual(new Set(allCapabilities))
  })
})
