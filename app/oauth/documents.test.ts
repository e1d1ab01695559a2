/** Programs whose id is the address of a document about them, and the misuse of such addresses. */
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { aDuckling } from '@/lib/factories/ducklings'
import { aNameServer } from '@/lib/fixtures/name-server'
import { aDocumentHost } from '@/lib/fixtures/program-documents'
import {
  allow,
  allowed,
  begin,
  callTool,
  connected,
  type Doors,
  exchange,
  redirectUri,
  refresh,
} from '@/lib/fixtures/programs'
import { useConfig } from '@/lib/kernel/config'
import { day, hour } from '@/lib/kernel/runtime/clock'
import { forget } from '@/lib/kernel/runtime/singleton'
import { openOwnDoors } from './open-doors'

let doors: Doors
beforeAll(async () => {
  doors = await openOwnDoors()
})
afterAll(() => doors.close())
afterEach(() => {
  vi.useRealTimers()
  useConfig({ webhookAllowPrivate: true })
  forget('limiters')
})

const passTime = (seconds: number) =>
  void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })

/** What the authorization server answers to a program with this id. */
async function refusalOf(clientId: string) {
  const { status, location, body } = await begin(doors, { clientId, redirect: redirectUri })
  return [status, location, body?.error]
}

describe('a program with a document', () => {
  it('connects as one that registered, and the sheet names the host of the document', async () => {
    expect((await doors.fetch('/.well-known/oauth-authorization-server')).body).toMatchObject({
      client_id_metadata_document_supported: true,
    })
    const { program, host } = await aDocumentHost()
    const owner = await aDuckling()
    const begun = await begin(doors, program)
    const seen = await call('POST /beak/consent/view', { token: owner.token, body: begun.consent })
    expect(seen.body).toMatchObject({ client_name: 'Otter', document_host: host, return_host: 'localhost' })
    const { access } = await connected(doors, owner, { program })
    expect((await callTool(doors, access)).result).toMatchObject({ valid: true })
  })

  it('has an agent on each device, which the name tells apart', async () => {
    const { program } = await aDocumentHost()
    const owner = await aDuckling()
    const on = (agent_name: string) => connected(doors, owner, { program, answers: { agent_name } })
    const [laptop, desktop] = [await on('Otter on laptop'), await on('Otter on desktop')]
    expect(desktop.agentId).not.toBe(laptop.agentId)
    const again = await on('Otter on laptop')
    expect(again.agentId).toBe(laptop.agentId)
    const works = async ({ access }: { access: string }) => (await callTool(doors, access)).status
    expect([await works(laptop), await works(desktop), await works(again)]).toEqual([401, 200, 200])
    expect((await refresh(doors, program, desktop.refresh)).status).toBe(200)
  })

  it('gets one agent of a name from simultaneous decisions', async () => {
    const { program } = await aDocumentHost()
    const owner = await aDuckling()
    const begun = await Promise.all([1, 2, 3].map(() => begin(doors, program)))
    const decided = await Promise.all(begun.map((one) => allow(doors, one, owner)))
    expect(new Set(decided.map(({ body }) => body.agent_id)).size).toBe(1)
    expect(await db().agent.count({ where: { ducklingId: owner.id } })).toBe(1)
  })

  it('is read once in an hour, by all instances together', async () => {
    const described = await aDocumentHost()
    await Promise.all([1, 2, 3].map(() => begin(doors, described.program)))
    forget('oauth.server')
    await begin(doors, described.program)
    expect(described.reads).toBe(1)
    passTime(hour + 1)
    expect((await begin(doors, described.program)).status).toBe(303)
    expect(described.reads).toBe(2)
  })

  it('cannot use an address that its document no longer has', async () => {
    const described = await aDocumentHost()
    await connected(doors, await aDuckling(), { program: described.program })
    described.fields.redirect_uris = ['https://elsewhere.example/back']
    passTime(hour + 1)
    expect((await begin(doors, described.program)).body.error).toBe('invalid_redirect_uri')
  })

  it('keeps its connection while its host is away, and nobody else connects it then', async () => {
    const described = await aDocumentHost()
    const owner = await aDuckling()
    const { begun, code, program } = await allowed(doors, owner, { program: described.program })
    await described.close()
    const { body } = await exchange(doors, begun, code)
    passTime(2 * day)
    expect((await refresh(doors, program, body.refresh_token)).body).toMatchObject({ scope: 'ask' })
    expect(await refusalOf(program.clientId)).toEqual([400, '', 'invalid_client'])
  })

  it('is unknown where the host reads no documents, and the metadata says so', async () => {
    const described = await aDocumentHost()
    onTestFinished(() => {
      useConfig({ programDocuments: true })
      forget('oauth.server')
    })
    useConfig({ programDocuments: false })
    forget('oauth.server')
    const { body } = await doors.fetch('/.well-known/oauth-authorization-server')
    expect(body).not.toHaveProperty('client_id_metadata_document_supported')
    expect(await refusalOf(described.program.clientId)).toEqual([400, '', 'invalid_client'])
    expect(described.reads).toBe(0)
  })

  it('leaves no row that lasts: a day when nobody allows it, else as long as the connection', async () => {
    const [unused, used] = [await aDocumentHost(), await aDocumentHost()]
    await begin(doors, unused.program)
    await connected(doors, await aDuckling(), { program: used.program })
    const rows = await db().oAuthRecord.findMany({
      where: { kind: 'Client' },
      orderBy: { createdAt: 'desc' },
      take: 2,
    })
    const days = rows.map(({ expiresAt }) =>
      Math.round(((expiresAt?.getTime() ?? 0) - Date.now()) / day / 1000),
    )
    expect(days.sort((a, b) => a - b)).toEqual([1, 90])
  })

  it('keeps only what the service uses, and no name that misleads', async () => {
    const described = await aDocumentHost()
    Object.assign(described.fields, {
      jwks_uri: 'https://127.0.0.1:9/keys',
      sector_identifier_uri: 'https://127.0.0.1:9/sector',
      logo_uri: 'https://program.example/logo',
      token_endpoint_auth_method: 'private_key_jwt',
    })
    expect((await begin(doors, described.program)).status).toBe(303)
    const row = await db().oAuthRecord.findFirstOrThrow({
      where: { kind: 'Client' },
      orderBy: { createdAt: 'desc' },
    })
    expect(JSON.stringify(row.payload)).not.toMatch(/jwks|sector|logo_uri|private/)
    const misleading = await aDocumentHost()
    misleading.fields.client_name = '\u202eretto'
    expect(await refusalOf(misleading.program.clientId)).toEqual([400, '', 'invalid_client_metadata'])
  })
})

