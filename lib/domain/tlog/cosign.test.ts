import { parseNote } from '@beak/proofs/log/note'
import { formatVerifierKey, parseVerifierKey, type VerifierKey } from '@beak/proofs/log/verifier-key'
import pino from 'pino'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { db } from '@/lib/db/client'
import { aGrowingLog, type GrowingLog } from '@/lib/fixtures/logs'
import { appendNow, newestCheckpoint, pendingEntries } from '@/lib/fixtures/tlog'
import { aReceiver } from '@/lib/fixtures/webhooks'
import { type AWitness, signersOf } from '@/lib/fixtures/witness-process'
import { addCheckpoint, aNewNoteSigner, aWitness } from '@/lib/fixtures/witnesses'
import { logKey } from '@/lib/infrastructure/keys/log-keys'
import { config, useConfig } from '@/lib/kernel/config'
import type { Witness } from '@/lib/kernel/config/tlog-witnesses'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { forget, singleton } from '@/lib/kernel/runtime/singleton'
import { makePlan } from '@/lib/worker/jobs'
import { cosign } from './cosign'
import { logOrigin, logVerifierKey, logVerifierKeys } from './origin'
import { cosignNote } from './sign-note'
import { leaseSeconds, releaseLease, renewLease, takeLease } from './witness-lease'

const before = config()
afterEach(() => useConfig(before))

/** Adds entries to the log and signs a checkpoint. */
async function grow(count = 3) {
  await pendingEntries(count)
  return appendNow()
}

async function ownKeys(): Promise<VerifierKey[]> {
  return (await logVerifierKeys()).flatMap((vkey) => parseVerifierKey(vkey) ?? [])
}

const asWitness = ({ vkey, key, url }: { vkey: string; key: VerifierKey; url: string }): Witness => ({
  vkey,
  key,
  url,
})

/** Starts two witness processes that know the log of this service. */
async function twoWitnesses(): Promise<[AWitness, AWitness]> {
  const logs = await ownKeys()
  const [one, two] = ['one.example/w', 'two.example/w']
  return Promise.all([aWitness({ logs, name: one }), aWitness({ logs, name: two })])
}

async function known(witness: { vkey: string }) {
  const row = await db().logWitness.findUnique({
    where: { witness_origin: { witness: witness.vkey, origin: await logOrigin() } },
  })
  return row && { size: Number(row.size), claimedUntil: row.claimedUntil }
}

const linesOf = (witness: { vkey: string }) =>
  db().logCosignature.findMany({ where: { witness: witness.vkey }, orderBy: { size: 'asc' } })

async function sizeAt(witness: AWitness): Promise<number> {
  const page = await (await fetch(witness.url)).text()
  return Number(/: (\d+) entries/.exec(page)?.[1])
}

/** Collects what is logged from `warn` up until the test ends. */
function collectLog(): { level: number; msg: string; reason: string }[] {
  const lines: { level: number; msg: string; reason: string }[] = []
  forget('log')
  singleton('log', () =>
    pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  )
  onTestFinished(() => forget('log'))
  return lines
}

/** Makes another history, signed with the key and the name of this service's log. */
async function aFork(): Promise<GrowingLog> {
  const { x, privateKey } = await logKey(readClock())
  return aGrowingLog({ key: logVerifierKey(await logOrigin(), x), privateKey }, (index) => `forged ${index}`)
}

/** Starts a server that answers as a dishonest witness would. */
async function aDishonestWitness(
  answer: (note: string, oldSize: number) => { code: number; type?: string; text: string },
) {
  const own = aNewNoteSigner('liar.example/w', 'cosignature')
  const receiver = await aReceiver((response, { body }) => {
    const {
      code,
      type = 'text/plain',
      text,
    } = answer(body.slice(body.indexOf('\n\n') + 2), Number(/^old (\d+)/.exec(body)?.[1]))
    response.writeHead(code, { 'Content-Type': type }).end(text)
  })
  const witness: Witness = {
    vkey: formatVerifierKey(own.key),
    key: own.key,
    url: receiver.url.replace(/\/hook$/, ''),
  }
  return { own, receiver, witness }
}

