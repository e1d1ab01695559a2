import { describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { claimMessages, noteHost, releaseHost } from '@/lib/domain/channels/claim'
import { config } from '@/lib/kernel/config'
import { readClock } from '@/lib/kernel/runtime/clock'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { chatPost, type Note, ntfyPost, webhookBody } from './note'

/** What a hostile name does when it reaches a target as it is. */
const hostile =
  '@everyone @here <!channel> <@U1> [x](http://evil.example) **b** `c` ~~s~~ #general :smile: /kick\nsecond line \u202eevil &amp; <b>'
const note: Note = {
  firstLine: hostile,
  title: `"${hostile}" asks`,
  text: hostile,
  path: '/pecks/PECK-1',
  tag: 'PECK-1',
  isHigh: true,
}
const link = () => `${config().baseUrl}/pecks/PECK-1`

const urls = {
  slack: 'https://hooks.slack.com/services/T/B/x',
  discord: 'https://discord.com/api/webhooks/1/x',
  mattermost: 'https://chat.example/hooks/x',
  matrix: 'https://m.example/_matrix/client/v3/rooms/!a:m.example/send/m.room.message?access_token=syt_x',
  telegram: 'https://api.telegram.org/bot1:x/sendMessage?chat_id=2',
}
const formats = Object.keys(urls) as (keyof typeof urls)[]
const textOf = (body: object): string =>
  String(Object.entries(body).find(([name]) => ['text', 'content', 'body'].includes(name))?.[1])

describe('a hostile name', () => {
  // security: asker-5
  it.each(formats)('mentions nobody, links nowhere and stays on its line in %s', (format) => {
    const { body } = chatPost(format, urls[format], note, 'PECK-1')
    const [first = '', title = '', text = '', last, ...others] = textOf(body as object).split('\n')
    expect([last, others]).toEqual([link(), []])
    for (const line of [first, title, text]) {
      // No sign of a mention or a link is followed by its name.
      expect(line).not.toMatch(/@(everyone|here|U1)/)
      expect(line).not.toMatch(/https?:\/\//)
      expect(line).not.toMatch(/#general/)
      // No character changes the direction of the text.
      expect(line).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    }
  })

  // security: asker-5
  it('is no markup in Slack', () => {
    const body = chatPost('slack', urls.slack, note, 'PECK-1').body
    expect(textOf(body as object).replace(/&(amp|lt|gt);/g, '')).not.toMatch(/[<>&]/)
    expect(body).toMatchObject({ mrkdwn: false, parse: 'none', unfurl_links: false, unfurl_media: false })
  })

  it.each(['discord', 'mattermost'] as const)('is no Markdown in %s', (format) => {
    const [title = ''] = textOf(chatPost(format, urls[format], note, 'PECK-1').body as object).split('\n')
    expect(title.replace(/\\./g, '')).not.toMatch(/[*_~`[\]()<>#|]/)
  })

  it('mentions nobody by the switches of Discord and Matrix, which show no previews', () => {
    expect(chatPost('discord', urls.discord, note, 'PECK-1').body).toMatchObject({
      allowed_mentions: { parse: [] },
      flags: 4,
    })
    expect(chatPost('matrix', urls.matrix, note, 'PECK-1').body).toMatchObject({
      'm.mentions': {},
      'com.beeper.linkpreviews': [],
    })
    expect(chatPost('telegram', urls.telegram, note, 'PECK-1').body).toMatchObject({
      link_preview_options: { is_disabled: true },
    })
  })

  it('stays on one line for ntfy and one’s own webhook', () => {
    const { url, body } = ntfyPost('https://ntfy.example/base/pond?auth=x', note)
    expect(url).toBe('https://ntfy.example/base/?auth=x')
    expect(body).toMatchObject({ topic: 'pond', priority: 5, click: link() })
    const [first, text, ...others] = (body as { message: string }).message.split('\n')
    expect(others).toEqual([])
    const hook = webhookBody(note)
    for (const line of [first, text, hook.first_line, hook.title, hook.text])
      expect(line).not.toMatch(/[\n\u202e]/)
  })
})

describe('tokens', () => {
  it('of Matrix and Telegram are in no address that the body or a log shows', () => {
    const matrix = chatPost('matrix', urls.matrix, note, 'PECK-1')
    expect(matrix).toMatchObject({ method: 'PUT', headers: { Authorization: 'Bearer syt_x' } })
    expect(matrix.url).toBe(
      'https://m.example/_matrix/client/v3/rooms/!a:m.example/send/m.room.message/PECK-1',
    )
    expect(chatPost('telegram', urls.telegram, note, 'PECK-1')).toMatchObject({
      url: 'https://api.telegram.org/bot1:x/sendMessage',
      body: { chat_id: '2' },
    })
  })
})

describe('messages that wait', () => {
  const enqueue = (host: string, count: number) =>
    db().outbox.createMany({
      data: Array.from({ length: count }, () => ({
        kind: 'channel_message',
        payload: { host },
        dueAt: readClock(),
        createdAt: readClock(),
        host,
      })),
    })
  const hostsOf = async (places: number) => {
    const rows = await claimMessages(places, places, readClock())
    return rows.map(({ payload }) => (payload as { host: string }).host)
  }

  it('of a host that does not answer hold few places, however many they are', async () => {
    await db().outbox.deleteMany()
    await enqueue('slow.example', 3000)
    await enqueue('fast.example', 20)
    noteHost('fast.example', false, readClock())
    noteHost('slow.example', true, readClock())
    const claimed = await hostsOf(64)
    expect(claimed.filter((host) => host === 'slow.example')).toHaveLength(1)
    expect(claimed.filter((host) => host === 'fast.example')).toHaveLength(16)
    expect((await hostsOf(64)).length).toBe(0)
    for (const host of claimed) releaseHost(host)
    expect((await hostsOf(64)).filter((host) => host === 'fast.example')).toHaveLength(4)
    await db().outbox.deleteMany()
  })

  it('of many unknown hosts leave three quarters of the places free', async () => {
    await db().outbox.deleteMany()
    for (let index = 0; index < 50; index++) await enqueue(`unknown-${index}.example`, 3)
    expect((await hostsOf(64)).length).toBeLessThanOrEqual(16)
    await db().outbox.deleteMany()
  })

  it('leave no memory of more hosts than a worker keeps', () => {
    for (let index = 0; index < 10_050; index++) releaseHost(`host-${index}.example`)
    const { states } = singleton('channels.hosts', () => ({ states: new Map() }))
    expect(states.size).toBeLessThanOrEqual(10_001)
  })
})
