import { beforeEach, describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { inServer } from '@/lib/fixtures/operator'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'

beforeEach(async () => {
  await db().outbox.deleteMany()
})

const run = inServer('outbox')

async function aMessage(kind: string, more: object = {}): Promise<string> {
  const now = readClock()
  const dueAt = secondsAfter(now, 3600)
  const { id } = await db().outbox.create({
    data: { kind, payload: {}, dueAt, createdAt: now, attempts: 3, lastError: 'ECONNREFUSED: no', ...more },
  })
  return String(id)
}

const letter = (to: string) => ({
  payload: { to, notice: 'account_closed', facts: { secret: 'a secret' } },
})

describe('outbox', () => {
  it('lists what waits and what was given up, and shows one message without its contents', async () => {
    expect((await run('list')).output).toContain('No message waits')
    const id = await aMessage('letter', { ...letter('anna@pond.example'), failedAt: readClock() })
    await aMessage('webhook')
    const { output } = await run('list')
    expect(output).toContain('letter: 0 wait, 1 given up\nwebhook: 1 wait, 0 given up\n')
    expect(output).toMatch(
      new RegExp(`\\n${id}  letter  from .*  3 tries  given up .*\\n    ECONNREFUSED: no$`),
    )
    const shown = await run('why', id)
    expect(shown.output).toContain('    notice: account_closed\n    to: anna@pond.example')
    expect(shown.output).not.toContain('a secret')
  })

  it('sends a message that was given up when it is tried again', async () => {
    const id = await aMessage('newsletter', {
      payload: { email: 'anna@pond.example', is_due: false },
      failedAt: readClock(),
      lateAt: readClock(),
    })
    expect(await run('retry', id)).toMatchObject({ code: 0, output: expect.stringContaining('is tried now') })
    await drainOutbox()
    expect(await run('why', id)).toEqual({
      code: 1,
      output: `There is no message ${id}. It was sent meanwhile, or discarded.`,
    })
  })

  it('tries all messages that were given up, since a time or of one kind, but none that cannot be sent again', async () => {
    const now = readClock()
    const failedAt = secondsAfter(now, -600)
    const early = await aMessage('letter', { failedAt: secondsAfter(now, -7200) })
    const late = await aMessage('letter', { failedAt })
    const report = await aMessage('rule_report', { failedAt })
    const waiting = await aMessage('support')
    const code = await aMessage('code', { failedAt })
    const discarded = await aMessage('notice', { failedAt })
    const again = async () => {
      const rows = await db().outbox.findMany({
        where: { dueAt: { lte: readClock() } },
        orderBy: { id: 'asc' },
      })
      return rows.map(({ id, failedAt, attempts }) => [String(id), failedAt, attempts])
    }
    const since = secondsAfter(now, -3600).toISOString()
    expect((await run('retry', '--since', since, '--kind', 'letter')).output).toMatch(
      /^One message is tried now\./,
    )
    expect(await again()).toEqual([[late, null, 0]])
    expect((await run('retry', '--kind', 'rule_report')).output).toMatch(/^One message is tried now\./)
    expect((await run('retry', '--all')).output).toMatch(
      /^4 messages are tried now\. 2 cannot be sent again: outbox retry <number> says why\./,
    )
    expect(await again()).toEqual([
      [early, null, 0],
      [late, null, 0],
      [report, null, 0],
      [waiting, null, 3],
    ])
    for (const id of [code, discarded])
      expect((await run('retry', id)).output).toContain('cannot be sent again')
    expect((await run('retry', '--kind', 'nothing')).output).toContain('none of this choice has failed')
  })

  it.each([
    [['retry'], 'needs a number, --all, --since or --kind'],
    [['retry', '--since', 'yesterday'], '--since needs a time in UTC'],
    [['retry', '--everything'], "Unknown option '--everything'"],
    [['retry', '--all', '7'], 'Unexpected argument'],
  ])('explains wrong words: %j', async (words, explanation) => {
    expect(await run(...words)).toMatchObject({ code: 1, output: expect.stringContaining(explanation) })
  })

  it.each([
    ['code', {}, 'a code is valid for ten minutes'],
    ['peck_mail', {}, 'the next mail to the same person'],
    [
      'notice',
      { payload: { duckling_id: 'DUCK-1', notice: 'new_device' } },
      'was discarded when it was given up',
    ],
  ])('says why a %s that was given up cannot be sent again', async (kind, more, words) => {
    const id = await aMessage(kind, { ...more, failedAt: readClock() })
    expect(await run('retry', id)).toEqual({ code: 1, output: expect.stringContaining(words) })
    expect(await db().outbox.count({ where: { failedAt: null } })).toBe(0)
  })

  it('does not touch a message that is being sent, and deletes only what was given up', async () => {
    const running = await aMessage('letter', { claimedUntil: secondsAfter(readClock(), 10) })
    expect((await run('retry', running)).output).toContain('is being sent at this moment')
    expect((await run('discard', running)).output).toContain('is still tried')
    const failed = await aMessage('letter', { failedAt: readClock() })
    expect((await run('discard', failed)).code).toBe(0)
    expect(await db().outbox.findMany()).toMatchObject([{ id: BigInt(running), attempts: 3 }])
  })

  it.each([
    [[], 'outbox needs list, why, retry or discard.'],
    [['constructor', '1'], 'outbox needs list, why, retry or discard.'],
    [['list', '1'], 'outbox list takes no arguments.'],
    [['why'], 'outbox needs the number of one message'],
    [['why', 'all'], 'outbox needs the number of one message'],
    [['retry', '1', '2'], 'outbox needs the number of one message'],
    [['discard', '999999999999'], 'There is no message 999999999999.'],
  ])('explains wrong arguments: %j', async (args, words) => {
    const { code, output } = await run(...args)
    expect([code, output]).toEqual([1, expect.stringContaining(words)])
  })
})
