import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { chatPost, noteBody, ntfyPost, webhookBody } from '@/lib/domain/channels/note'
import { firstLinesOf } from '@/lib/domain/pecks/asker-history'
import { mailedPeck } from '@/lib/domain/pecks/mail/announce'
import type { FirstLineInput } from '@/lib/domain/pecks/risk/first-line'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { acquaint, aPeck } from '@/lib/factories/pecks'
import { peckNote } from '@/lib/infrastructure/mail/notice'
import { type MailedPeck, peckMessage } from '@/lib/infrastructure/mail/peck-message'
import { unknownReader } from '@/lib/infrastructure/mail/reader'
import { notificationPayload } from '@/lib/infrastructure/push/send'
import { RequestText } from '../../home/waiting-requests'
import { rowOf } from '../_inbox/make-row'
import { labelOf, RequestRow } from '../_inbox/request-row'
import { announcementOf, type InboxAnswer } from '../_inbox/rows'
import { DangerBand, RiskSummary } from './risk-mark'

/** A sentence of each reason. A new reason needs one here. */
const sentences: Record<FirstLineInput['rule'], string> = {
  same_name: 'Not the \u2068Teal\u2069 you approved on 23 November: same name, other person.',
  look_alike: 'Not your agent “Claude Code”: a person with its name.',
  hidden_text: 'It has characters that cannot be seen.',
  secret: 'This file usually holds passwords and keys: “/srv/shop/.env”.',
  irreversible: "Deleting can't be undone.",
  command: 'It runs a command that destroys, forces or gives control: “rm -rf”.',
  control: 'It gives somebody access.',
  money: 'It moves money.',
  force: '“--force” skips the usual safety check.',
  production: 'The details mention production.',
  outward: 'Other people may see it.',
  standing: 'It lasts until you revoke it.',
  sensitive: 'It shows your email address.',
  unlisted: 'It may change something.',
  first_time_asker: "You've never approved anything from this asker.",
  other_agent: "Not your agent “Claude Code”: another person's agent with the same name.",
  invited: 'They asked with an invitation link of yours.',
  first_time_action: 'You approved other requests of this asker, but never for this action.',
  unlike_earlier: 'The amount was €12.00 last time.',
  new_agent: 'The agent was registered 5 minutes before it asked.',
  new_key: 'The key of the agent was rotated 5 minutes before it asked.',
}
/** They are facts that the decision page does not say first. */
const quietRules = ['invited', 'first_time_action', 'unlike_earlier', 'new_agent', 'new_key']
const facts = ['first_time_asker', 'other_agent', ...quietRules]
const levels = ['low', 'medium', 'high'] as const

type Case = [rule: FirstLineInput['rule'], level: (typeof levels)[number]]
const cases = Object.keys(sentences).flatMap((rule): Case[] =>
  levels
    .filter((level) => (facts.includes(rule) ? level !== 'high' : level !== 'low'))
    .map((level) => [rule as FirstLineInput['rule'], level]),
)

let target: ADuckling
let peckId: string
beforeAll(async () => {
  target = await aDuckling()
  const stranger = await aDuckling()
  peckId = (await aPeck(await anAgent(stranger), target)).peck_id
})

/** Gives the waiting request this risk. */
async function giveRisk([rule, level]: Case): Promise<PeckRow> {
  const reason = facts.includes(rule)
    ? { rule, text: sentences[rule] }
    : { rule, level, text: sentences[rule] }
  const asker = { rule: 'first_time_asker', text: sentences.first_time_asker }
  // Behind the one that is said first, there are others.
  const stored = rule === 'first_time_asker' ? [reason] : rule === 'other_agent' ? [asker, reason] : [reason]
  const riskReasons = JSON.stringify(stored)
  await db().peck.update({ where: { id: peckId }, data: { riskLevel: level, riskReasons } })
  const [peck] = await readPecks(db(), sql`SELECT * FROM "Peck" WHERE "id" = ${peckId}`)
  if (peck === undefined) throw new Error('no peck')
  return peck
}

