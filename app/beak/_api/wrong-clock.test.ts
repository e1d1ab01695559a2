/**
 * Everything that time ends, with an instance whose clock is wrong beside a right one. The list is complete: the last test compares it with the
 * schema of the database.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { database, db, Prisma } from '@/lib/db/client'
import { watchClock } from '@/lib/db/service-clock'
import { transaction } from '@/lib/db/transaction'
import { makeSignUpPasses } from '@/lib/domain/identity/create-by-host'
import { makeSignInLink } from '@/lib/domain/identity/sign-in-link'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, randomAddress, randomEmail } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { realNow, setMachineClock } from '@/lib/fixtures/machine-clock.mjs'
import { describeOnPostgres } from '@/lib/fixtures/source-files'
import { claimDue } from '@/lib/infrastructure/worker/claim'
import { startEngine } from '@/lib/infrastructure/worker/engine'
import { config, useConfig as replaceConfig } from '@/lib/kernel/config'
import { day, ignoreMeasurements, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { forget } from '@/lib/kernel/runtime/singleton'
import { firstIdAt, idPattern } from '@/lib/kernel/secrets/ids'
import { makePlan } from '@/lib/worker/jobs'
import { type Answer, type CallOptions, call } from './call'
import { validRequests } from './valid-requests'

interface Ended {
  /** The column with the end. */
  column: `${string}.${string}`
  /** An operation that succeeds before the end, once, and fails afterwards. */
  line: string
  /** How many seconds after the time in the column something ends. Default: 0. */
  lasts?: number
  /** What the request needs. Default: that of the tests of all operations. */
  make?: () => Promise<CallOptions>
  /** It lasts for seconds or minutes, which a busy machine may need: the test lengthens it by an hour. */
  isShort?: true
  /** Time ends it when a step of the worker runs. Otherwise each call compares the time. */
  byWorker?: true
  /** Whether the answer says that the thing still works. Default: 200. */
  works?: (answer: Answer) => boolean
  /** A wait: the call fails before the end and succeeds afterwards. */
  isWait?: true
}

async function ask(change: object): Promise<CallOptions> {
  const { beakKey } = await anAgent(await aDuckling())
  return { key: beakKey, body: { action: 'send:mail', scope: 'limited', ...change } }
}

/** The request of a payment that a rule approves once in a period. */
async function aPayer(per: 'day' | 'month'): Promise<CallOptions> {
  const owner = await aDuckling()
  const { authenticator } = await aPasskey(owner)
  const { agentId, beakKey } = await anAgent(owner)
  const budget = { amount: '€38.00', per }
  await aRule(owner, authenticator, shopRule(agentId, { budget }))
  return {
    key: beakKey,
    body: {
      target_duckling_id: owner.id,
      action: 'pay:invoice',
      scope: 'limited',
      params: { amount: '€38.00', to: 'shop@example.com' },
    },
  }
}

async function aSignInLink(waits: number) {
  const { id: ducklingId } = await aDuckling()
  const now = readClock()
  const times = { worksFrom: secondsAfter(now, waits), expiresAt: secondsAfter(now, 7 * day) }
  const url = await transaction((tx) => makeSignInLink(tx, now, { ducklingId, recoveryId: null, ...times }))
  return { link: new URL(url).searchParams.get('token') ?? '' }
}

