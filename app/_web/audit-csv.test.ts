import { describe, expect, it } from 'vitest'
import type { AuditEventOutput } from '@/lib/domain/audit/schema'
import { auditCsv, csvCell } from './audit-csv'

describe('a cell', () => {
  it.each([
    ['plain', 'plain'],
    ['with, comma', '"with, comma"'],
    ['with "quotes"', '"with ""quotes"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ])('%j holds no formula and stays one cell', (value, cell) => {
    expect(csvCell(value)).toBe(cell)
  })
})

it('a log as CSV has a line an event, with its sentence and all that is recorded', () => {
  const event: AuditEventOutput = {
    event_id: 'EVT-1',
    duckling_id: 'DUCK-ME',
    seq: 7,
    action: 'duckling.renamed',
    outcome: 'success',
    occurred_at: '2026-11-21T10:00:00.000Z',
    actor: { type: 'duckling', id: 'DUCK-ME' },
    targets: [{ type: 'duckling', id: 'DUCK-ME' }],
    context: { ip: '192.0.2.1', user_agent: '=cmd()', request_id: null },
    metadata: { from: 'Old', to: 'New' },
    prev_hash: 'a',
    hash: 'b',
  }
  const [head, line, end] = auditCsv([event], { id: 'DUCK-ME', names: {} }).split('\r\n')
  expect(head).toMatch(/^\uFEFFseq,occurred_at,what,/)
  expect(line).toBe(
    `7,2026-11-21T10:00:00.000Z,You changed the name from Old to New,success,,duckling.renamed,duckling,DUCK-ME,DUCK-ME,192.0.2.1,'=cmd(),,"{""from"":""Old"",""to"":""New""}",EVT-1,a,b`,
  )
  expect(end).toBe('')
})