describe('two witnesses', () => {
  it('cosign the served checkpoint, and a new one when the log has grown', async () => {
    await grow()
    const witnesses = await twoWitnesses()
    useConfig({ tlogWitnesses: witnesses.map(asWitness) })
    for (const count of [1, 5, 300]) {
      const { size } = await grow(count)
      const asking = makePlan().chores.filter(({ name }) => name.startsWith('ask the witness'))
      await Promise.all(asking.map(({ run }) => run(readClock())))
      const { note } = await newestCheckpoint()
      const vkeys = witnesses.map(({ vkey }) => vkey)
      const keys = witnesses.map(({ key }) => key)
      expect((await signersOf(note, [...(await ownKeys()), ...keys])).sort()).toEqual(
        [...vkeys, (await logVerifierKeys())[0]].sort(),
      )
      for (const witness of witnesses) {
        expect(await known(witness)).toEqual({ size, claimedUntil: null })
        expect(await sizeAt(witness)).toBe(size)
      }
    }
  })

  // security: fork-4
  it('cosign independently: after an outage, one continues from its old size', async () => {
    const { size: oldSize } = await grow()
    const [first, second] = await twoWitnesses()
    const now = readClock()
    await Promise.all([first, second].map((one) => cosign(asWitness(one), now)))
    await first.stop()
    const lines = collectLog()
    const later = [1, 2, 3].map((step) => secondsAfter(now, step * 600))
    for (const at of later) {
      await grow(40)
      await Promise.all([first, second].map((one) => cosign(asWitness(one), at)))
    }
    const { size } = await newestCheckpoint()
    expect([await sizeAt(second), (await known(first))?.size]).toEqual([size, oldSize])
    expect(lines.map(({ level, reason }) => [level, reason.includes('ECONNREFUSED')])).toEqual(
      later.map(() => [40, true]),
    )
    const again = await aWitness({
      logs: await ownKeys(),
      name: first.key.name,
      folder: first.folder,
      port: Number(new URL(first.url).port),
    })
    expect(await sizeAt(again)).toBe(oldSize)
    await cosign(asWitness(again), secondsAfter(now, 2400))
    expect([await sizeAt(again), (await known(first))?.size]).toEqual([size, size])
    expect((await linesOf(first)).map((row) => Number(row.size))).toEqual([oldSize, size])
  })

  it('cosign without delay when the other witness hangs', async () => {
    await grow()
    const logs = await ownKeys()
    const witness = await aWitness({ logs, name: 'quick.example/w' })
    const { receiver, witness: hanging } = await aDishonestWitness(() => ({ code: 500, text: '' }))
    const releases: (() => void)[] = []
    receiver.answer = (response) => void releases.push(() => response.end())
    const arrived = receiver.next()
    const slow = cosign(hanging, readClock())
    await arrived
    const { size } = await grow()
    await cosign(asWitness(witness), readClock())
    expect(await sizeAt(witness)).toBe(size)
    for (const release of releases) release()
    await slow
  })
})

describe('the old size', () => {
  it('is corrected at once when the witness expects another size', async () => {
    await grow()
    const witness = await aWitness({ logs: await ownKeys(), name: 'ahead.example/w' })
    await cosign(asWitness(witness), readClock())
    const { size } = await grow(10)
    // As after restoring the database of the service from an older copy of this table.
    await db().logWitness.deleteMany({ where: { witness: witness.vkey } })
    await cosign(asWitness(witness), readClock())
    expect([await sizeAt(witness), (await known(witness))?.size]).toEqual([size, size])
    await db().logWitness.updateMany({ where: { witness: witness.vkey }, data: { size: size + 100 } })
    const next = await grow()
    await cosign(asWitness(witness), readClock())
    expect(await sizeAt(witness)).toBe(next.size)
  })

  it('is corrected only once in each run', async () => {
    await grow()
    const { receiver, witness } = await aDishonestWitness((_, oldSize) => ({
      code: 409,
      type: 'text/x.tlog.size',
      text: `${oldSize + 1}\n`,
    }))
    await cosign(witness, readClock())
    expect(receiver.requests.map(({ body }) => body.split('\n')[0])).toEqual(['old 0', 'old 1'])
    expect(await known(witness)).toEqual({ size: 1, claimedUntil: null })
  })
})

