/** What only a test service answers: `/beak/test/…`. These endpoints are in no other process and not in the API reference. */
import { z } from 'zod'
import type { Table } from '@/app/beak/_api/serve'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { messagesIn } from '@/lib/factories/outbox'
import { endpoint } from '@/lib/http/endpoint'
import { type WebhookKind, webhookKinds, webhookMessages } from '@/lib/infrastructure/events/kinds'
import { enqueueWebhooks } from '@/lib/infrastructure/events/record'
import { config } from '@/lib/kernel/config'
import { instant, serviceCode } from '@/lib/kernel/request/fields'
import { moveClock, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { idSchema } from '@/lib/kernel/secrets/ids'
import type { TestPerson } from './people'
import type { Robot } from './robot'

/** Further a test need not look: years have four digits, and tokens and certificates have ended long before. */
const advanceMax = 100 * 366 * 86_400

const Clock = z.object({ success: z.literal(true), now: instant })
const clockNow = () => ({ success: true as const, now: readClock() })

const Movement = z.union(
  [
    z.strictObject({ advance: z.number().positive().max(advanceMax) }),
    z.strictObject({ now: z.iso.datetime({ offset: true }).transform((text) => new Date(text)) }),
  ],
  'must have `advance`, in seconds, or `now`, a time of RFC 3339',
)

const common = { auth: 'none', limit: null } as const

/** What the endpoints need of the running service. */
export interface Running {
  robots: Robot[]
  owner: TestPerson
  /** Does what is due after the clock was moved. */
  catchUp(): Promise<void>
}

/** Returns the endpoints of a running test service. */
export function testTable({ robots, owner, catchUp }: Running): Table {
  return {
    '/beak/test/clock': {
      GET: endpoint({
        ...common,
        operationId: 'readTestClock',
        summary: 'Read the clock',
        response: Clock,
        handle: clockNow,
      }),
      POST: endpoint({
        ...common,
        operationId: 'moveTestClock',
        summary: 'Move the clock forward',
        body: Movement,
        response: Clock,
        failures: ['invalid_request'],
        handle: async ({ now, fail }, { body }) => {
          const to = 'now' in body ? body.now : secondsAfter(now, body.advance)
          if (to < now || to > secondsAfter(now, advanceMax)) {
            const message = 'must not be earlier than the clock, and at most 100 years later'
            throw fail('invalid_request', { errors: [{ field: 'now', message }] })
          }
          moveClock(to)
          await catchUp()
          return clockNow()
        },
      }),
    },
    '/beak/test/session': {
      POST: endpoint({
        ...common,
        operationId: 'startTestSession',
        summary: 'Sign in the owner of the agent, or a test account, with the passkey',
        body: z.strictObject({ duckling_id: idSchema('duckling').optional() }),
        response: z.object({ success: z.literal(true), duckling_id: z.string(), token: z.string() }),
        failures: ['duckling_not_found'],
        handle: async ({ fail }, { body: { duckling_id: id = owner.id } }) => {
          const person = [owner, ...robots.map((robot) => robot.person)].find((one) => one.id === id)
          if (person === undefined) throw fail('duckling_not_found')
          await person.signIn()
          return { success: true as const, duckling_id: id, token: person.token }
        },
      }),
    },
    '/beak/test/mails': { GET: mails },
    '/beak/test/trigger': { GET: triggers, POST: trigger },
    '/beak/test/code': {
      POST: endpoint({
        ...common,
        operationId: 'typeTestCode',
        summary: 'Type a code for @asks-for-a-code',
        body: z.strictObject({ peck_id: idSchema('peck'), code: serviceCode }),
        response: z.object({ success: z.literal(true), status: z.string() }),
        failures: ['peck_not_found', 'peck_not_pending'],
        handle: async ({ fail }, { body: { peck_id: id, code } }) => {
          const robot = robots.find(({ account }) => account.handle === 'asks-for-a-code')
          const peck = await db().peck.findFirst({
            where: { id, targetDucklingId: robot?.person.id ?? '' },
            select: { status: true },
          })
          if (robot === undefined || peck === null) throw fail('peck_not_found')
          if (peck.status !== 'pending') throw fail('peck_not_pending', { current_status: peck.status })
          await robot.type(id, code)
          const { status } = await db().peck.findUniqueOrThrow({ where: { id }, select: { status: true } })
          return { success: true as const, status }
        },
      }),
    },
  }
}

const mails = endpoint({
  ...common,
  operationId: 'listTestMails',
  summary: 'List the mails and text messages that were sent, oldest first',
  query: z.strictObject({ to: z.string().optional() }),
  response: z.object({
    items: z.array(
      z.object({
        kind: z.string(),
        to: z.string(),
        subject: z.string().nullable(),
        text: z.string(),
        created_at: z.string(),
      }),
    ),
  }),
  handle: (_context, { query: { to } }) => ({
    items: messagesIn(config().dataDir).filter((mail) => to === undefined || mail.to === to),
  }),
})

const triggers = endpoint({
  ...common,
  operationId: 'listTestTriggers',
  summary: 'List the events that can be triggered',
  response: z.object({ items: z.array(z.string()) }),
  handle: () => ({ items: webhookKinds }),
})

const trigger = endpoint({
  ...common,
  operationId: 'triggerTestEvent',
  summary: 'Send the example of a webhook message to every webhook that subscribes to its kind',
  body: z.strictObject({ event: z.enum(webhookKinds) }),
  response: z.object({ success: z.literal(true), event: z.string(), webhooks: z.int() }),
  handle: async ({ now }, { body: { event } }) => ({
    success: true as const,
    event,
    webhooks: await sendExample(event, now),
  }),
})

/** Enqueues the example of a kind, and returns the number of webhooks that get it. */
async function sendExample(kind: WebhookKind, now: Date): Promise<number> {
  const { example } = webhookMessages[kind]
  const subscribed = await db().webhookEndpoint.findMany({
    where: { enabled: true, OR: [{ kinds: { isEmpty: true } }, { kinds: { has: kind } }] },
    select: { ducklingId: true },
  })
  const owners = [...new Set(subscribed.map(({ ducklingId }) => ducklingId))]
  await transaction(async (tx) => enqueueWebhooks(tx, now, kind, owners, example))
  return subscribed.length
}
