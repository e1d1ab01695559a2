import { beforeEach, describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import { incidentCommand } from './incident-command'

const run = (...args: string[]) => incidentCommand.parse(args)(() => undefined)
const idIn = (text: string) => /INC-\w+/.exec(text)?.[0] ?? ''

beforeEach(async () => {
  await db().run`DELETE FROM "Incident"`
})

describe('incident', () => {
  it('opens an incident, changes its text and closes it', async () => {
    const from = secondsAfter(readClock(), -10 * minute)
    const id = idIn(await run('open', 'all', 'degraded', 'Slow', 'answers.', '--from', from.toISOString()))
    expect(await run('list')).toContain(
      `${id}  all  degraded  ${from.toISOString()} open  by the operator\n    Slow answers.`,
    )
    await run('note', id, 'Fixed the disk.')
    const at = secondsAfter(from, 5 * minute)
    await run('close', id, '--at', at.toISOString())
    expect(await db().incident.findMany()).toEqual([
      {
        id,
        component: null,
        condition: 'degraded',
        byOperator: true,
        startedAt: from,
        endedAt: at,
        note: 'Fixed the disk.',
      },
    ])
  })

  it('writes a text to a measured incident, and does not close it', async () => {
    const now = readClock()
    const id = newId('incident', now)
    await db().incident.create({
      data: { id, component: 'outbox', condition: 'degraded', byOperator: false, startedAt: now },
    })
    await run('note', id, 'The mail server is slow.')
    await expect(run('close', id)).rejects.toThrow('A measured incident ends by itself')
    expect(await run('list')).toContain('measured\n    The mail server is slow.')
  })

  it('refuses to close an incident twice, before its start, and one that does not exist', async () => {
    const id = idIn(await run('open', 'redis', 'outage', 'Moved.'))
    await expect(run('close', id, '--at', '2026-01-01T00:00:00Z')).rejects.toThrow('it began later')
    await run('close', id)
    await expect(run('close', id)).rejects.toThrow('No open incident')
    await expect(run('note', newId('incident', readClock()), 'x')).rejects.toThrow('There is no incident')
  })

  it.each([
    [[]],
    [['list', 'all']],
    [['open', 'moon', 'outage', 'x']],
    [['open', 'all', 'operational', 'x']],
    [['open', 'all', 'outage']],
    [['open', 'all', 'outage', 'x'.repeat(1001)]],
    [['open', 'all', 'outage', 'x', '--from', 'yesterday']],
    [['open', 'all', 'outage', 'x', '--from', '2999-01-01T00:00:00Z']],
    [['note', 'INC-1', 'x']],
    [['close']],
    [['close', 'INC-00000000000000000000000000', 'x']],
  ])('rejects %j before it opens the database', (args) => {
    expect(() => incidentCommand.parse(args)).toThrow(/incident/)
  })
})
