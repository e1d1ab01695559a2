/** Asking before a tool runs, without a framework, on a real service. */
import { currentPermission, runWithPermission } from '@beak/client/adapters/guard'
import { beforeEach, describe, expect, it } from 'vitest'
import { startFaultServer } from '../fault-server'
import { startService } from '../service'
import { aMailer, mail, type People, somePeople } from './people'

const url = startService()
const faults = startFaultServer(url)
let people: People
let mailer: ReturnType<typeof aMailer>

beforeEach(async () => {
  people = await somePeople(url())
  mailer = aMailer()
})

const options = () => ({ beak: people.beak, target: people.target, action: 'send:email' })

/** Calls the tool as an agent would. */
const call = (input: object = mail, changes: object = {}, signal?: AbortSignal) =>
  runWithPermission({ ...options(), ...changes }, input, () => mailer.send(input), signal)

describe('runWithPermission', () => {
  it('runs once the person approves, with the input as the parameters, and spends the permission', async () => {
    const [result, peck] = await Promise.all([call(), people.approve()])
    expect(result).toMatchObject({ refusal: null, output: 'sent 1' })
    expect(peck).toMatchObject({ action: 'send:email', params: mail })
    expect(mailer.sent).toEqual([mail])
    expect(await people.person.getPeck({ peck_id: peck.peck_id })).toMatchObject({ grant_status: 'consumed' })
  })

  // security: agent-22
  it('does not run when the person rejects, and says why', async () => {
    const [result, peck] = await Promise.all([call(), people.reject('Not today.')])
    expect(result.refusal).toEqual({
      done: false,
      refusal: 'rejected',
      message: `${people.name} rejected this. Reason: Not today.`,
      next: expect.stringContaining('ask what to do instead'),
      peck_id: peck.peck_id,
    })
    expect(mailer.sent).toEqual([])
  })

  it('does not run when Beak does not pass the question on, and says when it would', async () => {
    await Promise.all([call(), people.reject('No')])
    expect((await call()).refusal).toMatchObject({
      refusal: 'not_asked',
      message: expect.stringContaining('less than an hour ago'),
      next: expect.stringMatching(/Wait \d+ seconds/),
    })
    expect(mailer.sent).toEqual([])
  })

  it('runs at a later call with the same input when the answer took longer than the wait', async () => {
    expect((await call(mail, { wait: 0 })).refusal).toMatchObject({ refusal: 'pending' })
    await people.approve()
    expect(await call(mail, { wait: 0 })).toMatchObject({ refusal: null, output: 'sent 1' })
    expect((await call(mail, { wait: 0 })).refusal).toMatchObject({ refusal: 'pending' })
    expect(mailer.sent).toHaveLength(1)
  })

  it('reuses a timed permission for the same input, and asks for another input', async () => {
    const timed = { scope: 'timed', wait: 0 }
    await call(mail, timed)
    await people.approve()
    const results = [
      await call(mail, timed),
      await call(mail, timed),
      await call({ ...mail, to: 'b@x.org' }, timed),
    ]
    expect(results.map(({ refusal }) => refusal?.refusal)).toEqual([undefined, undefined, 'pending'])
  })

  it('reuses a permission of a person whom a handle names', async () => {
    const handle = `pond${Date.now().toString(36)}`
    await people.person.claimHandle({ handle })
    const options = { target: `@${handle}`, scope: 'timed', wait: 0 }
    expect((await call(mail, options)).refusal).toMatchObject({ refusal: 'pending' })
    await people.approve()
    for (const target of [`@${handle}`, people.target])
      expect(await call(mail, { ...options, target })).toMatchObject({ refusal: null })
    expect((await call(mail, { ...options, target: '@nobody-has-this' })).refusal).toMatchObject({
      refusal: 'not_asked',
    })
  })

  it.each([
    ['action', { action: 'send:letter' }],
    ['target', { target: 'other' }],
    ['audience', { audience: 'mail.example' }],
  ])('does not reuse a permission for another %s', async (_, change) => {
    await call(mail, { scope: 'timed', wait: 0 })
    await people.approve()
    const other = 'target' in change ? (await somePeople(url())).target : people.target
    expect((await call(mail, { ...change, target: other, wait: 0 })).refusal).not.toBeNull()
    expect(mailer.sent).toEqual([])
  })

  it.each<[string, object, object]>([
    ['another challenge', { challenge: 'order-1' }, { challenge: 'order-2' }],
    ['a challenge where none is demanded', { challenge: 'order-1' }, {}],
    ['no challenge', {}, { challenge: 'order-1' }],
    ['another code', { code_hash: 'a'.repeat(43) }, { code_hash: 'b'.repeat(43) }],
    ['no signature', {}, { require: 'signed' }],
    ['a signature where none is demanded', { require: 'signed' }, {}],
  ])('does not reuse a permission with %s', async (_, given, demanded) => {
    const timed = { scope: 'timed', wait: 0 }
    await call(mail, { ...timed, ...given })
    await people.sign()
    expect((await call(mail, { ...timed, ...demanded })).refusal).toMatchObject({ refusal: 'pending' })
    expect(mailer.sent).toEqual([])
  })

  it.each<[string, object]>([
    ['challenge', { challenge: 'order-1' }],
    ['challenge of the input', { challenge: () => 'order-1', require: 'signed' }],
    ['signature', { require: 'signed' }],
  ])('reuses a permission with the same %s', async (_, demands) => {
    const timed = { scope: 'timed', wait: 0, ...demands }
    await call(mail, timed)
    expect(await people.sign()).toMatchObject({ require: 'signed' })
    expect((await call(mail, timed)).refusal).toBeNull()
  })

  it('uses a permission at the audience that it asked for, with the types of its parameters', async () => {
    const options = { audience: 'mail.example', param_types: { to: 'email' }, wait: 0 } as const
    await call(mail, options)
    const peck = await people.approve()
    expect(peck).toMatchObject({ audience: 'mail.example', param_types: { to: 'email' } })
    expect((await call(mail, options)).refusal).toBeNull()
    expect(mailer.sent).toHaveLength(1)
  })

  it('asks again when a timed permission was revoked', async () => {
    await call(mail, { scope: 'timed', wait: 0 })
    const { peck_id } = await people.approve()
    await people.person.revokeGrant({ peck_id })
    expect((await call(mail, { scope: 'timed', wait: 0 })).refusal).toMatchObject({ refusal: 'pending' })
  })

  // security: agent-22
  it('runs once when 50 calls find the same one-use permission', async () => {
    await call(mail, { wait: 0 })
    await people.approve()
    const results = await Promise.all(Array.from({ length: 50 }, () => call(mail, { wait: 0 })))
    expect(results.filter(({ refusal }) => refusal === null)).toHaveLength(1)
    expect(mailer.sent).toHaveLength(1)
  })

  it('leaves the permission to the service, and gives it to the tool', async () => {
    const send = () => people.beak.usePermission(currentPermission(), mail)
    const [result] = await Promise.all([
      runWithPermission({ ...options(), usedBy: 'service' as const }, mail, send),
      people.approve(),
    ])
    expect(result).toMatchObject({ refusal: null, output: { action: 'send:email', uses_left: 0 } })
    expect(currentPermission).toThrow('No guarded tool runs here.')
  })

  it('gives a tool only a permission for its own input', async () => {
    const timed = { scope: 'timed', usedBy: 'service', wait: 0 }
    await call(mail, timed)
    await people.approve()
    expect((await call({ ...mail, to: 'b@example.com' }, timed)).refusal).toMatchObject({
      refusal: 'pending',
    })
    expect((await call(mail, timed)).refusal).toBeNull()
  })

  it('does not run after the signal aborted, although the person approves later', async () => {
    const controller = new AbortController()
    const result = call(mail, {}, controller.signal)
    controller.abort(new Error('too slow'))
    await expect(result).rejects.toThrow('too slow')
    expect(mailer.sent).toEqual([])
  })

  it.each(['cut', 'bad-gateway', 'error-E5002', 'error-E5001'])('does not run after %s', async (fault) => {
    const beak = people.beak.with({ url: faults.run(fault).url, retries: 0 })
    expect((await call(mail, { beak })).refusal).toMatchObject({ refusal: 'unavailable' })
    expect(mailer.sent).toEqual([])
  })

  it('does not run with a key that is not valid', async () => {
    const result = await call(mail, { beak: people.beak.with({ key: 'beak_wrong' }) })
    expect(result.refusal).toMatchObject({ refusal: 'not_asked', next: expect.stringContaining('beak key') })
    expect(mailer.sent).toEqual([])
  })

  it.each([
    ['a date', { at: new Date() }],
    ['a map', new Map([['to', 'a']])],
    ['no number', { amount: Number.NaN }],
    ['a function', { toJSON: () => ({}) }],
  ])('refuses an input with %s, which JSON cannot carry', async (_, input) => {
    await expect(call(input)).rejects.toThrow(TypeError)
  })

  it('leaves members without a value out of the parameters', async () => {
    await call({ ...mail, cc: undefined }, { wait: 0 })
    expect(await people.approve()).toMatchObject({ params: mail })
    expect((await call({ ...mail, cc: undefined }, { wait: 0 })).refusal).toBeNull()
  })

  it('passes on what the tool throws', async () => {
    const failing = runWithPermission(options(), mail, () => {
      throw new RangeError('mailbox full')
    })
    await Promise.all([expect(failing).rejects.toThrow(RangeError), people.approve()])
  })
})
