import { describe, expect, it } from 'vitest'
import { format, renderReport } from './report'
import { compareWithFloor, judge, type Measured, type Row, selectRows } from './rows'

const figures: Measured = {
  rate: 1000,
  p50: 1,
  p99: 2,
  serverCpu: 1,
  databaseCpu: 0.5,
  resident: 100,
  errors: 0,
}

/** Returns all rows. Those in `measured` have one round with these figures. */
function rowsWith(measured: Record<string, Partial<Measured>>): Row[] {
  return selectRows(null).map((row) => {
    const own = measured[row.key]
    return { ...row, rounds: own ? [{ ...figures, ...own }] : [] }
  })
}

function verdictOf(key: string, measured: Record<string, Partial<Measured>>) {
  const rows = rowsWith(measured)
  const row = rows.find((candidate) => candidate.key === key)
  return row ? judge(row, rows) : null
}

describe('judge', () => {
  it('compares rates with the goal', () => {
    const key = 'postgresql: profile bearer'
    expect(verdictOf(key, { [key]: { rate: 2000 }, 'plain: select': {} })).toMatchObject({
      ratio: 2,
      cpuRatio: 1,
      met: true,
    })
    expect(verdictOf(key, { [key]: { rate: 1900 }, 'plain: select': {} })).toMatchObject({
      ratio: 1.9,
      met: false,
    })
  })

  it('also compares the CPU time of server and PostgreSQL', () => {
    const key = 'postgresql: profile bearer'
    const own = { serverCpu: 2, databaseCpu: 1 }
    expect(verdictOf(key, { [key]: own, 'plain: select': {} })).toMatchObject({ cpuRatio: 0.5 })
  })

  it('counts the requests of a flow when the goal is per request', () => {
    const key = 'postgresql: peck'
    expect(verdictOf(key, { [key]: { rate: 100 }, 'plain: insert': {} })).toMatchObject({
      ratio: 0.4,
      met: true,
    })
  })

  it('compares the CPU time of a page with the CPU time of an empty page', () => {
    const key = 'postgresql: page /'
    const empty = { 'postgresql: page empty': { serverCpu: 2 } }
    expect(verdictOf(key, { [key]: { serverCpu: 3 }, ...empty })).toMatchObject({ ratio: 1.5, met: true })
    expect(verdictOf(key, { [key]: { serverCpu: 4 }, ...empty })).toMatchObject({ ratio: 2, met: false })
  })

  it('returns null without a goal, and when the other row was not measured', () => {
    expect(verdictOf('hono: static', { 'hono: static': {} })).toBeNull()
    expect(verdictOf('postgresql: root', { 'postgresql: root': {} })).toBeNull()
  })
})

describe('compareWithFloor', () => {
  it('compares a row with the same work by hand, and that with the goal', () => {
    const rows = rowsWith({
      'plain: select': { rate: 1000 },
      'by-hand: agent list': { rate: 500, serverCpu: 1.5 },
      'postgresql: agent list': { rate: 400, serverCpu: 3.5 },
    })
    const row = rows.find(({ key }) => key === 'postgresql: agent list')
    expect(row && compareWithFloor(row, rows)).toEqual({ floor: 0.5, ratio: 0.8, cpuRatio: 0.5 })
  })

  it('counts the requests of a flow when the goal is per request', () => {
    const rows = rowsWith({
      'plain: insert': { rate: 1000 },
      'by-hand: peck': { rate: 150 },
      'postgresql: peck': { rate: 75 },
    })
    const row = rows.find(({ key }) => key === 'postgresql: peck')
    expect(row && compareWithFloor(row, rows)).toEqual({ floor: 0.6, ratio: 0.5, cpuRatio: 1 })
  })

  it('compares whole flows when the goal is per flow', () => {
    const rows = rowsWith({
      'better-auth: sign-up': { rate: 100 },
      'by-hand: sign-up': { rate: 800 },
      'postgresql: sign-up': { rate: 400 },
    })
    const row = rows.find(({ key }) => key === 'postgresql: sign-up')
    expect(row && compareWithFloor(row, rows)).toMatchObject({ floor: 8, ratio: 0.5 })
  })

  it('returns null for work that is not written by hand', () => {
    const rows = rowsWith({ 'plain: select': {}, 'postgresql: sso verify': {} })
    const row = rows.find(({ key }) => key === 'postgresql: sso verify')
    expect(row && compareWithFloor(row, rows)).toBeNull()
  })
})

