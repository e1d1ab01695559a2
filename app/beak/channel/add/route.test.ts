import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { openTarget } from '@/lib/domain/channels/send'
import { aDuckling, through } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { anotherSession } from '@/lib/fixtures/accounts'
import { changeConfigForTest } from '@/lib/fixtures/channels'
import { aNameServer } from '@/lib/fixtures/name-server'

const subscription = (host: string, path = 'send/abc') => ({
  endpoint: `https://${host}/${path}`,
  expirationTime: null,
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
})
const push = (host = 'push.example') => ({ kind: 'push', subscription: subscription(host) })
const ntfy = { kind: 'ntfy', url: 'https://ntfy.example/pond' }

const add = (token: string, body: object) => call('POST /beak/channel/add', { token, body })
const list = async (token: string) => (await call('GET /beak/channel/list', { token })).body.items
const faultOf = async (token: string, body: object) => {
  const { status, body: answer } = await add(token, body)
  return [status, answer.errors?.[0]?.field]
}

describe('200', () => {
  it('adds a browser, whose address is stored encrypted and never shown again', async () => {
    const { id, token } = await aDuckling()
    const { status, body } = await add(token, { ...push(), name: 'Phone' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      kind: 'push',
      name: 'Phone',
      hint: 'push.example',
      format: null,
      announces: ['high', 'medium', 'low'],
      details: true,
      failing_since: null,
    })
    expect(body.channel_id).toMatch(/^CHAN-[0-9A-Z]{26}$/)
    const listed = await list(token)
    expect(listed.map((one: { channel_id: string }) => one.channel_id)).toEqual([
      body.channel_id,
      'CHAN-MAIL',
    ])
    expect(JSON.stringify(listed)).not.toContain('send/abc')
    const row = await db().channel.findFirstOrThrow({ where: { ducklingId: id } })
    expect(Buffer.from(row.target).toString('latin1')).not.toContain('push.example')
    expect(openTarget(row.target, row.id)).toEqual({ subscription: push().subscription })
  })

  it('returns the same channel for a target that the account has, also after a change of keys', async () => {
    const { id, token } = await aDuckling()
    const { body: first } = await add(token, push())
    const { body: again } = await add(token, { ...push(), name: 'Tablet' })
    expect(again).toMatchObject({ channel_id: first.channel_id, name: 'Tablet' })
    expect(await db().channel.count({ where: { ducklingId: id } })).toBe(1)
  })

  it('returns the secret of a webhook once', async () => {
    const { token } = await aDuckling()
    const { body } = await add(token, { kind: 'webhook', url: 'https://own.example/requests' })
    expect(body.secret).toMatch(/^whsec_/)
    expect(JSON.stringify(await list(token))).not.toContain('secret')
  })

  it.each([
    ['https://hooks.slack.com/services/T/B/x', 'slack'],
    ['https://discord.com/api/webhooks/1/x', 'discord'],
    ['https://chat.example/hooks/x', 'mattermost'],
    ['https://m.example/_matrix/client/v3/rooms/!a:m.example/send/m.room.message?access_token=x', 'matrix'],
    ['https://api.telegram.org/bot1:x/sendMessage?chat_id=2', 'telegram'],
    ['https://rocket.example/x', 'slack'],
  ])('finds the form of the chat at %s: %s', async (url, format) => {
    const { token } = await aDuckling()
    expect((await add(token, { kind: 'chat', url })).body).toMatchObject({ format })
  })

  it('switches mails about requests on and off as the channel CHAN-MAIL', async () => {
    const { email, token } = await aDuckling()
    expect(await list(token)).toMatchObject([{ channel_id: 'CHAN-MAIL', hint: email, announces: ['high'] }])
    await call('POST /beak/channel/remove', { token, body: { channel_id: 'CHAN-MAIL' } })
    expect(await list(token)).toEqual([])
    expect((await call('GET /beak/notifications', { token })).body.channels.mail.requests).toBe('none')
    expect((await add(token, { kind: 'mail' })).body.channel_id).toBe('CHAN-MAIL')
    const change = { channel_id: 'CHAN-MAIL', announces: ['low', 'high', 'low'] }
    await call('POST /beak/channel/update', { token, body: change })
    expect(await list(token)).toMatchObject([{ announces: ['high', 'low'] }])
  })

  // security: session-5
  it('tells the owner by mail, and the pages of other sessions', async () => {
    const owner = await aDuckling()
    const thief = through(owner, await anotherSession(owner))
    await add(thief.token, { ...ntfy, name: 'Pond' })
    const { body } = await call('GET /beak/profile/overview', { token: owner.token })
    expect(body.recent_changes).toMatchObject([{ change: 'channel_added', name: 'ntfy.example' }])
    const texts = (await sentTo(owner.email)).map(({ text }) => text)
    expect(texts.some((text) => text.includes('Requests are now also sent to "Pond".'))).toBe(true)
  })
})

