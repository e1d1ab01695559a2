/** What is allowed, of a person with 25 agents and 30 rules, on a desktop and a small phone; and changing a rule as its sentence. */
import type { Page } from '@playwright/test'
import {
  addPasskey,
  button,
  expectText,
  heading,
  link,
  open,
  type Passkeys,
  sidewaysOf,
  violationsOf,
} from './browser'
import { expect, test } from './fixtures'
import { aBondedAgent, anAgent, bond, type Person } from './people'
import { type Server, send } from './server'

/** Makes rules over the API, signed by a new passkey. Returns their ids. */
async function makeRules(
  server: Server,
  person: Person,
  passkeys: Passkeys,
  rules: object[],
): Promise<string[]> {
  const call = async (line: string, body: object) => {
    const answer = await send(server, line, { token: person.token, body })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return answer.body
  }
  const ids: string[] = []
  await addPasskey(server, person, passkeys, async (sign) => {
    for (const rule of rules) {
      const passkey = sign(await call('POST /beak/passkey/challenge', { purpose: 'rule', rule }))
      ids.push((await call('POST /beak/rule/create', { rule, passkey })).rule_id)
    }
  })
  return ids
}

const shop = {
  actions: ['pay:invoice'],
  params: { amount: { at_most: '€50.00' }, to: { equals: 'shop@example.com' } },
  budget: { amount: '€100.00', per: 'month' },
  answer: 'approve',
}
const mail = {
  actions: ['send:email'],
  params: { to: { equals: 'anna@pond.example' }, subject: { any: true }, text: { any: true } },
  budget: { uses_each: 5, per: 'day' },
  answer: 'approve',
}
const calendar = { actions: ['read:calendar'], params: { day: { any: true } }, answer: 'approve' }

test('shows 25 agents and 30 rules on a few screens: one line for each agent, and its rules fold out', async ({
  ownPage: page,
  person,
  passkeys,
  server,
}) => {
  // 55 changes over the API, one after another.
  test.slow()
  const ids: string[] = []
  for (let number = 1; number <= 25; number++) {
    const agent = await anAgent(server, person, { agent_name: `Courier ${number}` })
    await bond(server, agent)
    ids.push(agent.id)
  }
  const rules = [8, 6, 4, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1].flatMap((count, at) =>
    [shop, mail, calendar, shop, mail, calendar, shop, mail]
      .slice(0, count)
      .map((rule) => ({ ...rule, agent_id: ids[at] })),
  )
  const made = await makeRules(server, person, passkeys, rules)
  // The only rule of the fifth agent.
  const body = { rule_id: made[20] }
  expect((await send(server, 'POST /beak/rule/pause', { token: person.token, body })).status).toBe(200)
  for (const { width, height, screens } of [
    { width: 1280, height: 900, screens: 3 },
    { width: 320, height: 700, screens: 6 },
  ]) {
    await page.setViewportSize({ width, height })
    await open(page, '/allowed')
    expect(await sidewaysOf(page)).toBe(0)
    expect(await violationsOf(page)).toEqual([])
    const list = page.getByRole('list', { name: 'Your rules' })
    // A paused rule comes first and is open. All others are one line for each agent.
    const paused = list.locator(':scope > li').first()
    await expect(paused).toContainText(/Courier 5.*1 rule.*Paused/)
    await expect(paused.locator('[data-rule-sentence]').last()).toBeVisible()
    await page.getByText('6 more agents', { exact: true }).click()
    const group = page
      .getByRole('list', { name: '6 more agents' })
      .locator(':scope > li', { hasText: '6 rules' })
    await group.locator('summary').click()
    await expect(group.getByText('read a calendar, with any value for day').first()).toBeVisible()
    await group.locator('summary').click()
    await paused.locator('summary').click()
    const tall = await page.evaluate(() => document.documentElement.scrollHeight)
    expect(tall / height).toBeLessThan(screens)
  }
})

const sentence = (page: Page) => page.locator('[data-rule-sentence]').first()

test('changes a rule as its sentence: narrower with one tap, wider with the passkey, and not at all without a change', async ({
  ownPage: page,
  person,
  passkeys,
  server,
}) => {
  const agent = await aBondedAgent(server, person)
  const [id] = await makeRules(server, person, passkeys, [{ ...shop, agent_id: agent.id }])
  await passkeys.confirm(false)
  await page.setViewportSize({ width: 320, height: 700 })
  await open(page, `/rules/${id}/edit`)
  await expect(heading(page, 'Change rule', 1)).toBeVisible()
  await expect(sentence(page)).toContainText('pay an invoice, for at most €50.00, to "shop@example.com"')
  // Nothing is changed, so there is nothing to save. What programs write is folded.
  await expectText(page, 'Nothing is changed yet.')
  await expect(button(page, /Save|Sign/)).toHaveCount(0)
  await expect(page.getByLabel('Actions')).toBeHidden()
  expect(await sidewaysOf(page)).toBe(0)
  expect(await violationsOf(page)).toEqual([])
  await link(page, 'up to €20.00').click()
  await expect(sentence(page)).toContainText('for at most €20.00')
  await button(page, 'Save').click()
  await expectText(page, 'The rule was changed.')
  await open(page, `/rules/${id}/edit`)
  await link(page, '€200.00 each month').click()
  await expect(sentence(page)).toContainText('At most €200.00 a month')
  await expect(button(page, 'Save')).toHaveCount(0)
  await passkeys.confirm(true)
  await button(page, 'Sign with passkey').click()
  await expectText(page, 'The rule was changed.')
  await expect(sentence(page)).toContainText('for at most €20.00')
})

test('opens the fields for programs of a rule that the choices cannot change, and keeps what nobody changes', async ({
  ownPage: page,
  person,
  passkeys,
  server,
}) => {
  const agent = await aBondedAgent(server, person)
  const kinds = { one_of: ['a, b', 'c'] }
  const odd = { ...calendar, agent_id: agent.id, params: { kind: kinds, size: { between: [1, 10] } } }
  const [id] = await makeRules(server, person, passkeys, [odd])
  await open(page, `/rules/${id}/edit`)
  await expect(sentence(page)).toContainText('when kind is one of "a, b", "c" and size is from 1 to 10')
  await page.getByLabel('Value of detail 2').fill('1 to 5')
  await expect(sentence(page)).toContainText('when kind is one of "a, b", "c" and size is from 1 to 5')
  await expect(page.getByLabel('Value of detail 2')).toBeFocused()
  await button(page, 'Save').click()
  await expectText(page, 'The rule was changed.')
  const { body } = await send(server, `GET /beak/rule/view?rule_id=${id}`, { token: person.token })
  expect(body.rule.params).toEqual({ kind: kinds, size: { between: [1, 5] } })
})
