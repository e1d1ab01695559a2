import { checkReceipt } from '@beak/proofs/receipts/verify'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'

const share = ({ token }: ADuckling, peck_id: string, values?: boolean) =>
  call('POST /beak/peck/share', { token, body: { peck_id, ...(values === undefined ? {} : { values }) } })
const unshare = ({ token }: ADuckling, peck_id: string) =>
  call('POST /beak/peck/unshare', { token, body: { peck_id } })
const view = (id: string) => call(`GET /beak/peck/shared?id=${id}`)
const detailsOf = async ({ token }: ADuckling, id: string) =>
  (await call(`GET /beak/peck/details?peck_ids=${id}`, { token })).body.items[0]

async function anApproval(
  params: Record<string, unknown> = { to: 'pond@example.com', amount: '€40.00' },
  more: Parameters<typeof anApprovedPeck>[2] = {},
) {
  const [owner, target] = [await aDuckling(), await aDuckling()]
  const agent = await anAgent(owner, { name: 'Scout' })
  const { peck_id } = await anApprovedPeck(agent, target, {
    action: 'book:table',
    params,
    message: 'For two',
    ...more,
  })
  return { owner, target, peckId: peck_id }
}

describe('200', () => {
  it('shows the receipt and both names to everybody who has the link, without the values', async () => {
    const { owner, target, peckId } = await anApproval()
    const { body, status } = await share(target, peckId)
    expect(status).toBe(200)
    expect(body.url).toMatch(new RegExp(`/r/${body.share_id}$`))
    const shown = await view(body.share_id)
    expect(shown.body).toMatchObject({
      shared_by: 'target',
      requester: { agent_name: 'Scout', duckling_id: owner.id },
      target: { duckling_id: target.id },
      receipt: { peck_id: peckId, outcome: 'approved' },
    })
    for (const secret of ['pond@example.com', '€40.00', 'For two'])
      expect(JSON.stringify(shown.body)).not.toContain(secret)
  })

  it('shows the names that both sides had when the request was decided', async () => {
    const target = await aDuckling({ fullName: 'Anna Weber' })
    const asker = await aDuckling({ fullName: '李雷' })
    const rename = ({ token }: ADuckling, body: object) => call('POST /beak/name-change', { token, body })
    const namesIn = async (peckId: string) => {
      const { body } = await share(target, peckId)
      const { requester, target: asked } = (await view(body.share_id)).body
      return [requester.full_name, requester.display_name, asked.full_name, asked.display_name]
    }
    const before = await anApprovedPeck(asker, target)
    await rename(asker, { full_name: null })
    await rename(target, { full_name: 'Berta Weber', new_display_name: 'Berta' })
    const after = await anApprovedPeck(asker, target)
    expect(await namesIn(before.peck_id)).toEqual([
      '李雷',
      asker.displayName,
      'Anna Weber',
      target.displayName,
    ])
    expect(await namesIn(after.peck_id)).toEqual([undefined, asker.displayName, 'Berta Weber', 'Berta'])
  })

  it('shows the values when the sharer chose that, under the same link', async () => {
    const { target, peckId } = await anApproval()
    const { body: first } = await share(target, peckId)
    const { body: second } = await share(target, peckId, true)
    expect(second).toEqual({ ...first, values: true })
    expect(JSON.stringify((await view(first.share_id)).body)).toContain('pond@example.com')
    expect((await detailsOf(target, peckId)).shared).toEqual({ url: first.url, values: true })
  })

  it.each<[string, Record<string, unknown>, Parameters<typeof anApproval>[1]]>([
    ['declared as secret', { to: 'pond@example.com', code: 'quack-42' }, { paramTypes: { code: 'secret' } }],
    ['with the name of a secret', { to: 'pond@example.com', door_pin: 'quack-42' }, {}],
    ['below a name of a secret', { to: 'pond@example.com', passwords: [{ old: 'quack-42' }] }, {}],
    [
      'deep inside of another',
      { to: 'pond@example.com', a: [{ headers: { Authorization: 'quack-42' } }] },
      {},
    ],
    ['with the form of a secret', { to: 'pond@example.com', note: 'my password: quack-42' }, {}],
  ])('never shows a value %s, and the receipt stays valid', async (_name, params, more) => {
    const { target, peckId } = await anApproval(params, more)
    const { body } = await share(target, peckId, true)
    const { receipt } = (await view(body.share_id)).body
    expect(JSON.stringify(receipt)).not.toContain('quack-42')
    expect(JSON.stringify(receipt)).toContain('pond@example.com')
    expect(await checkReceipt(receipt, receipt.jwks)).toMatchObject({
      ok: true,
      facts: { values: { hiddenParams: 1, shown: null } },
    })
  })

  // security: agent-10
  it('never shows a number that is a secret, nor a message that has one', async () => {
    const params = { to: 'pond@example.com', otp: 424_242 }
    const { target, peckId } = await anApproval(params, { message: 'The password is quack-42' })
    const { body } = await share(target, peckId, true)
    const shown = JSON.stringify((await view(body.share_id)).body)
    for (const secret of ['424242', 'quack-42']) expect(shown).not.toContain(secret)
    expect(shown).toContain('pond@example.com')
  })

  it('gives each side a link of its own, and an asker that stops ends only its own', async () => {
    const { owner, target, peckId } = await anApproval()
    const { body: byTarget } = await share(target, peckId)
    const { body: byOwner } = await share(owner, peckId)
    expect(byOwner.share_id).not.toBe(byTarget.share_id)
    expect((await unshare(owner, peckId)).body).toEqual({ success: true, peck_id: peckId })
    expect((await view(byOwner.share_id)).status).toBe(404)
    expect((await view(byTarget.share_id)).body.shared_by).toBe('target')
    expect((await detailsOf(owner, peckId)).shared).toBeNull()
  })

  // security: asker-35
  it('lets the target end the link of the asker, who cannot make another one', async () => {
    const { owner, target, peckId } = await anApproval()
    const { body } = await share(owner, peckId, true)
    const link = { url: body.url, values: true }
    expect(await detailsOf(target, peckId)).toMatchObject({ shared: null, shared_by_requester: link })
    expect(await detailsOf(owner, peckId)).toMatchObject({ shared: link, shared_by_requester: null })
    const answers = await Promise.all(Array.from({ length: 50 }, () => unshare(target, peckId)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await view(body.share_id)).status).toBe(404)
    expect((await detailsOf(target, peckId)).shared_by_requester).toBeNull()
    expect((await detailsOf(owner, peckId)).shared).toBeNull()
    const again = await Promise.all(Array.from({ length: 50 }, () => share(owner, peckId)))
    expect(new Set(again.map(({ status, body }) => `${status} ${body.reason}`))).toEqual(
      new Set(['403 receipt_kept_private']),
    )
    expect((await unshare(owner, peckId)).body.reason).toBe('receipt_not_shared')
    const where = { ducklingId: owner.id, action: 'peck.receipt_unshared', outcome: 'success' as const }
    expect(await db().auditEvent.count({ where })).toBe(1)
  })

  it('lets the asker share again, under a new link, after the target has shared', async () => {
    const { owner, target, peckId } = await anApproval()
    const { body: first } = await share(owner, peckId)
    await unshare(target, peckId)
    await share(target, peckId)
    const { body: second } = await share(owner, peckId)
    expect([(await view(first.share_id)).status, (await view(second.share_id)).status]).toEqual([404, 200])
  })

  it('makes one link in 50 simultaneous calls', async () => {
    const { target, peckId } = await anApproval()
    const answers = await Promise.all(Array.from({ length: 50 }, () => share(target, peckId)))
    const links = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.share_id))
    expect(links.size).toBe(1)
    expect(await db().sharedReceipt.count({ where: { peckId } })).toBe(1)
  })

  it('records it in the logs of both sides', async () => {
    const { owner, target, peckId } = await anApproval()
    await share(target, peckId, true)
    for (const { id } of [owner, target]) {
      const where = { ducklingId: id, action: 'peck.receipt_shared', outcome: 'success' }
      expect(await db().auditEvent.count({ where })).toBe(1)
    }
  })

  it('records what the target does with the receipt of an undecided stranger in the log of the target too', async () => {
    const [owner, target] = [await aDuckling(), await aDuckling()]
    const { peck_id: id } = await aPeck(owner, target)
    await db().peck.update({ where: { id }, data: { stranger: true } })
    await call('POST /beak/peck/cancel', { token: owner.token, body: { peck_id: id } })
    await share(target, id)
    await unshare(target, id)
    for (const { id: ducklingId } of [owner, target])
      expect(
        await db().auditEvent.count({ where: { ducklingId, action: { startsWith: 'peck.receipt_' } } }),
      ).toBe(2)
  })

  it('deletes the link with the account of the sharer', async () => {
    const { owner, target, peckId } = await anApproval()
    const { body } = await share(target, peckId)
    expect((await call('POST /beak/account/delete', { token: target.token })).status).toBe(200)
    expect((await view(body.share_id)).status).toBe(404)
    expect((await share(owner, peckId)).body.reason).toBe('receipt_kept_private')
  })

  // security: asker-35
  it('ends the link of the asker with the account of the target, which is in the log of the asker', async () => {
    const { owner, target, peckId } = await anApproval()
    const { body } = await share(owner, peckId)
    expect((await call('POST /beak/account/delete', { token: target.token })).status).toBe(200)
    expect((await view(body.share_id)).status).toBe(404)
    expect(await db().sharedReceipt.count({ where: { peckId } })).toBe(0)
    const where = { ducklingId: owner.id, action: 'peck.receipt_unshared', outcome: 'success' as const }
    expect(await db().auditEvent.count({ where })).toBe(1)
  })

  it('shows no receipt that was shared while the target closed the account', async () => {
    const { owner, target, peckId } = await anApproval()
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => share(owner, peckId)),
      call('POST /beak/account/delete', { token: target.token }),
      ...Array.from({ length: 10 }, () => share(owner, peckId)),
    ])
    const links = new Set(answers.flatMap(({ body }) => body.share_id ?? []))
    for (const link of links) expect((await view(link)).status).toBe(404)
    expect((await share(owner, peckId)).status).toBe(403)
  })
})

describe('404', () => {
  it('says that the caller does not share the receipt', async () => {
    const { target, peckId } = await anApproval()
    expect((await unshare(target, peckId)).body).toMatchObject({ status: 404, code: 'E4005' })
  })
})

describe('409', () => {
  it('refuses to share a pending peck', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const { peck_id } = await aPeck(asker, target)
    expect((await share(target, peck_id)).body).toMatchObject({ status: 409, current_status: 'pending' })
  })
})

describe('GET /beak/peck/shared', () => {
  describe('400', () => {
    it.each(['', '?id=short', `?id=${'A'.repeat(27)}`])('rejects the query %j', async (query) => {
      expect((await call(`GET /beak/peck/shared${query}`)).status).toBe(400)
    })
  })
})
