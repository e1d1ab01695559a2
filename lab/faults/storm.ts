/**
 * A full disk, as PostgreSQL reports it: each statement that writes fails with 53100. A trigger of every table asks a row outside of the data
 * of the service whether the disk is full, so filling and freeing it locks no table.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { db } from '@/lib/db/client'
import type { DatabaseProxy } from '@/lib/fixtures/database-proxy'
import { drainOutbox, startWorker } from '@/lib/worker/start'
import { contradictions } from './crash'
import { type Fact, journey, type Weather } from './journey'
import { startMailServer } from './mail-server'
import type { Play, Played } from './play'
import { startReceiver } from './receiver'
import { makeDue, setClockWrong } from './time'

async function run(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Prepares the tables of the database at that address, and returns what fills the disk and frees it. */
async function prepareFullDisk(url: string): Promise<(isFull: boolean) => Promise<void>> {
  const tables = await db().rows<{ name: string }>`
    SELECT tablename::text AS "name" FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT LIKE '\\_prisma%'`
  await run(
    url,
    `
    CREATE SCHEMA faults;
    CREATE TABLE faults.disk ("isFull" boolean NOT NULL);
    INSERT INTO faults.disk VALUES (false);
    CREATE FUNCTION faults.write() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (SELECT "isFull" FROM faults.disk) THEN
          RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
        END IF;
        RETURN NULL;
      END $$;
    ${tables.map(({ name }) => `CREATE TRIGGER "fault_full" BEFORE INSERT OR UPDATE ON "${name}" FOR EACH STATEMENT EXECUTE FUNCTION faults.write();`).join('\n')}`,
  )
  return (isFull) => run(url, `UPDATE faults.disk SET "isFull" = ${isFull}`)
}

/**
 * A storm: people sign up, ask, approve and use while the network, the mail server, the receivers and the clock go wrong, one after another.
 * Afterwards everything works again: what was acknowledged must be there, every message must arrive, and the data must fit together.
 */

interface Phase {
  name: string
  begin(): void | Promise<void>
  /** Default: 2. */
  seconds?: number
}

const clients = 4
/** Connections to the database are given up after 12 seconds without an answer. */
const holdSeconds = 14

async function untrue(facts: readonly Fact[]): Promise<string[]> {
  const wrong: string[] = []
  for (const { what, isTrue } of facts) if (!(await isTrue())) wrong.push(`acknowledged, but not so: ${what}`)
  return wrong
}

/** Sends everything that waits. Webhooks to other addresses than `url` never arrive. Rows that wait for a pause between two mails may stay. */
async function sendAll(url: string): Promise<string[]> {
  for (let round = 0; round < 10; round++) {
    await makeDue()
    await drainOutbox()
  }
  const left = await db().outbox.groupBy({
    by: ['kind'],
    where: { kind: 'code' },
    _count: true,
  })
  const undelivered = await db().webhookDelivery.count({
    where: { status: { not: 'delivered' }, endpoint: { url } },
  })
  return [
    ...left.map(({ kind, _count }) => `${_count} messages of the kind ${kind} are not sent`),
    ...(undelivered > 0 ? [`${undelivered} webhooks are not delivered`] : []),
  ]
}

export async function playStorm(proxy: DatabaseProxy, { choices, only, print }: Play): Promise<Played> {
  if (!'storm'.includes(only)) return { played: 0, wrong: [] }
  const [mail, receiver] = [await startMailServer(), await startReceiver()]
  const setDiskFull = await prepareFullDisk(proxy.target)
  const calm = async () => {
    proxy.arm(null)
    proxy.disturb(null)
    mail.setMood('takes')
    receiver.setMood('takes')
    setClockWrong(0)
    await setDiskFull(false)
  }
  const phases: Phase[] = choices.shuffled([
    { name: 'the database answers slowly', begin: () => proxy.disturb(60) },
    { name: 'the database does not answer', begin: () => proxy.disturb('hold'), seconds: holdSeconds },
    ...[...Array(4).keys()].map(() => {
      const cut = { statement: 1 + choices.below(60), when: choices.one(['before', 'after'] as const) }
      const everything = choices.below(2) === 0
      return {
        name: `a cut ${cut.when} statement ${cut.statement}`,
        begin: () => proxy.arm({ ...cut, everything }),
        seconds: 1,
      }
    }),
    ...(['greylists', 'hangs', 'refuses', 'fails'] as const).map((mood) => ({
      name: `the mail server ${mood}`,
      begin: () => mail.setMood(mood),
    })),
    ...(['fails', 'hangs', 'closes'] as const).map((mood) => ({
      name: `the receivers: ${mood}`,
      begin: () => receiver.setMood(mood),
    })),
    { name: 'the disk of the database is full', begin: () => setDiskFull(true) },
    { name: 'the clock goes back by an hour', begin: () => setClockWrong(-3600) },
    { name: 'the clock goes forward by 25 hours', begin: () => setClockWrong(25 * 3600) },
  ])
  let isOver = false
  const weather: Weather = { mail, facts: [], odd: [], isOver: () => isOver }
  const worker = await startWorker()
  const running = Array.from({ length: clients }, () => journey(weather, receiver.url))
  for (const { name, begin, seconds = 2 } of phases) {
    await begin()
    await wait(seconds * 1000)
    await calm()
    await proxy.disarm()
    print(`storm: ${name}, ${weather.facts.length} facts so far`)
    await wait(300)
  }
  isOver = true
  await Promise.all(running)
  await worker.stop()
  const wrong = [
    ...weather.odd,
    ...(await sendAll(receiver.url)),
    ...(await untrue(weather.facts)),
    ...(await contradictions()),
  ]
  print(
    `storm: ${phases.length} phases, ${weather.facts.length} facts, ${receiver.taken.size} webhooks, ${wrong.length} wrong`,
  )
  return { played: phases.length, wrong: wrong.map((line) => `after the storm: ${line}`) }
}
