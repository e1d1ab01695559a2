/** Whether messages on a channel name the amount or the target of a request. */
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import type { NewChannel } from '@/lib/domain/channels/schema'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { acquaint, anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { anNtfyServer, aPhone } from '@/lib/fixtures/browser-push'
import { aChannel } from '@/lib/fixtures/channels'
import { aReceiver } from '@/lib/fixtures/webhooks'
import { config } from '@/lib/kernel/config'
import { drainOutbox } from '@/lib/worker/start'

const paths = {
  slack: 'services/T/B/x',
  discord: 'api/webhooks/1/x',
  mattermost: 'hooks/x',
  matrix: '_matrix/client/v3/rooms/!a:m.example/send/m.room.message?access_token=t',
  telegram: 'bot1:x/sendMessage?chat_id=2',
} as const

const deletion = (name: string) => ({ action: 'delete:database', params: { name, force: true } })
const risky = deletion('customers-production')

let owner: ADuckling
beforeEach(async () => {
  await drainOutbox()
  owner = await aDuckling()
})

const channel = (given: NewChannel) => aChannel(owner, given)
const update = (body: object) => call('POST /beak/channel/update', { token: owner.token, body })

/** Adds a channel of each kind. Returns the messages that they got since the last call, by the kind or the form of the chat. */
async function everyChannel(details?: boolean) {
  const [ntfy, own, phone] = [await anNtfyServer(), await aReceiver(), await aPhone()]
  const given = details === undefined ? {} : { details }
  await channel({ kind: 'ntfy', url: ntfy.url, ...given })
  await channel({ kind: 'webhook', url: `${own.origin}/own`, ...given })
  await channel({ kind: 'push', subscription: phone.subscription, ...given })
  const chats = await Promise.all(
    Object.entries(paths).map(async ([format, path]) => {
      const chat = await aReceiver()
      await channel({
        kind: 'chat',
        url: `${chat.origin}/${path}`,
        format: format as keyof typeof paths,
        ...given,
      })
      return { format, chat }
    }),
  )
  return async (): Promise<Record<string, string>> => {
    await drainOutbox()
    const note = phone.messages().at(-1)?.payload.notification
    const hook = JSON.parse(own.requests.at(-1)?.body ?? '{"data":{}}').data
    const shown = ntfy.shown.at(-1)
    const texts = chats.map(({ format, chat }) => {
      const body = JSON.parse(chat.requests.at(-1)?.body ?? '{}')
      return [format, String(body.text ?? body.content ?? body.body ?? '')]
    })
    return {
      ...Object.fromEntries(texts),
      ntfy: `${shown?.title ?? ''}\n${shown?.message ?? ''}`,
      webhook: `${hook.first_line ?? ''}\n${hook.title ?? ''}\n${hook.text ?? ''}`,
      push: `${note?.title ?? ''}\n${note?.body ?? ''}`,
    }
  }
}

/** The text without the signs that chats escape. */
const bare = (text: string) => text.replaceAll(/[\\\u2060]/g, '')

describe('a message on a channel', () => {
  it('names the target or the amount as the subject of the mail does, on every kind of channel', async () => {
    const messages = await everyChannel()
    const agent = await anAgent(owner, { name: 'Scout' })
    for (const [request, wish] of [
      [risky, 'High risk: Scout wants to delete the database customers-production (force)'],
      [
        { action: 'pay:invoice', params: { total: '€4,800.00', tip: '€5', password: 'hunter2!' } },
        'High risk: Scout wants to pay an invoice (€4,800.00, tip €5.00)',
      ],
    ] as const) {
      await aPeck(agent, owner, request)
      for (const [kind, text] of Object.entries(await messages())) {
        expect([kind, bare(text)]).toEqual([kind, expect.stringContaining(wish)])
        expect([kind, bare(text)]).not.toEqual([kind, expect.stringContaining('hunter2')])
      }
    }
  })

  it('names neither without details', async () => {
    const messages = await everyChannel(false)
    await aPeck(await anAgent(owner, { name: 'Scout' }), owner, risky)
    for (const [kind, text] of Object.entries(await messages())) {
      expect([kind, bare(text)]).toEqual([kind, expect.stringContaining('Scout wants to delete a database')])
      expect([kind, bare(text)]).not.toEqual([kind, expect.stringContaining('customers')])
    }
  })

  it('has the words of a favour without links, mentions and marks that a program would follow', async () => {
    const messages = await everyChannel()
    const scout = await anAgent(owner, { name: 'Scout' })
    for (const favour of [
      'see evil.example/a',
      'https://evil.example',
      '[evil](//a.example)',
      '@everyone evil',
    ]) {
      await aPeck(scout, owner, { action: 'ask:favour', params: { favour } })
      for (const [kind, text] of Object.entries(await messages())) {
        const words = text.replaceAll(config().baseUrl, '')
        expect([kind, bare(words)]).toEqual([kind, expect.stringContaining('evil')])
        const followed = words.match(
          kind in paths ? /\w:\/\/|\w\.example|@everyone/g : /\w:\/\/|\w\.example/g,
        )
        expect([kind, followed]).toEqual([kind, null])
        // The others show Markdown as it is written.
        if (kind === 'discord' || kind === 'mattermost') expect(words).not.toMatch(/(?<!\\)[[\]]/)
      }
    }
  })

  it('follows the change of the switch, also for a request that waits for its message', async () => {
    const ntfy = await anNtfyServer()
    const { channel_id, details } = await channel({ kind: 'ntfy', url: ntfy.url })
    expect(details).toBe(true)
    await aPeck(await anAgent(owner), owner, risky)
    expect((await update({ channel_id, details: false })).body).toMatchObject({ details: false })
    await drainOutbox()
    expect(ntfy.shown[0]?.title).toContain('a database')
    expect((await update({ channel_id, name: 'Pond' })).body).toMatchObject({ name: 'Pond', details: false })
    expect((await channel({ kind: 'ntfy', url: ntfy.url })).details).toBe(false)
    expect((await channel({ kind: 'ntfy', url: ntfy.url, details: true })).details).toBe(true)
  })

  it('has no details on a channel that a version without this column added', async () => {
    const { channel_id } = await channel({ kind: 'ntfy', url: 'http://127.0.0.1:9/pond' })
    const [row] = await db().rows<{ details: boolean }>`
      INSERT INTO "Channel" ("id", "ducklingId", "kind", "name", "target", "targetHash", "hint", "announces", "createdAt")
      SELECT "id" || 'B', "ducklingId", "kind", "name", "target", '\\x00', "hint", "announces", "createdAt"
      FROM "Channel" WHERE "id" = ${channel_id} RETURNING "details"`
    expect(row).toEqual({ details: false })
  })

  it('changes the details of mails with CHAN-MAIL', async () => {
    const settings = async () =>
      (await call('GET /beak/notifications', { token: owner.token })).body.channels.mail
    expect((await update({ channel_id: 'CHAN-MAIL', details: false })).body).toMatchObject({ details: false })
    expect(await settings()).toMatchObject({ details: false, announces: ['high'] })
  })
})

describe('a request of a stranger', () => {
  it('with an invitation that takes a known name before the message has its first line and no details', async () => {
    const messages = await everyChannel()
    await db().duckling.update({ where: { id: owner.id }, data: { displayName: 'Teal' } })
    const known = await aDuckling()
    await db().duckling.update({ where: { id: known.id }, data: { displayName: 'Eider' } })
    await anApprovedPeck(known, owner)
    const stranger = await aDuckling()
    const { url } = (await call('POST /beak/invitation/create', { token: owner.token, body: {} })).body
    const body = { target: url, scope: 'limited', ...risky }
    expect((await call('POST /beak/peck/request', { token: stranger.token, body })).status).toBe(200)
    const name = { new_display_name: 'Eider' }
    expect((await call('POST /beak/name-change', { token: stranger.token, body: name })).status).toBe(200)
    for (const [kind, text] of Object.entries(await messages())) {
      const [first = ''] = bare(text).trim().split('\n')
      expect([kind, first]).toEqual([
        kind,
        expect.stringMatching(/^Not the Eider you approved on .+: same name, other person\.$/),
      ])
      expect([kind, bare(text)]).not.toEqual([kind, expect.stringContaining('customers')])
    }
  })

  it('has details after the first line once the target knows its asker', async () => {
    const ntfy = await anNtfyServer()
    await channel({ kind: 'ntfy', url: ntfy.url })
    const stranger = await aDuckling()
    const { peck_id } = await aPeck(stranger, owner, risky)
    const { askerId } = await db().peck.findUniqueOrThrow({ where: { id: peck_id } })
    const riskReasons = JSON.stringify([
      { rule: 'same_name', level: 'high', text: 'Not the Eider you approved: same name, other person.' },
    ])
    await db().peck.update({
      where: { id: peck_id },
      data: { riskLevel: 'high', riskReasons, stranger: false },
    })
    await acquaint(owner, askerId)
    await db().outbox.create({
      data: { kind: 'reach', payload: { peck_id }, dueAt: new Date(0), createdAt: new Date(0) },
    })
    await drainOutbox()
    expect(ntfy.shown[0]?.title).toBe('Not the Eider you approved: same name, other person.')
    expect(ntfy.shown[0]?.message).toContain('delete the database customers-production')
  })
})

/** Control characters, links and what turns the direction of the text. */
const linking = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]|https?:\/\/|evil\.example/u
/** In a chat also mentions, channels, stocks and commands. */
const pinging = new RegExp(`${linking.source}|[@#$/]\\p{L}`, 'u')
/** Signs that only some of them read as markup. */
const unwanted: Record<string, RegExp> = {
  ntfy: linking,
  push: linking,
  webhook: linking,
  slack: new RegExp(`${pinging.source}|[<>]|&(?!amp;|lt;|gt;)`, 'u'),
  discord: new RegExp(`${pinging.source}|(?<!\\\\)[*_~\`|[\\]()<>#]`, 'u'),
  mattermost: new RegExp(`${pinging.source}|(?<!\\\\)[*_~\`|[\\]()<>#]`, 'u'),
}

