import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventSentence, plainText } from '@/app/_web/event-sentence'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { type ADuckling, aDuckling, aHandle } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { aFullAccount, anotherSession } from '@/lib/fixtures/accounts'
import { inServer } from '@/lib/fixtures/operator'

const run = inServer('account')

/** Returns the newest sentence of an account's audit log, and who did it. */
async function newestEvent({ id, token }: ADuckling) {
  const { body } = await call('GET /beak/audit?limit=1', { token })
  const [event] = body.items
  return { actor: event.actor, words: plainText(eventSentence(event, { id, names: {} })) }
}

const aPath = () => join(mkdtempSync(join(tmpdir(), 'beak-export-')), 'export.json')
const byHost = { type: 'system', id: 'host' }

describe('account find', () => {
  it('finds an account by address, handle and id, and shows no secret', async () => {
    const { owner, secondToken, agent } = await aFullAccount()
    const handle = aHandle()
    await call('POST /beak/handle/claim', { token: owner.token, body: { handle } })
    const byId = await run('find', owner.id)
    expect(byId.code).toBe(0)
    for (const who of [owner.email.toUpperCase(), handle, `@${handle.toUpperCase()}`])
      expect(await run('find', who)).toEqual(byId)
    const facts = Object.fromEntries(byId.output.split('\n').map((line) => line.split(/ {2,}/)))
    expect(facts).toMatchObject({
      id: owner.id,
      handle: `@${handle}`,
      email: owner.email,
      state: 'open',
      tier: 'T2',
    })
    expect(byId.output).toMatch(/sessions +2\nagents +2\npasskeys +1$/)
    for (const secret of [secondToken, owner.token, agent.beakKey]) expect(byId.output).not.toContain(secret)
  })

  it('is not in the list of actions, and changes nothing', async () => {
    const { id } = await aDuckling()
    const events = await db().auditEvent.count({ where: { ducklingId: id } })
    await run('find', id)
    expect(await db().operatorAction.count({ where: { command: `account find ${id}` } })).toBe(0)
    expect(await db().auditEvent.count({ where: { ducklingId: id } })).toBe(events)
  })

  it.each(['nobody@pond.example', '@no-such-handle', 'DUCK-01KAXN7Q7RZ3M0C3V9B6J2T5WD', "' OR 1=1 --"])(
    'says that there is no account: %s',
    async (who) => {
      expect(await run('find', who)).toMatchObject({
        code: 1,
        output: expect.stringContaining('No account is called'),
      })
    },
  )
})

describe('account end-sessions', () => {
  // security: backup-17
  it('ends all sessions, and says so in the log and by mail', async () => {
    const owner = await aDuckling()
    const second = await anotherSession(owner)
    const { code, output } = await run('end-sessions', owner.email)
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/^2 sessions of DUCK-/) })
    for (const token of [owner.token, second])
      expect((await call('GET /beak/profile', { token })).status).toBe(401)
    const again = await anotherSession(owner)
    const events = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: 'session.revoked' },
    })
    expect(events).toMatchObject([{ actorType: 'system', actorId: 'host', ip: null }])
    const [, newest] = (await call('GET /beak/audit', { token: again })).body.items
    expect(plainText(eventSentence(newest, { id: owner.id, names: {} }))).toBe(
      'The host signed out 2 devices',
    )
    expect((await sentTo(owner.email)).at(-1)?.subject).toBe('You were signed out everywhere')
    const [action] = await db().operatorAction.findMany({ orderBy: { id: 'desc' }, take: 1 })
    expect(action).toMatchObject({ command: `account end-sessions ${owner.email}`, succeeded: true })
  })
})

describe('account export', () => {
  it('writes what the person’s own export has, for the user of the server only, and says so in the log', async () => {
    const { owner } = await aFullAccount()
    const own = (await call('GET /beak/account/export', { token: owner.token })).body
    const path = aPath()
    expect(await run('export', owner.id, path)).toMatchObject({ code: 0 })
    const written = JSON.parse(readFileSync(path, 'utf8'))
    expect(statSync(path).mode & 0o777).toBe(0o600)
    // Only the export itself differs: its time, its event, and which session is the current one.
    const { audit, exported_at, sessions, ...others } = written
    expect(others).toEqual(Object.fromEntries(Object.keys(others).map((name) => [name, own[name]])))
    expect(Object.keys(written).sort()).toEqual(Object.keys(own).sort())
    expect(audit.events.at(-1)).toMatchObject({ action: 'duckling.exported', actor: byHost })
    expect(await newestEvent(owner)).toEqual({
      actor: byHost,
      words: 'The host exported everything held about you',
    })
  })

  it('does not overwrite a file, and then exports nothing', async () => {
    const { id } = await aDuckling()
    const path = aPath()
    writeFileSync(path, 'kept')
    expect(await run('export', id, path)).toEqual({ code: 1, output: `${path} exists. Name a new file.` })
    expect(readFileSync(path, 'utf8')).toBe('kept')
    expect(await db().auditEvent.count({ where: { ducklingId: id, action: 'duckling.exported' } })).toBe(0)
  })

  it('writes no file for an unknown or closed account', async () => {
    const path = aPath()
    expect((await run('export', 'nobody@pond.example', path)).code).toBe(1)
    expect(existsSync(path)).toBe(false)
  })
})

describe('account close', () => {
  // security: backup-17
  it('closes an account as its owner can, only with --yes', async () => {
    const { owner, grants } = await aFullAccount()
    const asked = await run('close', owner.id)
    expect(asked.output).toMatch(/2 sessions, .*Nothing was changed\. Run the command again with --yes/s)
    expect((await call('GET /beak/profile', { token: owner.token })).status).toBe(200)
    expect(await run('close', owner.id, '--yes')).toMatchObject({ code: 0 })
    expect((await call('GET /beak/profile', { token: owner.token })).status).toBe(401)
    const closed = await db().duckling.findUniqueOrThrow({ where: { id: owner.id } })
    expect([closed.email, closed.deletedAt]).toEqual([null, expect.any(Date)])
    const [last] = await db().auditEvent.findMany({
      where: { ducklingId: owner.id },
      orderBy: { seq: 'desc' },
      take: 1,
    })
    expect(last).toMatchObject({ action: 'duckling.closed', actorType: 'system', actorId: 'host' })
    expect((await sentTo(owner.email)).at(-1)?.text).toContain('The host closed your Beak account')
    const given = await db().peck.findUniqueOrThrow({ where: { id: grants.given.peck_id } })
    expect(given.grantRevokedAt).toEqual(expect.any(Date))
    expect((await run('find', owner.id)).output).toMatch(/state +closed at /)
    for (const form of ['close', 'end-sessions'])
      expect(await run(form, owner.id)).toEqual({ code: 1, output: `${owner.id} is closed.` })
  })
})

it.each([
  [[], 'account needs find, '],
  [['find'], 'account find: needs one account.'],
  [['find', 'a', 'b'], 'account find: needs one account.'],
  [['find', 'a', '--yes'], "account find: Unknown option '--yes'"],
  [['toString', 'a'], 'account needs find, '],
  [['export', 'a'], 'account export: needs an account and a file.'],
  [['export', 'a', 'file.json'], 'needs an absolute path'],
])('explains wrong arguments: %j', async (args, words) => {
  expect(await run(...args)).toEqual({ code: 1, output: expect.stringContaining(words) })
})