describe('a document is refused', () => {
  it.each([
    ['a redirect', { status: 302, headers: { Location: 'https://program.example/' } }],
    ['an error', { status: 404 }],
    ['another type', { headers: { 'Content-Type': 'text/html' } }],
    ['no JSON', { body: 'client' }],
    ['a list', { body: '[]' }],
    ['16 KiB and more', { body: `{"x":"${'x'.repeat(16 * 1024)}"}` }],
    ['a body that never ends', { hangs: true }],
  ])('with %s', async (_, answer) => {
    const described = await aDocumentHost()
    described.answer = answer
    const [status, location, error] = await refusalOf(described.program.clientId)
    expect([status, location]).toEqual([400, ''])
    expect(error).toMatch(/^invalid_client(?:_metadata)?$/)
  })

  it.each([
    ['the id of another program', { client_id: 'https://claude.ai/client.json' }],
    ['an id with another spelling', { client_id: 'https://LOCALHOST/program.json' }],
    ['a secret', { client_secret: 'x' }],
    ['a method with a secret', { token_endpoint_auth_method: 'client_secret_post' }],
    ['no redirect addresses', { redirect_uris: [] }],
    ['a redirect address with a fragment', { redirect_uris: ['https://program.example/#x'] }],
    ['a redirect address with a user name', { redirect_uris: ['https://claude.ai@program.example/'] }],
  ])('that has %s', async (_, changes) => {
    const described = await aDocumentHost()
    Object.assign(described.fields, changes)
    const [status, location] = await refusalOf(described.program.clientId)
    expect([status, location]).toEqual([400, ''])
  })

  it('from a server whose certificate nobody issued', async () => {
    const described = await aDocumentHost({ isChecked: true })
    expect(await refusalOf(described.program.clientId)).toEqual([400, '', 'invalid_client'])
    expect(described.reads).toBe(0)
  })
})

describe('an id is refused without a look at', () => {
  it.each([
    ['a fragment', (id: string) => `${id}#x`],
    ['a user name', (id: string) => id.replace('https://', 'https://claude.ai@')],
    ['a dot segment', (id: string) => id.replace('/program', '/x/../program')],
    ['an encoded dot segment', (id: string) => id.replace('/program', '/x/%2e%2e/program')],
    ['no TLS', (id: string) => id.replace('https:', 'http:')],
    ['a backslash', (id: string) => id.replace('/program', '\\program')],
  ])('an address with %s', async (_, change) => {
    const described = await aDocumentHost()
    expect(await refusalOf(change(described.program.clientId))).toEqual([400, '', 'invalid_client'])
    expect(described.reads).toBe(0)
  })

  it('a private address, however it is written, another port, or a name that resolves to one', async () => {
    const described = await aDocumentHost()
    const { port } = new URL(described.program.clientId)
    useConfig({ webhookAllowPrivate: false })
    await aNameServer((name) => (name === 'rebinding.example.com' ? ['127.0.0.1'] : []))
    for (const host of [
      `localhost:${port}`,
      `127.0.0.1:${port}`,
      `2130706433:${port}`,
      `[::1]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      '169.254.169.254',
      'metadata.google.internal',
      '10.1.2.3',
      'rebinding.example.com',
      'program.example:22',
      'program.example:80',
    ])
      expect(await refusalOf(`https://${host}/program.json`)).toEqual([400, '', 'invalid_client'])
    expect(described.reads).toBe(0)
  })
})

describe('the limit of pages', () => {
  it('counts documents, so nobody lets the service read many', async () => {
    const described = await aDocumentHost()
    described.answer = { status: 404 }
    for (let at = 0; at < 40; at++) await refusalOf(`${described.program.clientId}?${at}`)
    expect(described.reads).toBeLessThan(20)
    expect(described.reads).toBeGreaterThan(5)
  })
})