describe('an answer without a valid cosignature', () => {
  const stranger = aNewNoteSigner('liar.example/w', 'cosignature')
  it.each<[string, (note: string, own: typeof stranger) => string]>([
    ['nothing', () => ''],
    ['another key of the same name', (note) => cosignatureOf(note, stranger)],
    ['a signature over another text', (_, own) => cosignatureOf('other\n1\n\n\u2014 x AAAAAAAA\n', own)],
    ['a changed time', (note, own) => changeTime(cosignatureOf(note, own))],
    ['more than 1 MiB', (note, own) => `${'x'.repeat(1024 * 1024)}\n${cosignatureOf(note, own)}`],
    ['a page of a proxy', () => '<html>Welcome</html>'],
  ])('is not stored: %s', async (_, answer) => {
    await grow()
    const lines = collectLog()
    const dishonest = await aDishonestWitness((note) => ({ code: 200, text: answer(note, dishonest.own) }))
    await cosign(dishonest.witness, readClock())
    expect(dishonest.receiver.requests).toHaveLength(1)
    expect(await linesOf(dishonest.witness)).toEqual([])
    expect(await known(dishonest.witness)).toEqual({ size: 0, claimedUntil: null })
    expect(lines).toMatchObject([{ level: 40, witness: 'liar.example/w' }])
  })

  it('does not prevent storing the valid line of the witness', async () => {
    const { size } = await grow()
    const dishonest = await aDishonestWitness((note) => ({
      code: 200,
      text: `${cosignatureOf(note, stranger)}${cosignatureOf(note, dishonest.own)}`,
    }))
    await cosign(dishonest.witness, readClock())
    expect(await linesOf(dishonest.witness)).toMatchObject([
      { size: BigInt(size), origin: await logOrigin() },
    ])
    const { note } = await newestCheckpoint()
    expect(await signersOf(note, [dishonest.own.key])).toEqual([dishonest.witness.vkey])
    expect(await signersOf(note, [stranger.key])).toEqual([])
  })
})

describe('the lease of a witness', () => {
  it('lets one of 50 instances send a request', async () => {
    await grow()
    const dishonest = await aDishonestWitness((note) => ({
      code: 200,
      text: cosignatureOf(note, dishonest.own),
    }))
    const now = readClock()
    await Promise.all(Array.from({ length: 50 }, () => cosign(dishonest.witness, now)))
    expect(dishonest.receiver.requests).toHaveLength(1)
    expect(await linesOf(dishonest.witness)).toHaveLength(1)
  })

  it('expires when the instance that took it has died', async () => {
    await grow()
    const dishonest = await aDishonestWitness((note) => ({
      code: 200,
      text: cosignatureOf(note, dishonest.own),
    }))
    const now = readClock()
    await db().logWitness.create({
      data: {
        witness: dishonest.witness.vkey,
        origin: await logOrigin(),
        size: 0,
        claimedUntil: secondsAfter(now, leaseSeconds),
      },
    })
    await cosign(dishonest.witness, secondsAfter(now, leaseSeconds - 1))
    expect(dishonest.receiver.requests).toHaveLength(0)
    await cosign(dishonest.witness, secondsAfter(now, leaseSeconds))
    expect(await linesOf(dishonest.witness)).toHaveLength(1)
  })

  it('is kept while it is renewed, and lost afterwards', async () => {
    const now = readClock()
    const take = (at: Date) => takeLease('a witness', 'an origin', at)
    const lease = await take(now)
    if (lease === null) throw new Error('no lease')
    const later = secondsAfter(now, leaseSeconds - 1)
    expect(await renewLease(lease, later)).toBe(true)
    expect(await take(secondsAfter(now, leaseSeconds))).toBeNull()
    const other = await take(secondsAfter(later, leaseSeconds))
    expect(other).not.toBeNull()
    expect(await renewLease(lease, secondsAfter(later, leaseSeconds))).toBe(false)
    // Releasing a lost lease leaves the newer lease alone.
    await releaseLease(lease)
    expect(await take(secondsAfter(later, leaseSeconds + 1))).toBeNull()
    await db().logWitness.deleteMany({ where: { witness: 'a witness' } })
  })

  it('is ignored when it was taken before the clock was set back', async () => {
    await grow()
    const { receiver, witness } = await aDishonestWitness(() => ({ code: 503, text: 'down' }))
    const now = readClock()
    const tomorrow = secondsAfter(now, 86_400)
    await db().logWitness.create({
      data: { witness: witness.vkey, origin: await logOrigin(), size: 0, claimedUntil: tomorrow },
    })
    await cosign(witness, now)
    await cosign(witness, tomorrow)
    await cosign(witness, now)
    expect(receiver.requests).toHaveLength(3)
  })

  it('sends no request when the newest checkpoint is cosigned', async () => {
    await grow()
    const dishonest = await aDishonestWitness((note) => ({
      code: 200,
      text: cosignatureOf(note, dishonest.own),
    }))
    for (let turn = 0; turn < 3; turn++) await cosign(dishonest.witness, readClock())
    expect(dishonest.receiver.requests).toHaveLength(1)
  })
})