describe('400', () => {
  it.each([
    ['push without a subscription', { kind: 'push' }, 'subscription'],
    ['push with a URL', { ...push(), url: 'https://a.example/' }, 'url'],
    ['ntfy without a topic', { kind: 'ntfy', url: 'https://ntfy.example/' }, 'url'],
    ['Telegram without a chat', { kind: 'chat', url: 'https://api.telegram.org/bot1:x/sendMessage' }, 'url'],
    ['a form for ntfy', { ...ntfy, format: 'slack' }, 'format'],
    ['plain http', { kind: 'webhook', url: 'http://own.example/' }, 'url'],
    ['a user name', { kind: 'webhook', url: 'https://a:b@own.example/' }, 'url'],
  ])('refuses %s', async (_, body, field) => {
    changeConfigForTest({ webhookAllowPrivate: false })
    const { token } = await aDuckling()
    expect(await faultOf(token, body)).toEqual([400, field])
  })

  // security: asker-3
  it('refuses addresses inside, spelled or resolved, for every kind', async () => {
    changeConfigForTest({ webhookAllowPrivate: false })
    await aNameServer((name) => (name === 'inside.example' ? ['203.0.113.1', '169.254.169.254'] : []))
    const { token } = await aDuckling()
    const hosts = [
      '127.0.0.1',
      '[::1]',
      '169.254.169.254',
      '[::ffff:10.0.0.1]',
      'localhost',
      'inside.example',
    ]
    for (const host of hosts) {
      expect(await faultOf(token, push(host))).toEqual([400, 'subscription.endpoint'])
      for (const kind of ['ntfy', 'chat', 'webhook'])
        expect(await faultOf(token, { kind, url: `https://${host}/pond` })).toEqual([400, 'url'])
    }
  })

  // security: asker-3
  it('accepts a private host that the host of the service lists, but never its metadata address', async () => {
    changeConfigForTest({
      webhookAllowPrivate: false,
      channelHosts: new Set(['10.1.2.3', '169.254.169.254', 'meta.example']),
    })
    await aNameServer((name) => (name === 'meta.example' ? ['169.254.169.254'] : []))
    const { token } = await aDuckling()
    expect((await add(token, { kind: 'ntfy', url: 'http://10.1.2.3:8080/pond' })).status).toBe(200)
    expect(await faultOf(token, { kind: 'ntfy', url: 'http://169.254.169.254/latest' })).toEqual([400, 'url'])
    expect(await faultOf(token, { kind: 'ntfy', url: 'https://meta.example/latest' })).toEqual([400, 'url'])
    // Only for channels.
    const webhook = { url: 'http://10.1.2.3:8080/' }
    expect((await call('POST /beak/webhook/create', { token, body: webhook })).status).toBe(400)
  })
})

describe('409', () => {
  it('adds at most 20 channels, also with 50 simultaneous calls', async () => {
    const { id, token } = await aDuckling()
    const calls = Array.from({ length: 50 }, (_, index) =>
      add(token, { kind: 'ntfy', url: `https://ntfy.example/pond-${index}` }),
    )
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.filter((status) => status === 409)).toHaveLength(30)
    expect(await db().channel.count({ where: { ducklingId: id } })).toBe(20)
  })
})