/** Everything that time ends and that a call can tell. */
const ended: readonly Ended[] = [
  { column: 'Peck.expiresAt', line: 'POST /beak/peck/approve' },
  {
    column: 'Peck.grantExpiresAt',
    line: 'POST /beak/peck/consume',
    make: async () => {
      const options = { scope: 'timed', grantExpiresIn: 3600 } as const
      const { grant_token } = await anApprovedPeck(await aDuckling(), await aDuckling(), options)
      return { body: { grant_token }, from: randomAddress() }
    },
  },
  { column: 'GrantToken.expiresAt', line: 'POST /beak/peck/consume' },
  { column: 'Peck.rejectAt', line: 'POST /beak/peck/undo', byWorker: true, isShort: true },
  { column: 'BeakKey.expiresAt', line: 'POST /beak/agent/token' },
  { column: 'Session.expiresAt', line: 'POST /beak/profile/update' },
  { column: 'Session.authTime', lasts: 600, line: 'POST /beak/handle/claim' },
  { column: 'Handshake.expiresAt', line: 'POST /beak/agent/bond' },
  { column: 'OtpCode.expiresAt', line: 'POST /beak/verify-email', isShort: true },
  { column: 'Ceremony.expiresAt', line: 'POST /beak/passkey/register/verify', isShort: true },
  { column: 'SsoToken.expiresAt', line: 'POST /beak/sso/bridge', isShort: true },
  { column: 'MailLink.expiresAt', line: 'POST /beak/email-change/undo' },
  { column: 'MailLink.dueAt', line: 'POST /beak/email-change/undo/cancel', byWorker: true },
  { column: 'PasskeyRecovery.dueAt', line: 'POST /beak/passkey/recover/cancel', byWorker: true },
  { column: 'Approver.removesAt', line: 'POST /beak/approver/keep', byWorker: true },
  {
    column: 'Invitation.expiresAt',
    line: 'POST /beak/peck/request',
    make: async () => {
      const body = { expires_in: 3600 }
      const { token } = await aDuckling()
      const { url } = (await call('POST /beak/invitation/create', { token, body })).body
      return ask({ target: url })
    },
  },
  {
    column: 'SignInLink.expiresAt',
    line: 'POST /beak/signin/link',
    make: async () => {
      const { link } = await aSignInLink(0)
      return { body: { token: link }, from: randomAddress() }
    },
  },
  {
    column: 'SignUpPass.expiresAt',
    line: 'POST /beak/signup',
    make: async () => {
      const email = randomEmail()
      const [link = ''] = await makeSignUpPasses([{ email, name: undefined }], readClock())
      const sign_up_pass = new URL(link).searchParams.get('pass') ?? ''
      return { body: { email, display_name: 'Gadwall', sign_up_pass }, from: randomAddress() }
    },
  },
  {
    column: 'DeviceRequest.expiresAt',
    line: 'POST /beak/device/approve',
    make: async () => {
      const { body } = await call('POST /beak/device/authorize', { body: { client_name: 'Laptop' } })
      return { token: (await aDuckling()).token, body: { user_code: body.user_code } }
    },
  },
  {
    column: 'SignInLink.worksFrom',
    line: 'POST /beak/signin/link',
    isWait: true,
    make: async () => ({ body: { token: (await aSignInLink(day)).link }, from: randomAddress() }),
  },
  {
    column: 'Rule.expiresAt',
    line: 'POST /beak/peck/request',
    make: () => aPayer('month'),
    works: ({ body }) => body.status === 'approved',
  },
  {
    column: 'Peck.snoozedUntil',
    line: 'GET /beak/peck/inbox',
    isWait: true,
    make: async () => {
      const [asker, target] = [await aDuckling(), await aDuckling()]
      const { peck_id } = await aPeck(asker, target)
      const { token } = target
      const until = secondsAfter(readClock(), 3600).toISOString()
      await call('POST /beak/peck/snooze', { token, body: { peck_id, until } })
      return { token }
    },
    works: ({ body }) => body.items.length === 1,
  },
  {
    column: 'Duckling.nextNameChangeAt',
    line: 'POST /beak/name-change',
    isWait: true,
    make: async () => {
      const { token } = await aDuckling()
      await call('POST /beak/name-change', { token, body: { new_display_name: 'Drake' } })
      return { token, body: { new_display_name: 'Gadwall' } }
    },
  },
  {
    column: 'IdempotencyKey.expiresAt',
    line: 'POST /beak/profile/update',
    isWait: true,
    make: async () => {
      const { token } = await aDuckling()
      const headers = { 'Idempotency-Key': randomUUID() }
      await call('POST /beak/profile/update', { token, headers, body: { bio: 'Swims' } })
      return { token, headers, body: { bio: 'Dives' } }
    },
  },
]

