/** Dialogs that ask before an action that cannot be undone. */
import type { Locator, Page } from '@playwright/test'
import { button, expectAccessible, open, sidewaysOf, unfold } from './browser'
import { expect, test } from './fixtures'
import { type Server, send } from './server'

interface Kind {
  title: string
  path: (server: Server, token: string) => Promise<string>
  trigger: string
  field?: string
  action: string
}

const kinds: Kind[] = [
  {
    title: 'a dialog without fields',
    async path(server, token) {
      const body = { url: 'https://hooks.example.com/beak' }
      const created = await send(server, 'POST /beak/webhook/create', { token, body })
      return `/webhooks/${created.body.webhook_id}`
    },
    trigger: 'Delete webhook',
    action: 'Delete permanently',
  },
  {
    title: 'a dialog with a field',
    path: async () => '/account',
    trigger: 'Close my account',
    field: 'To confirm',
    action: 'Close permanently',
  },
]

/** Whether the eye meets the first control before the second: it is above, or left of it in the same line. */
async function isBefore(first: Locator, second: Locator): Promise<boolean> {
  const [one, other] = [await first.boundingBox(), await second.boundingBox()]
  if (one === null || other === null) return false
  return one.y + one.height <= other.y || (Math.abs(one.y - other.y) < 1 && one.x + one.width <= other.x)
}

async function expectOrder(page: Page, { field, action }: Kind): Promise<void> {
  const dialog = page.getByRole('alertdialog')
  const buttons = [button(page, 'Cancel'), button(page, action)]
  const controls = field === undefined ? buttons : [dialog.getByLabel(field), ...buttons]
  await expect(dialog.getByRole('button')).toHaveCount(2)
  for (const [index, control] of controls.slice(1).entries())
    expect(await isBefore(controls[index] as Locator, control), `place ${index + 1}`).toBe(true)
  await expect(button(page, 'Cancel')).toBeFocused()
  // The focus stays in the dialog: after the last control comes the first one.
  for (const control of [buttons[1], ...controls.slice(0, -1)] as Locator[]) {
    await page.keyboard.press('Tab')
    await expect(control).toBeFocused()
  }
}

for (const kind of kinds)
  test(`${kind.title} has Cancel before its button for the eye and the keyboard, on a wide screen and on a phone`, async ({
    ownPage: page,
    person,
    server,
  }) => {
    await open(page, await kind.path(server, person.token))
    await unfold(page)
    for (const width of [1280, 320])
      await test.step(`${width} pixels wide`, async () => {
        await page.setViewportSize({ width, height: 640 })
        await button(page, kind.trigger).click()
        await expectOrder(page, kind)
        expect(await sidewaysOf(page)).toBe(0)
        await expectAccessible(page)
        await button(page, 'Cancel').click()
        await expect(page.getByRole('alertdialog')).toHaveCount(0)
        await expect(button(page, kind.trigger)).toBeFocused()
      })
  })