describe('selectRows', () => {
  it('has a goal for every row of Beak, except for the empty pages', () => {
    const measured = Object.fromEntries(selectRows(null).map(({ key }) => [key, {}]))
    const rows = rowsWith(measured).filter(({ server }) => server === 'postgresql' || server === 'embedded')
    const without = rows.filter((row) => judge(row, rowsWith(measured)) === null).map(({ name }) => name)
    expect(new Set(without)).toEqual(new Set(['page empty', 'page empty, signed in']))
  })

  it('adds the rows that the goals of the selected rows need', () => {
    const keys = selectRows(/^embedded: profile key$/).map(({ key }) => key)
    expect(keys).toEqual(['plain: select', 'embedded: profile key'])
  })

  it('adds the same flow by hand to a flow of Beak', () => {
    const keys = selectRows(/^postgresql: peck$/).map(({ key }) => key)
    expect(keys).toEqual(['plain: insert', 'by-hand: peck', 'postgresql: peck', 'other-node: peck'])
  })

  it('adds the same work by hand and with another Node.js to a row on PostgreSQL', () => {
    const keys = selectRows(/^postgresql: agent list$/).map(({ key }) => key)
    expect(keys).toEqual([
      'plain: select',
      'by-hand: agent list',
      'postgresql: agent list',
      'other-node: agent list',
    ])
  })
})

describe('renderReport', () => {
  it('shows each measured row with its ratio, and lists errors', () => {
    const rows = rowsWith({ 'hono: static': {}, 'postgresql: root': { rate: 400, errors: 3 } })
    const text = renderReport({ rows, postgres: null, otherNode: null, memory: { postgresql: 300 } })
    expect(text).toContain(
      '| `GET /beak/` | 400 | 1.00 | 2.00 | 1.00 | 0.500 | 100 | – | 0.5 × hono: static | 0.400 | 1.00 | **no** |',
    )
    expect(text).toContain('| Beak on PostgreSQL, API and pages | 300 | 180 | **no** |')
    expect(text).toContain('postgresql: root: 3')
    expect(text).not.toContain('## Two versions of Node.js')
  })

  it('shows a flow beside the same flow by hand, per request when the goal is', () => {
    const rows = rowsWith({
      'plain: insert': { rate: 1000 },
      'by-hand: peck': { rate: 150 },
      'postgresql: peck': { rate: 75 },
    })
    const text = renderReport({ rows, postgres: null, otherNode: null, memory: {} })
    expect(text).toContain('## The same work by hand')
    expect(text).toContain(
      '| peck: ask, approve, status, consume | 0.3 × plain: insert, per request | 0.600 | 0.500 | 1.00 | **no** |',
    )
  })

  it('shows two versions of Node.js side by side', () => {
    const rows = rowsWith({
      'postgresql: audit': { rate: 400, serverCpu: 2, resident: 300 },
      'other-node: audit': { rate: 500, serverCpu: 1.5, resident: 270 },
    })
    const text = renderReport({ rows, postgres: null, otherNode: 'v24.1.0', memory: {} })
    expect(text).toContain(`| work | ${process.version}: per second |`)
    expect(text).toContain('| audit log | 400 | 2.00 | 300 | 500 | 1.50 | 270 | 1.25 | 0.750 |')
  })
})

describe('format', () => {
  it('shows about three digits, and a dash for no value', () => {
    expect([0.1234, 1.234, 12.34, 12345, Number.NaN, null].map(format)).toEqual([
      '0.123',
      '1.23',
      '12.3',
      '12,345',
      '–',
      '–',
    ])
  })
})