/** What time ends for messages and claims, and what no call tells. The comparison of all times in the database has them too. */
const comparedOnly = [
  'DeviceToken.expiresAt',
  'FormerName.until',
  'LogWitness.claimedUntil',
  'NotificationSettings.pausedUntil',
  'OtpGuard.pausedUntil',
  'OAuthRecord.expiresAt',
  'Outbox.claimedUntil',
  'Outbox.dueAt',
  'Outbox.lateAt',
  'PeckMail.remindAt',
  'RuleReport.dueAt',
  'RuleReport.mailedUntil',
  'RuleUse.settleAt',
  'WebhookDelivery.nextAttemptAt',
  'WebhookEndpoint.pausedUntil',
  'WebhookEndpoint.previousSecretUntil',
  'WebhookQueue.dueAt',
  'WebhookStanding.slowUntil',
]

const wrongClocks = [
  { name: 'a day ahead', seconds: day },
  { name: 'a day behind', seconds: -day },
  { name: '400 days ahead', seconds: 400 * day },
]

/** Works as an instance that was started on a machine whose clock is off by so many seconds. */
async function onMachine<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  forget('clock.watch')
  ignoreMeasurements(false)
  setMachineClock(seconds)
  try {
    await watchClock(database())
    return await work()
  } finally {
    setMachineClock(0)
    ignoreMeasurements(true)
    forget('clock.watch')
  }
}

/** Runs every step of the worker once that ends something. */
async function endWhatIsOver(): Promise<void> {
  const plan = makePlan()
  const chores = plan.chores.filter(({ endsByTime }) => endsByTime)
  const engine = await startEngine({ ...plan, pools: [], chores })
  await engine.catchUp()
  await engine.stop()
  forget('worker.liveness')
}

/** Times by their name, in seconds from now. */
type Times = Map<string, number>

/** Adds the times in an answer: instants, and those that a token has. */
function addTimes(times: Times, name: string, value: unknown): void {
  if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) addTimes(times, `${name}.${key}`, member)
  else if (typeof value === 'number' && /\.(?:iat|exp|nbf|auth_time)$/.test(name))
    times.set(name, value - realNow() / 1000)
  else if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) times.set(name, (Date.parse(value) - realNow()) / 1000)
    const [, payload = ''] = /^eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]+$/.exec(value) ?? []
    if (payload !== '') addTimes(times, name, JSON.parse(Buffer.from(payload, 'base64url').toString()))
  }
}

/** The first two depend on the hour of the day, and only the first token for a domain writes the last one. */
const notCompared = ['PeckMail.remindAt', 'RuleReport.dueAt', 'SsoDomain.createdAt']
/** Nothing in the list writes these. Webhooks that another test has left may be delivered meanwhile. */
const ofWebhooks = /^(?:Webhook|Outbox\.lateAt)/

/**
 * Returns the first and the last time that was written into each column since a transaction. Leaves out rows that name only accounts from before
 * `since`: what other tests left ends meanwhile, too.
 */