describe('a witness that fails', () => {
  it('is asked again after 10 s, 20 s, 40 s, at most 5 minutes, and logged at most once a minute', async () => {
    await grow()
    const lines = collectLog()
    const { receiver, witness } = await aDishonestWitness(() => ({ code: 503, text: 'down' }))
    const start = readClock()
    const asked: number[] = []
    for (let second = 0; second <= 1300; second += 10) {
      const before = receiver.requests.length
      await cosign(witness, secondsAfter(start, second))
      if (receiver.requests.length > before) asked.push(second)
    }
    expect(asked).toEqual([0, 10, 30, 70, 150, 310, 610, 910, 1210])
    expect(lines.map(({ level }) => level)).toEqual([40, 40, 40, 40, 40, 40, 40])
    expect(lines[0]?.reason).toBe('status 503: down')
  })
})

describe('a forked log', () => {
  // security: fork-1
  it('gets no cosignature from witnesses that cosigned the true log', async () => {
    const witnesses = await twoWitnesses()
    const { size } = await grow()
    for (const witness of witnesses) await cosign(asWitness(witness), readClock())
    const fork = await aFork()
    for (const witness of witnesses) {
      const same = await addCheckpoint(witness.url, await fork.request(size, size))
      const longer = await addCheckpoint(witness.url, await fork.request(size, size + 5))
      const anew = await addCheckpoint(witness.url, await fork.request(0, size + 5))
      expect([same.code, longer.code, anew.code, anew.text]).toEqual([409, 422, 409, `${size}\n`])
      for (const { text } of [same, longer, anew])
        expect(await signersOf(`${await fork.note(size)}${text}`, [witness.key])).toEqual([])
      expect(witness.output()).toContain(`FORK: ${await logOrigin()} signed two trees of ${size} entries`)
      expect(await sizeAt(witness)).toBe(size)
    }
    await grow()
    for (const witness of witnesses) await cosign(asWitness(witness), readClock())
    const { note } = await newestCheckpoint()
    expect(
      await signersOf(
        note,
        witnesses.map(({ key }) => key),
      ),
    ).toHaveLength(2)
  })

  it.each([
    ['of the same size', 0],
    ['of fewer entries', -1],
    ['of more entries', 7],
  ])('is logged as an error when the witness has cosigned another log %s', async (_, more) => {
    const { size } = await grow()
    const witness = await aWitness({ logs: await ownKeys(), name: 'deceived.example/w' })
    const fork = await aFork()
    expect((await addCheckpoint(witness.url, await fork.request(0, size + more))).code).toBe(200)
    const lines = collectLog()
    await cosign(asWitness(witness), readClock())
    expect(lines).toMatchObject([
      {
        level: 50,
        msg: expect.stringContaining('the witness has cosigned a tree that this log does not continue'),
        size,
      },
    ])
    expect(await linesOf(witness)).toEqual([])
  })
})

/** Returns the line of a cosignature made now. */
function cosignatureOf(note: string, { key, privateKey }: ReturnType<typeof aNewNoteSigner>): string {
  return cosignNote(parseNote(note)?.text ?? 'x\n', key, privateKey, Math.floor(readClock().getTime() / 1000))
}

function changeTime(line: string): string {
  const [dash = '', name = '', encoded = ''] = line.trimEnd().split(' ')
  const bytes = Buffer.from(encoded, 'base64')
  bytes[11] = (bytes[11] ?? 0) ^ 1
  return `${dash} ${name} ${bytes.toString('base64')}\n`
}
