/** The first rule of a person, from the room of what is allowed: an example in plain words, one signature. */
import { addPasskey, button, expectText, link, open, sidewaysOf, violationsOf } from './browser'
import { expect, test } from './fixtures'
import { expectTrip, Hands } from './hands'
import { aBondedAgent } from './people'
import { send } from './server'

const trip = 'A person makes a first rule from what was approved before'

test('makes a first rule with 3 taps, and the next request is answered', { tag: '@changed' }, async ({
  ownPage: page,
  person,
  passkeys,
  server,
}) => {
  const agent = await aBondedAgent(server, person)
  await addPasskey(server, person, passkeys)
  const pay = async (amount: string) => {
    const { body } = await send(server, 'POST /beak/peck/request', {
      key: agent.key,
      body: {
        target_duckling_id: person.id,
        action: 'pay:invoice',
        params: { amount, to: 'shop@example.com' },
      },
    })
    return body
  }
  const { peck_id } = await pay('€38.00')
  await send(server, 'POST /beak/peck/approve', { token: person.token, body: { peck_id } })

  const hands = new Hands(page, async () => {
    expect(await sidewaysOf(page)).toBe(0)
    expect(await violationsOf(page)).toEqual([])
  })
  await open(page, '/allowed')
  await hands.tap(page.getByRole('link', { name: /New rule|first rule/ }))
  await expect(page.getByRole('list', { name: 'Examples' })).toContainText('You approved this before.')
  await hands.read('the examples')
  await hands.tap(page.getByRole('link', { name: /may pay an invoice/ }))
  await expectText(page, "Don't ask again for this")
  await hands.read('the rule')
  await expect(page.locator('[data-rule-sentence]').first()).toContainText('for exactly €38.00')
  await hands.tap(button(page, 'Sign with passkey'))
  await expectText(page, 'The rule is signed.')
  expectTrip(hands, trip)
  expect(await pay('€38.00')).toMatchObject({ status: 'approved' })
  expect(await pay('€60.00')).toMatchObject({ status: 'pending' })
})

test('asks only for the shop, and shows the exact sentence before the signature', async ({
  ownPage: page,
  person,
  passkeys,
  server,
}) => {
  await aBondedAgent(server, person)
  await addPasskey(server, person, passkeys)
  await open(page, '/rules/new')
  // What programs write is folded.
  await expect(page.getByLabel('Actions')).toBeHidden()
  await page.getByRole('link', { name: /may spend up to €50 a month at one shop/ }).click()
  await page.getByLabel('Which shop?').fill('shop.example')
  await button(page, 'Continue').click()
  const sentence = page.locator('[data-rule-sentence]').first()
  await expect(sentence).toContainText('for at most €50.00')
  await expect(sentence).toContainText('at shop.example')
  await expect(sentence).toContainText('At most €50.00 a month')
  await page.getByText('Change it: who, what, how much, how long').click()
  await link(page, '€20.00 each month').click()
  await expect(sentence).toContainText('At most €20.00 a month')
  await button(page, 'Sign with passkey').click()
  await expectText(page, 'The rule is signed.')
})

test('refuses what is no shop, and signs nothing', async ({ ownPage: page, person, passkeys, server }) => {
  const agent = await aBondedAgent(server, person)
  await addPasskey(server, person, passkeys)
  await open(page, `/rules/new?example=spend&who=${agent.id}&shop=every+shop`)
  await expectText(page, 'Type the web address of the shop')
  await expect(page.getByLabel(/^Which shop/)).toHaveValue('every shop')
  await expect(button(page, 'Sign with passkey')).toHaveCount(0)
})
