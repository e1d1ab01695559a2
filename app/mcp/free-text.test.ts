/** A request in free text through the tools of an agent: an answer, and never something to use. */
import { freeTextAction } from '@beak/decision/free-text'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { callTool, McpListeners, revisions } from './_server/client'

const listeners = new McpListeners()
beforeAll(() => listeners.start())
afterAll(() => listeners.stop())

const favour = { action: freeTextAction, params: { favour: 'water my plants' } }

async function aPair(revision: (typeof revisions)[number]) {
  const person = await aDuckling()
  const agent = await anAgent(person)
  const client = await listeners.connect(agent.beakKey, revision)
  const decide = (how: 'approve' | 'undo', peck_id: string) =>
    call(`POST /beak/peck/${how}`, { token: person.token, body: { peck_id } })
  return { person, client, decide }
}

describe.each(revisions)('in revision %s, a request in free text', (revision) => {
  it('gives the agent an answer: no tool has a token, and none says to ask again', async () => {
    const { client, decide } = await aPair(revision)
    const asked = await callTool(client, 'ask_permission', favour)
    const { peck_id } = asked.data
    expect(asked.data.status).toBe('pending')
    await decide('approve', peck_id)
    const seen = await callTool(client, 'wait_for_decision', { peck_id, wait_seconds: 0 })
    expect(seen.data).toMatchObject({ status: 'approved', grant_status: 'expired' })
    expect(seen.data).not.toHaveProperty('grant_token')
    expect(seen.text).toContain('This is an answer and no permission')
    const used = await callTool(client, 'use_permission', { peck_id, params: favour.params })
    expect(used).toMatchObject({
      isError: true,
      data: { reason: 'grant_not_active', current_status: 'expired' },
    })
    expect(await db().grantToken.count({ where: { peckId: peck_id } })).toBe(0)
    await decide('undo', peck_id)
    const undone = await callTool(client, 'wait_for_decision', { peck_id, wait_seconds: 0 })
    expect(undone.data).toMatchObject({ status: 'pending', supersedes: peck_id })
  })

  it('takes no terms of a permission from the agent', async () => {
    const { person, client } = await aPair(revision)
    for (const terms of [
      { scope: 'standing' },
      { scope: 'timed' },
      { grant_expires_in: 3600 },
      { audience: 'shop.example' },
      { require: 'signed' },
      { param_types: { favour: 'url' } },
    ])
      expect(await callTool(client, 'ask_permission', { ...favour, ...terms })).toMatchObject({
        isError: true,
        data: { code: 'E4000' },
      })
    expect(await db().peck.count({ where: { targetDucklingId: person.id } })).toBe(0)
  })
})
