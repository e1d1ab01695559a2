/** Every operation of the API that changes something, as a ceremony. */
import { randomUUID } from 'node:crypto'
import { type Answer, type CallOptions, call } from '@/app/beak/_api/call'
import { validRequests } from '@/app/beak/_api/valid-requests'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, randomAddress, randomEmail } from '@/lib/factories/ducklings'
import { codeFor } from '@/lib/factories/outbox'
import { aPasskey } from '@/lib/factories/passkeys'
import { aRule, shopRule } from '@/lib/factories/rules'
import { readClock } from '@/lib/kernel/runtime/clock'
import type { Ceremony } from './crash'

function outcomeOf({ status, body }: Pick<Answer, 'status' | 'body'>): string {
  if (status === 200) return 'done'
  return status === 503 ? 'unavailable' : `${status} ${body?.reason ?? body?.code}`
}

/** The claim of a call that a crash has ended is free after a minute. */
const expireClaims = () =>
  db().idempotencyKey.updateMany({ where: { answer: null }, data: { expiresAt: readClock() } })

/** Whether an operation verifies the answer to a challenge. */
const spendsChallenge = (line: string) =>
  /\/(?:passkey|approver)\/.*(?:verify|confirm|endorse|login)$|\/rule\/(?:create|update|resume)$/.test(line)

/** Operations that accept an `Idempotency-Key`: the same request is sent again, and succeeds. */
const keyed = Object.entries(validRequests).map(
  ([line, prepare]): Ceremony => ({
    name: line,
    prepare: async () => {
      const options = await prepare()
      const request = { ...options, headers: { ...options.headers, 'Idempotency-Key': randomUUID() } }
      return async () => outcomeOf(await call(line, request))
    },
    wait: expireClaims,
    // A challenge is spent before its assertion is verified: the person answers another one.
    ...(spendsChallenge(line) ? { endsWith: '401 passkey_assertion_invalid' } : {}),
  }),
)

/** Operations without a key. `saysAgain`: what a second call is told. */
function plain(line: string, prepare: () => Promise<CallOptions>, more: Partial<Ceremony> = {}): Ceremony {
  return {
    name: line,
    prepare: async () => {
      const options = await prepare()
      return async () => outcomeOf(await call(line, options))
    },
    ...(spendsChallenge(line) ? { endsWith: '401 passkey_assertion_invalid' } : {}),
    ...more,
  }
}

const ownToken = async () => ({ token: (await aDuckling()).token })
const from = () => ({ from: randomAddress() })

const others: Ceremony[] = [
  // An address signs up once, so the person signs in. The owner of the address is told of the second try.
  plain(
    'POST /beak/signup',
    async () => ({
      ...from(),
      body: { email: randomEmail(), display_name: 'Mallard' },
    }),
    { saysAgain: ['409 identity_exists'], mayRepeat: ['Notice', 'Outbox notice'] },
  ),
  // The code is spent, so the person asks for another one.
  plain(
    'POST /beak/signin',
    async () => {
      const { email } = await aDuckling()
      const address = from()
      await call('POST /beak/signin/otp', { ...address, body: { email } })
      return { ...address, body: { email, otp: await codeFor(email) } }
    },
    { saysAgain: ['401 sign_in_failed'] },
  ),
  plain('POST /beak/passkey/login', async () => {
    const { authenticator } = await aPasskey(await aDuckling())
    const { body } = await call('POST /beak/passkey/login/options', from())
    return { ...from(), body: { credential: authenticator.get(body) } }
  }),
  {
    name: 'POST /beak/peck/request, answered by a rule',
    prepare: async () => {
      const owner = await aDuckling()
      const { authenticator } = await aPasskey(owner)
      const { agentId, beakKey } = await anAgent(owner)
      await aRule(owner, authenticator, shopRule(agentId, { budget: { amount: '€100.00', uses: 3 } }))
      const request = {
        key: beakKey,
        headers: { 'Idempotency-Key': randomUUID() },
        body: {
          target_duckling_id: owner.id,
          action: 'pay:invoice',
          scope: 'limited',
          params: { amount: '€38.00', to: 'shop@example.com' },
        },
      }
      return async () => {
        const answer = await call('POST /beak/peck/request', request)
        return answer.body?.status === 'pending' ? 'not answered' : outcomeOf(answer)
      }
    },
    wait: expireClaims,
  },
  plain('POST /beak/signout', ownToken, { saysAgain: ['401 session_invalid'] }),
  plain('POST /beak/account/delete', ownToken, { saysAgain: ['401 session_invalid'] }),
]

export const operations: readonly Ceremony[] = [...keyed, ...others]
