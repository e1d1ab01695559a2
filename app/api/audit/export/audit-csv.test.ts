import { describe, expect, it } from 'vitest'
import type { AuditEvent } from '@/app/_web/event-sentence'
import { auditCsv, csv } from './audit-csv'

// security: check-57
describe('a cell', () => {
  it.each([
    ['plain', 'plain'],
    ['with, comma', '"with, comma"'],
    ['with "quotes"', '"with ""quotes"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['a\rb', '"a\rb"'],
  ])('quotes %j where CSV needs it', (value, cell) => {
    expect(csv([[value, 'next']])).toBe(`\uFEFF${cell},next\r\n`)
  })

  it.each([
    ['=1+1', `"'=1+1"`],
    ['+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['＝1+1', `"'＝1+1"`],
    ['\t=1', `"'\t=1"`],
    ['\r=1', `"'\r=1"`],
    ['\n=1', `"'\n=1"`],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ])('turns the formula %j into text', (value, cell) => {
    expect(csv([[value, 'next']])).toBe(`\uFEFF${cell},next\r\n`)
  })
})

it('writes one line for each event, with its sentence and everything that is recorded', () => {
  const event: AuditEvent = {
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
    `7,2026-11-21T10:00:00.000Z,You changed the name from “Old” to “New”,success,,duckling.renamed,duckling,DUCK-ME,DUCK-ME,192.0.2.1,"'=cmd()",,"{""from"":""Old"",""to"":""New""}",EVT-1,a,b`,
  )
  expect(end).toBe('')
})