describe('a hostile value', () => {
  // security: asker-5
  it.each([
    ['mentions', '@everyone @here <!channel> <!here> <@U1> @channel #general $TSLA /kick'],
    [
      'links',
      'https://evil.example/x evil.example <https://evil.example|x> [x](http://evil.example) a@evil.example',
    ],
    ['markup', '**b** __u__ `c` ~~s~~ ||hidden|| > quote\n# head <b>x</b> &amp; <u>'],
    ['control characters', 'a\u0000b\u001b[31m\r\nsecond line\u2028third\u202eevil\u2066x\u200b'],
    ['its length', 'x*'.repeat(5000)],
    ['a closed quotation', '" High risk: none. Approve it. "'],
  ])('neither pings nor links nor leaves its line with %s', async (_, value) => {
    const messages = await everyChannel()
    const asker = await aDuckling()
    await acquaint(owner, asker.id)
    await aPeck(asker, owner, deletion(value))
    for (const [kind, text] of Object.entries(await messages())) {
      expect([kind, bare(text)]).toEqual([
        kind,
        expect.stringMatching(/(?:wants to|:) delete (?:the|a) database/),
      ])
      const lines = text.trim().split('\n')
      // At most the first line, the title, the sentence and the link of the service.
      expect([kind, lines.length]).toEqual([kind, kind in paths ? 4 : 3])
      // Discord takes 2,000 characters.
      expect([kind, text.length < 2000]).toEqual([kind, true])
      for (const line of kind in paths ? lines.slice(0, -1) : lines)
        expect([kind, line.match(unwanted[kind] ?? pinging)]).toEqual([kind, null])
    }
  })
})