async function writtenSince(transactionId: bigint, since: Date): Promise<Times> {
  const columns = await db().rows<{ table: string; column: string }>`
    SELECT "table_name"::text AS "table", "column_name"::text AS "column" FROM information_schema.columns
    WHERE "table_schema" = 'public' AND "data_type" = 'timestamp with time zone' AND left("table_name", 1) <> '_'`
  const parts = columns.map(
    ({ table, column }) => `
      SELECT '${table}.${column}' AS "name", min(extract(epoch FROM "${column}" - clock_timestamp()))::float8 AS "first",
        max(extract(epoch FROM "${column}" - clock_timestamp()))::float8 AS "last"
      FROM "${table}" AS "row" WHERE xmin::text::bigint > ${transactionId} AND coalesce(
        (SELECT max(found[1]) FROM regexp_matches(to_jsonb("row")::text, '${idPattern('duckling')}', 'g') AS found) COLLATE "C"
          >= '${firstIdAt('duckling', since)}', true)`,
  )
  const rows = await db().rows<{ name: string; first: number | null; last: number | null }>`
    ${Prisma.raw(parts.join(' UNION ALL '))}`
  return new Map(
    rows.flatMap(({ name, first, last }) =>
      first === null || last === null || notCompared.includes(name) || ofWebhooks.test(name)
        ? []
        : [
            [`${name} (first)`, first],
            [`${name} (last)`, last],
          ],
    ),
  )
}

/** Lets what was made since a transaction last an hour longer. */
async function lengthen({ column: name }: Ended, transactionId: bigint): Promise<void> {
  const [table = '', column = ''] = name.split('.')
  await db().run`
    ${Prisma.raw(`UPDATE "${table}" SET "${column}" = "${column}" + interval '1 hour' WHERE xmin::text::bigint > ${transactionId} AND "${column}" IS NOT NULL`)}`
}

/** Lets the time of something end a moment ago. */
async function endNow({ column: name, lasts = 0 }: Ended): Promise<void> {
  const [table = '', column = ''] = name.split('.')
  const changed = await db().run`
    ${Prisma.raw(`UPDATE "${table}" SET "${column}" = clock_timestamp() - interval '${lasts + 1} seconds' WHERE "${column}" > clock_timestamp() - interval '${lasts + 1} seconds'`)}`
  if (changed === 0) throw new Error(`nothing has a time in ${name}`)
}

const makeOf = ({ make, line }: Ended) => make ?? (validRequests[line] as () => Promise<CallOptions>)
const worksOf = ({ works = ({ status }) => status === 200 }: Ended) => works

/** Sends the request about something. Only some services need a pass to sign up. */
async function send({ line, column }: Ended, request: CallOptions | undefined): Promise<Answer> {
  const { signUp } = config()
  if (column === 'SignUpPass.expiresAt') replaceConfig({ signUp: { mode: 'pass' } })
  try {
    return await call(line, request)
  } finally {
    replaceConfig({ signUp })
  }
}

/**
 * Makes everything that time ends, runs the worker, and sends the request of each. `jump` is called before the worker runs and before the requests.
 * Returns all times that were written or answered, and how many events have a time in the future. Other tests of the same database leave such
 * events.
 */
async function play(
  jump: (moment: 'made' | 'worked') => void = () => undefined,
): Promise<{ times: Times; outcomes: string[]; future: number | undefined }> {
  const [before] = await db().rows<{ id: bigint }>`SELECT pg_current_xact_id()::text::bigint AS "id"`
  const since = readClock()
  const requests: CallOptions[] = []
  for (const one of ended) {
    requests.push(await makeOf(one)())
    if (one.isShort) await lengthen(one, before?.id ?? 0n)
  }
  jump('made')
  await endWhatIsOver()
  jump('worked')
  const times: Times = new Map()
  const outcomes: string[] = []
  for (const [index, one] of ended.entries()) {
    const answer = await send(one, requests[index])
    outcomes.push(`${one.column} ${worksOf(one)(answer) ? 'works' : 'is refused'}`)
    addTimes(times, one.column, answer.body)
  }
  for (const [name, time] of await writtenSince(before?.id ?? 0n, since)) times.set(name, time)
  const [events] = await db().rows<{ future: number }>`
    SELECT count(*)::int AS "future" FROM "AuditEvent"
    WHERE xmin::text::bigint > ${before?.id ?? 0n} AND "occurredAt" > clock_timestamp() + interval '1 second'`
  return { times, outcomes, future: events?.future }
}

/** Tests are slow on a busy machine, and the wrong clocks are off by a day at least. */
const toleratedSeconds = 600

