/** A handle in a browser: chosen in the profile, shown on the public page, asked by another person, changed and released. */
import { button, expectText, heading, link, open, openUnfolded } from './browser'
import { expect, test } from './fixtures'
import { aPerson } from './people'
import { send } from './server'

test('a handle leads from the profile to the public page, and from there to a request', async ({
  ownPage: page,
  newPage,
  person,
  server,
}) => {
  const handle = `pond-${Date.now().toString(36)}`
  await openUnfolded(page, '/profile')
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Handle', exact: true }) })
  const field = section.getByLabel('Handle', { exact: true })
  await field.fill('supp0rt')
  await button(page, 'Choose handle').click()
  await expectText(page, 'is reserved')
  await expect(field).toHaveValue('supp0rt')
  await expect(field).toBeFocused()
  await field.fill(`@${handle.toUpperCase()}`)
  await button(page, 'Choose handle').click()
  await expectText(page, `Your handle is now @${handle}.`)
  await link(page, `View @${handle}`).click()
  await expectText(page, 'This is what others see.')

  const asker = await aPerson(server, 'Wigeon')
  const other = await newPage({ as: asker })
  await open(other, '/directory')
  await other.getByLabel('Search by whole handle or name').fill(`@${handle}`)
  await button(other, 'Search').click()
  await link(other, `@${handle}`).click()
  await expect(other).toHaveURL(new RegExp(`/@${handle}$`))
  await expect(heading(other, person.name)).toBeVisible()
  expect(await other.locator('link[rel=canonical]').getAttribute('href')).toBe(`${server.url}/@${handle}`)
  await link(other, `Ask ${person.name}`).click()
  await expect(heading(other, `Ask ${person.name}`, 1)).toBeVisible()
  await expectText(other, `@${handle}`)
  await other.getByLabel('What do you want to ask?').fill('borrow your boat on Sunday')
  await button(other, 'Send').click()
  await expect(other).toHaveURL(/\/pecks\/PECK-/)
  await expect(other.locator('main')).toContainText(person.name)

  // A visitor who is not signed in comes back to the same form.
  const visitor = await newPage()
  await open(visitor, `/@${handle}`)
  await expect(visitor.locator('meta[name=robots]')).toHaveCount(0)
  await link(visitor, `Ask ${person.name}`).click()
  await expect(visitor).toHaveURL(/signin\?next=%2Fpecks%2Fnew%3Fto%3D/)

  // Hidden people have a page for themselves only, and their handle looks unknown to others.
  await send(server, 'POST /beak/profile/update', { token: person.token, body: { directory_visible: false } })
  await open(page, `/@${handle}`)
  await expectText(page, 'Only you and people whose requests you have answered see this page.')
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/)
  const refusalOf = async (path: string) => {
    const answer = await visitor.request.get(`${server.url}${path}`)
    return [answer.status(), /<main[^>]*>([\s\S]*?)<\/main>/.exec(await answer.text())?.[1]]
  }
  const hidden = await refusalOf(`/@${handle}`)
  expect(hidden[0]).toBe(404)
  expect(hidden).toEqual(await refusalOf('/@no-such-handle'))
  for (const path of ['/@..%2Fhome', '/@%2e%2e', '/@mallard%00', '/@'])
    expect((await refusalOf(path))[0]).toBeGreaterThanOrEqual(400)

  await openUnfolded(page, '/profile')
  await button(page, 'Release handle').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click()
  await expectText(page, 'You have no handle now.')
  await expect(section.getByLabel('Handle', { exact: true })).toHaveValue('')
})
