/** `beak rule` against a real service. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { aTerminal } from './beak-process'
import { startService } from './service'

const address = startService()

let owner: ADuckling
let agent: AnAgent
let made: Awaited<ReturnType<typeof aRule>>
let file: string
beforeEach(async () => {
  owner = await aDuckling()
  const { authenticator } = await aPasskey(owner)
  agent = await anAgent(owner)
  const rule = shopRule(agent.agentId, { budget: { amount: '€100.00', per: 'month' } })
  made = await aRule(owner, authenticator, rule)
  file = join(mkdtempSync(join(tmpdir(), 'beak-rules-')), 'rule.json')
  writeFileSync(file, JSON.stringify(rule))
})

const run = (...args: string[]) =>
  aTerminal({ BEAK_URL: address(), BEAK_TOKEN: owner.token }).run(['rule', ...args])
const pay = () =>
  aPeck(agent, owner, { action: 'pay:invoice', params: { amount: '€38.00', to: 'shop@example.com' } })

describe('beak rule', () => {
  it('lists rules and shows one with what is left', async () => {
    await pay()
    const [list, view] = [await run('list', '--json'), await run('view', made.rule_id)]
    expect(JSON.parse(list.stdout).items).toMatchObject([{ rule_id: made.rule_id }])
    expect([view.code, view.stdout]).toEqual([0, expect.stringContaining('€62.00 this month')])
  })

  it('says what a rule would have answered', async () => {
    await pay()
    const { code, stdout } = await run('rehearse', file)
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 of 1 requests in 30 days')])
  })

  it('names the page where the passkey signs a new rule, with the rule', async () => {
    const { code, stderr } = await run('create', file)
    const [, text = ''] = /\/rules\/new\?rule=([\w-]+)/.exec(stderr) ?? []
    expect([code, JSON.parse(Buffer.from(text, 'base64url').toString())]).toMatchObject([
      0,
      { agent_id: agent.agentId, answer: 'approve' },
    ])
  })

  it('pauses and ends a rule at once, and names the page that resumes it', async () => {
    expect((await run('pause', made.rule_id)).stdout).toContain('paused (owner)')
    expect((await pay()).status).toBe('pending')
    expect((await run('resume', made.rule_id)).stderr).toContain(`/rules/${made.rule_id}`)
    expect((await run('end', made.rule_id)).stdout).toContain('ended (owner)')
  })

  it('pauses all rules with --all, and needs either a rule or --all', async () => {
    expect((await run('pause', '--all')).stdout).toContain('Everything is paused')
    expect((await pay()).status).toBe('pending')
    expect([(await run('pause')).code, (await run('pause', made.rule_id, '--all')).code]).toEqual([2, 2])
  })
})