describeOnPostgres('an instance with a wrong clock beside a right one', () => {
  let right: Awaited<ReturnType<typeof play>>
  beforeAll(async () => {
    await endWhatIsOver()
    right = await play()
  }, 120_000)

  it('can tell of each thing whether it still works', () => {
    const waits = new Set(ended.filter(({ isWait }) => isWait).map(({ column }) => column))
    expect(right.outcomes).toEqual(
      ended.map(({ column }) => `${column} ${waits.has(column) ? 'is refused' : 'works'}`),
    )
  })

  /** Expects that everything went as on the right instance, and that no event has a time in the future. */
  function expectRight({ outcomes, times, future }: typeof right): void {
    expect(outcomes).toEqual(right.outcomes)
    const others = [...right.times].filter(
      ([name, time]) => !(Math.abs((times.get(name) ?? Number.NaN) - time) < toleratedSeconds),
    )
    expect(others.map(([name, time]) => `${name}: ${times.get(name)} instead of ${time}`)).toEqual([])
    expect(future).toBe(0)
  }

  it.each(wrongClocks)(
    '$name: ends nothing early, and writes and answers the same times',
    async ({ seconds }) => expectRight(await onMachine(seconds, () => play())),
    120_000,
  )

  // security: host-8
  it('ends nothing early and writes the same times when the clock jumps both ways while it works', async () => {
    const jump = (moment: 'made' | 'worked') => setMachineClock(moment === 'made' ? 400 * day : -day)
    expectRight(await onMachine(0, () => play(jump)))
  }, 120_000)

  // security: host-8
  it.each(wrongClocks)(
    '$name: lets nothing live longer, and no wait last longer',
    async ({ seconds }) => {
      const wrong: string[] = []
      for (const one of ended) {
        const request = await makeOf(one)()
        await endNow(one)
        const answer = await onMachine(seconds, async () => {
          if (one.byWorker) await endWhatIsOver()
          return send(one, request)
        })
        const isOver = worksOf(one)(answer) === (one.isWait ?? false)
        if (!isOver) wrong.push(`${one.column}: ${answer.status} ${JSON.stringify(answer.body)}`)
      }
      expect(wrong).toEqual([])
    },
    120_000,
  )

  it.each(wrongClocks)('$name: begins no period of a rule early', async ({ seconds }) => {
    const pay = await aPayer('day')
    const status = async () => (await call('POST /beak/peck/request', pay)).body.status
    expect(await status()).toBe('approved')
    expect(await onMachine(seconds, status)).toBe('pending')
  })

  it.each(wrongClocks)('$name: takes no row over that another worker has claimed', async ({ seconds }) => {
    const at = readClock()
    const { id } = await db().outbox.create({
      data: { kind: 'letter', payload: {}, dueAt: at, createdAt: at, claimedUntil: secondsAfter(at, 10) },
    })
    const claimed = await onMachine(seconds, () => claimDue(['letter'], 16, readClock()))
    await db().outbox.deleteMany({ where: { id } })
    expect(claimed.map((row) => row.id)).not.toContain(id)
  })
})

it('has every column of the database that says when something ends', () => {
  const isEnd =
    /^(?:until|worksFrom|\w*Until|(?:expires|due|reject|removes|settle|remind|nextNameChange|nextAttempt|grantExpires|late)At)$/
  let table = ''
  const ends = readFileSync('prisma/schema.prisma', 'utf8')
    .split('\n')
    .flatMap((line) => {
      table = /^model (\w+)/.exec(line)?.[1] ?? table
      const [, column = ''] = /^ {2}(\w+) +DateTime\??/.exec(line) ?? []
      return isEnd.test(column) ? [`${table}.${column}`] : []
    })
  // A proof of identity ends ten minutes after its time.
  const known = [...ended.map(({ column }) => column), ...comparedOnly].filter(
    (name) => name !== 'Session.authTime',
  )
  expect(known.sort()).toEqual(ends.sort())
})