async function inboxItem(): Promise<InboxAnswer['items'][number]> {
  const { items } = (await call('GET /beak/peck/inbox', { token: target.token })).body
  return items.find((one: { peck_id: string }) => one.peck_id === peckId) as InboxAnswer['items'][number]
}

/** Returns the first line in the details of a request, for one of its sides. */
async function lineFor({ token }: ADuckling, id: string): Promise<FirstLineInput | null> {
  const { items } = (await call(`GET /beak/peck/details?peck_ids=${id}`, { token })).body
  return items[0]?.first_line ?? null
}

async function mailed(peck: PeckRow): Promise<MailedPeck> {
  const read = (await firstLinesOf(db(), target.id, [peck])).get(peck.id)
  return mailedPeck(peck, { isReminder: false, withValue: true, read })
}

/** The signs around words differ between pages, mails and chats: quotation marks, escapes and what makes no link. */
const bare = (text: string | null | undefined) =>
  (text ?? '')
    .replace(/<[^>]*>/g, '')
    .replaceAll(/&#(?:x27|39);/g, "'")
    .replace(/&quot;|&#34;|[“”"\\\u2060\u2068\u2069]/g, '')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
/** Returns what a component renders from its first line on. Empty without one. */
const afterMark = (element: ReactElement) =>
  bare(`<${renderToStaticMarkup(element).split(' data-line')[1] ?? '>'}`)
/** Returns what stands behind the asker, whose name ends what is asked for, in words for screen readers. */
const afterName = (text: string) => bare(text.slice(text.indexOf('. ') + 2))
const firstOf = (text: string) => bare(text.split('\n')[0])

const chats = {
  slack: 'https://hooks.slack.com/services/T/B/x',
  discord: 'https://discord.com/api/webhooks/1/x',
  mattermost: 'https://chat.example/hooks/x',
  matrix: 'https://m.example/_matrix/client/v3/rooms/!a/send/m.room.message?access_token=x',
  telegram: 'https://api.telegram.org/bot1:x/sendMessage?chat_id=2',
} as const

/** Returns the first line of the request in each place where a person reads of it. */
async function everywhere(peck: PeckRow): Promise<Record<string, string>> {
  const [item, mail] = [await inboxItem(), await mailed(peck)]
  const line = await lineFor(target, peckId)
  const isHigh = peck.riskLevel === 'high'
  const page = isHigh
    ? createElement(DangerBand, { id: 'band', line, isPending: true })
    : createElement(RiskSummary, { level: item.risk_level, line })
  const row = rowOf(item, target.id)
  const state = { isSelected: false, isChecked: false, isMixed: true, now: Date.now() }
  const message = peckMessage([mail], { count: 1, newCount: 1, highCount: 1, reader: unknownReader })
  const several = peckMessage([mail, mail], { count: 2, newCount: 2, highCount: 2, reader: unknownReader })
  const note = { ...peckNote(mail, unknownReader), path: '/', tag: '', isHigh }
  const hasTitle = note.firstLine === null
  const push = JSON.parse(
    notificationPayload({ title: note.title, body: noteBody(note), path: '/', tag: '', waiting: 1 }),
  ).notification
  const ntfy = ntfyPost('https://ntfy.example/topic', note).body as { title: string; message: string }
  const hook = webhookBody(note)
  return {
    page: bare(renderToStaticMarkup(page)).replace(/^(High|Medium|Low) risk/, ''),
    row: afterMark(createElement(RequestRow, { row, outcome: null, ...state })),
    'name of the row': afterName(labelOf(row, null, Date.now())),
    'announcement of a new row': afterName(announcementOf(row)),
    home: afterMark(createElement(RequestText, { row })),
    mail: firstOf(message.text),
    'HTML of a mail': bare(/<body[\s\S]*/.exec(message.html ?? '')?.[0]).replace(/^Beak\s+/, ''),
    'mail about several': bare(/^1\. .+/m.exec(several.text)?.[0]).replace(/^1\. /, ''),
    push: hasTitle ? push.title : firstOf(push.body),
    ntfy: hasTitle ? ntfy.title : firstOf(ntfy.message),
    webhook: hook.first_line ?? hook.title,
    ...Object.fromEntries(
      Object.entries(chats).map(([format, url]) => {
        const body = chatPost(format as keyof typeof chats, url, note, peckId).body as Record<string, string>
        return [format, firstOf(String(body.text ?? body.content ?? body.body))]
      }),
    ),
  }
}

describe.each(cases)('the reason %s of a %s risk', (rule, level) => {
  it('is the same first line on every channel', async () => {
    const places = await everywhere(await giveRisk([rule, level]))
    const expected = bare(quietRules.includes(rule) ? undefined : sentences[rule])
    for (const [place, text] of Object.entries(places))
      expect({ place, line: bare(text).slice(0, expected.length) }).toEqual({ place, line: expected })
    if (expected === '') expect((await inboxItem()).first_line).toBeNull()
  })
})

describe('an impostor', () => {
  it('is unmasked by the subject of the mail and the title of a note', async () => {
    const mail = await mailed(await giveRisk(['same_name', 'high']))
    const { subject } = peckMessage([mail], { count: 1, newCount: 1, highCount: 1, reader: unknownReader })
    expect(bare(subject)).toMatch(/^Not the Teal you approved on 23 November: same name, other person\. /)
    expect(bare(peckNote(mail, unknownReader).title)).toMatch(/^Not the Teal/)
  })

  it('comes before the danger and before a first contact', async () => {
    const reasons = ['irreversible', 'first_time_asker', 'other_agent'] as const
    const riskReasons = JSON.stringify(
      reasons.map((rule) => ({
        rule,
        text: sentences[rule],
        ...(rule === 'irreversible' ? { level: 'high' } : {}),
      })),
    )
    await db().peck.update({ where: { id: peckId }, data: { riskLevel: 'high', riskReasons } })
    expect((await inboxItem()).first_line?.rule).toBe('other_agent')
  })

  it('is no news once something of the asker was approved, and a danger stays', async () => {
    const known = await aDuckling()
    const agent = await anAgent(known)
    const { peck_id } = await aPeck(agent, target, { action: 'delete:database' })
    const lineOf = () => lineFor(target, peck_id)
    expect(await lineOf()).toMatchObject({ rule: 'irreversible' })
    const riskReasons = JSON.stringify([{ rule: 'first_time_asker', text: sentences.first_time_asker }])
    await db().peck.update({ where: { id: peck_id }, data: { riskLevel: 'low', riskReasons } })
    expect(await lineOf()).toMatchObject({ rule: 'first_time_asker' })
    await acquaint(target, agent.agentId)
    expect(await lineOf()).toBeNull()
  })
})

describe('the first line', () => {
  it('is not in the details of the asker', async () => {
    const asker = await aDuckling()
    const { peck_id } = await aPeck(asker, target, { action: 'delete:database' })
    expect(await lineFor(asker, peck_id)).toBeNull()
  })

  it('says nothing of the first request of an own agent', async () => {
    const { peck_id } = await aPeck(await anAgent(target), target, { action: 'read:calendar' })
    expect((await lineFor(target, peck_id))?.rule).not.toBe('first_time_asker')
  })

  it('leaves out values where the person wants none in mails, and keeps names', async () => {
    const withoutValues = async (rule: FirstLineInput['rule']) => {
      const read = { line: { rule, text: sentences[rule] }, isFirst: false }
      const peck = await giveRisk([rule, 'high'])
      return mailedPeck(peck, { isReminder: false, withValue: false, read }).firstLine
    }
    expect(await withoutValues('command')).toBeNull()
    expect(await withoutValues('irreversible')).not.toBeNull()
    expect(await withoutValues('look_alike')).not.toBeNull()
  })
})
