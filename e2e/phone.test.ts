/**
 * The app on a phone: a push message, its notification and the taps to a signed answer, the page without a connection, and switching it on. The
 * headless browser has no push service, no notifications and no badge, so the tests deliver messages over its debugger, and keep in the
 * worker what it would show.
 */
import type { Page, Worker } from '@playwright/test'
import { aBrowser } from '@/lib/fixtures/browser-push'
import { buildApprover } from '@/packages/approver/build.mjs'
import { serveApprover } from '@/packages/approver/serve.mjs'
import { freePort } from '@/scripts/servers/free-port.mjs'
import {
  addPasskey,
  button,
  expectAccessible,
  expectText,
  open,
  openUnfolded,
  withAuthenticator,
} from './browser'
import { inbox } from './controls/inbox'
import { signInWithPasskey } from './controls/sign-in'
import { test as base, expect } from './fixtures'
import { send } from './server'

interface Shown {
  title: string
  body: string
  tag?: string
  data: { url: string }
  close: () => void
}

interface Phone {
  /** Delivers a push message to the worker. */
  deliver: (message: object) => Promise<void>
  /** The titles of the notifications, and every number that was on the icon. */
  shown: () => Promise<{ titles: string[]; badges: number[] }>
  /** Taps the only notification. Returns the address that the worker opens. */
  tap: () => Promise<string>
  worker: Worker
}

const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true }
const main = (page: Page) => page.getByRole('main')

/** Registers the worker of the service, as an installed app does. */
async function aPhone(page: Page, origin: string): Promise<Phone> {
  const started = page.context().waitForEvent('serviceworker')
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js', { scope: '/' })
    await navigator.serviceWorker.ready
  })
  const worker = await started
  await worker.evaluate(() => {
    const all = { list: [] as Shown[], badges: [] as number[] }
    const badge = async (count: number) => void all.badges.push(count)
    const scope = globalThis as unknown as {
      all: typeof all
      navigator: object
      registration: Record<string, unknown>
    }
    scope.all = all
    Object.defineProperty(scope.navigator, 'setAppBadge', { value: badge })
    Object.defineProperty(scope.navigator, 'clearAppBadge', { value: () => badge(0) })
    scope.registration.showNotification = async (title: string, options: Omit<Shown, 'title'>) => {
      const own: Shown = { title, ...options, close: () => remove(own) }
      all.list = [...all.list.filter(({ tag }) => tag === undefined || tag !== own.tag), own]
    }
    scope.registration.getNotifications = async ({ tag }: { tag?: string } = {}) =>
      all.list.filter((own) => tag === undefined || own.tag === tag)
    function remove(own: Shown) {
      all.list = all.list.filter((other) => other !== own)
    }
  })
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  const read = () =>
    worker.evaluate(() => {
      const { all } = globalThis as unknown as { all: { list: Shown[]; badges: number[] } }
      return { titles: all.list.map(({ title }) => title), badges: all.badges }
    })
  return {
    worker,
    shown: read,
    deliver: async (message) => {
      await session.send('ServiceWorker.deliverPushMessage', {
        origin,
        registrationId,
        data: JSON.stringify(message),
      })
    },
    tap: () =>
      worker.evaluate(async () => {
        const scope = globalThis as unknown as {
          all: { list: Shown[] }
          clients: { openWindow: (url: string) => Promise<null> }
          dispatchEvent: (event: Event) => void
        }
        const [notification] = scope.all.list
        const done: Promise<unknown>[] = []
        let opened = ''
        scope.clients.openWindow = async (url) => {
          opened = url
          return null
        }
        const event = Object.assign(new Event('notificationclick'), {
          notification,
          waitUntil: (work: Promise<unknown>) => done.push(work),
        })
        scope.dispatchEvent(event)
        await Promise.all(done)
        return opened
      }),
  }
}

interface Asking {
  /** Sends a request of the agent to the person. Returns its id, and the push message about it. */
  askByPush: (action: string, params?: object) => Promise<{ peckId: string; message: object }>
}

const test = base.extend<Asking>({
  askByPush: async ({ server, ask }, use) =>
    use(async (action, params) => {
      const peckId = await ask(action, params)
      const notification = {
        title: 'Scout asks',
        body: 'Scout wants an answer',
        navigate: `${server.url}/pecks/${peckId}`,
        tag: peckId,
        app_badge: '1',
      }
      return { peckId, message: { web_push: 8030, notification } }
    }),
})

/** Counts the taps from the notification to the answer, and times them. */
async function tapNotification(page: Page, device: Phone, message: object) {
  await device.deliver(message)
  await expect.poll(async () => (await device.shown()).titles).toEqual(['Scout asks'])
  const start = performance.now()
  let taps = 1
  await open(page, new URL(await device.tap()).pathname)
  return {
    tap: async (work: () => Promise<void>) => {
      taps++
      await work()
    },
    report: () => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      test.info().annotations.push({
        type: 'from the notification to the answer',
        description: `${taps} taps, ${seconds} s`,
      })
      return taps
    },
  }
}

test.describe('from a notification to the answer', () => {
  // security: session-20
  test('two taps with a living session', async ({ newPage, server, person, askByPush, statusOf }) => {
    const { peckId, message } = await askByPush('transfer:money', {
      amount: { amount: 4800, currency: 'EUR' },
    })
    const page = await newPage({ ...phone, as: person })
    await addPasskey(server, person, await withAuthenticator(page))
    await page.goto('/')
    const counter = await tapNotification(page, await aPhone(page, server.url), message)
    await counter.tap(() => inbox.approveWithPasskey(main(page)).first().tap())
    await expect(inbox.approvedByPasskey(main(page))).toBeVisible()
    expect(counter.report()).toBe(2)
    expect(await statusOf(peckId)).toBe('approved')
  })

  // security: session-20
  test('three taps after the session has ended', async ({ newPage, server, person, askByPush, statusOf }) => {
    const { peckId, message } = await askByPush('transfer:money', {
      amount: { amount: 4800, currency: 'EUR' },
    })
    const page = await newPage(phone)
    await addPasskey(server, person, await withAuthenticator(page))
    await page.goto('/')
    const counter = await tapNotification(page, await aPhone(page, server.url), message)
    await counter.tap(() => signInWithPasskey(page))
    await page.waitForURL(`**/pecks/${peckId}`)
    await counter.tap(() => inbox.approveWithPasskey(main(page)).first().tap())
    await expect(inbox.approvedByPasskey(main(page))).toBeVisible()
    expect(counter.report()).toBe(3)
    expect(await statusOf(peckId)).toBe('approved')
  })

  test('one tap more with an approver', async ({ newPage, server, person, askByPush, statusOf }) => {
    const approver = await serveApprover(await buildApprover(process.cwd()), await freePort())
    const page = await newPage({ ...phone, as: person })
    await addPasskey(server, person, await withAuthenticator(page))
    const press = async (name: RegExp | string) => {
      await expect(button(page, name)).toBeVisible()
      // The approver ignores a press before a person can have read the page.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 800)))
      await button(page, name).tap()
    }
    await send(server, 'POST /beak/profile/update', { token: person.token, body: { builder: true } })
    await openUnfolded(page, '/security')
    await page
      .getByRole('form', { name: 'Set an approver' })
      .getByLabel('Address of the approver')
      .fill(`${approver.url}/`)
    await button(page, 'Open the approver').tap()
    await page.waitForURL(`${approver.url}/**`)
    await press('Create passkey')
    await page.waitForURL('**/security/approver')
    const { peckId, message } = await askByPush('delete:database', { name: 'customers-production' })
    const counter = await tapNotification(page, await aPhone(page, server.url), message)
    await counter.tap(() => button(page, /^Approve on approver.localhost/).tap())
    await page.waitForURL(`${approver.url}/**`)
    await counter.tap(() => press('Delete the database “customers-production” with passkey'))
    await page.waitForURL(`**/pecks/${peckId}/approver`)
    await expectText(page, 'Approved and signed with your passkey.')
    expect(counter.report()).toBe(3)
    expect(await statusOf(peckId)).toBe('approved')
    approver.close()
  })
})

test('shows a message once for each request, and takes it away when it was answered elsewhere', async ({
  newPage,
  server,
  person,
}) => {
  const page = await newPage({ ...phone, as: person })
  await page.goto('/')
  const device = await aPhone(page, server.url)
  const about = (tag: string, title: string, count: string) => ({
    web_push: 8030,
    notification: { title, body: '', navigate: `${server.url}/pecks/${tag}`, tag, app_badge: count },
  })
  await device.deliver(about('A', 'First', '1'))
  await device.deliver(about('B', 'Second', '2'))
  await device.deliver(about('A', 'First, again', '2'))
  await expect.poll(device.shown).toEqual({ titles: ['Second', 'First, again'], badges: [1, 2, 2] })
  await device.deliver({ withdraw: 'A', app_badge: '1' })
  await device.deliver({ withdraw: 'unknown', app_badge: '0' })
  await expect.poll(device.shown).toEqual({ titles: ['Second'], badges: [1, 2, 2, 1, 0] })
})

test('adds the subscription that replaces an ended one, and says so when the session may not', async ({
  newPage,
  server,
  person,
}) => {
  const page = await newPage({ ...phone, as: person })
  await page.goto('/')
  const device = await aPhone(page, server.url)
  const replace = async (host: string) => {
    const { subscription } = aBrowser(`https://${host}/one`)
    await device.worker.evaluate(async (newSubscription) => {
      const done: Promise<unknown>[] = []
      const waitUntil = (work: Promise<unknown>) => done.push(work)
      dispatchEvent(Object.assign(new Event('pushsubscriptionchange'), { newSubscription, waitUntil }))
      await Promise.all(done)
    }, subscription)
    const { body } = await send(server, 'GET /beak/channel/list', { token: person.token })
    return body.items as { hint: string; details: boolean }[]
  }
  expect(await replace('push.example')).toContainEqual(
    expect.objectContaining({ hint: 'push.example', details: false }),
  )
  expect((await device.shown()).titles).toEqual([])
  await page.context().clearCookies()
  expect((await replace('other.example')).map(({ hint }) => hint)).not.toContain('other.example')
  expect((await device.shown()).titles).toEqual(['Requests no longer reach this device'])
  expect(await device.tap()).toBe(`${server.url}/notifications#phone`)
})

// security: session-21
test('opens no page of another site from a message', async ({ newPage, server, person }) => {
  const page = await newPage({ ...phone, as: person })
  await page.goto('/')
  const device = await aPhone(page, server.url)
  for (const navigate of ['https://evil.example/', '//evil.example/', 'javascript:alert(1)']) {
    await device.deliver({ web_push: 8030, notification: { title: 'Quack', navigate, tag: 'one' } })
    await expect.poll(async () => (await device.shown()).titles).toEqual(['Quack'])
    expect(await device.tap()).toBe(`${server.url}/pecks`)
  }
})

// security: session-19
test('shows a page of its own without a connection, and keeps no page of the account', async ({
  newPage,
  server,
  person,
}) => {
  const page = await newPage({ ...phone, as: person })
  await page.goto('/')
  const { worker } = await aPhone(page, server.url)
  for (const path of ['/home', '/pecks', '/profile']) await open(page, path)
  const kept = await worker.evaluate(async () => {
    const names = await caches.keys()
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return all.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(kept.sort()).toEqual(['/icon.svg', '/offline'])
  await worker.evaluate(() => {
    globalThis.fetch = () => Promise.reject(new TypeError('no connection'))
  })
  await page.goto('/home')
  await expect(page.getByRole('heading', { name: "Beak can't be reached" })).toBeVisible()
  const hasPicture = () =>
    page.locator('main img').evaluate((image: HTMLImageElement) => image.naturalWidth > 0)
  await expect.poll(hasPicture).toBe(true)
  await expect(page.getByText('Mallard')).toHaveCount(0)
  await expectAccessible(page)
})

/** In a page: a browser that answers as `state.answer` says when the page asks for permission, and has a push service. */
function takesPush(given: object): void {
  const state = { permission: localStorage.getItem('permission') ?? 'default', asked: 0, answer: 'granted' }
  Object.assign(window, { state })
  Object.defineProperty(Notification, 'permission', { get: () => state.permission })
  Notification.requestPermission = async () => {
    state.asked++
    state.permission = state.answer
    localStorage.setItem('permission', state.permission)
    return state.permission as NotificationPermission
  }
  PushManager.prototype.subscribe = async () => ({ toJSON: () => given }) as unknown as PushSubscription
}

test.describe('"Get requests on this phone"', () => {
  test('subscribes the browser after a tap, and never asks before', async ({
    newPage,
    server,
    person,
    ask,
    statusOf,
  }) => {
    const peckId = await ask('read:calendar')
    const page = await newPage({ ...phone, as: person })
    await page.addInitScript(takesPush, aBrowser('https://push.example/one').subscription)
    await open(page, '/pecks')
    await expect(page.getByText('Hear about requests at once')).toHaveCount(0)
    await open(page, `/pecks/${peckId}`)
    await inbox.approve(main(page)).tap()
    await expect.poll(() => statusOf(peckId)).toBe('approved')
    await open(page, '/pecks')
    await expectText(page, 'This device shows a request within seconds')
    expect(await page.evaluate(() => Reflect.get(window, 'state').asked)).toBe(0)
    await expectAccessible(page)
    await button(page, 'Get requests on this phone').tap()
    await expectText(page, 'This phone gets your requests.')
    const { body } = await send(server, 'GET /beak/channel/list', { token: person.token })
    expect(body.items.map(({ kind, hint }: { kind: string; hint: string }) => [kind, hint])).toContainEqual([
      'push',
      'push.example',
    ])
    await open(page, '/notifications')
    await expect(page.getByLabel('High risk: This phone')).toBeChecked()
  })

  test('is one box, which asks for permission when it is ticked, and then a row of the table as the others', async ({
    newPage,
    server,
    person,
  }) => {
    const page = await newPage({ ...phone, as: person })
    await page.addInitScript(takesPush, aBrowser('https://push.example/two').subscription)
    await open(page, '/notifications')
    const ring = page.getByRole('form', { name: 'When should we notify you?' })
    const box = ring.getByLabel('This phone', { exact: true })
    const risks = ring.getByRole('row', { name: 'This phone' }).getByRole('checkbox')
    await expect(box).not.toBeChecked()
    await expectAccessible(page)
    expect(await page.evaluate(() => Reflect.get(window, 'state').asked)).toBe(0)
    const pushes = async () =>
      (await send(server, 'GET /beak/channel/list', { token: person.token })).body.items.filter(
        ({ kind }: { kind: string }) => kind === 'push',
      )
    await page.evaluate(() => Reflect.set(Reflect.get(window, 'state'), 'answer', 'default'))
    await box.tap()
    await expectText(page, "Notifications aren't allowed yet.")
    expect(await pushes()).toEqual([])
    await page.evaluate(() => Reflect.set(Reflect.get(window, 'state'), 'answer', 'granted'))
    await box.tap()
    await expect.poll(pushes).toHaveLength(1)
    await expect(risks).toHaveCount(3)
    await page.reload()
    await expect(ring.getByLabel('Medium risk: This phone')).toBeChecked()
    for (const risk of ['High', 'Medium', 'Low']) await ring.getByLabel(`${risk} risk: This phone`).uncheck()
    await ring.getByRole('button', { name: 'Save' }).tap()
    await expect(ring.getByText('Saved.')).toBeVisible()
    expect(await pushes()).toMatchObject([{ announces: [] }])

    await page.evaluate(() => localStorage.clear())
    await page.addInitScript(() => Object.assign(Reflect.get(window, 'state'), { answer: 'denied' }))
    await open(page, '/notifications')
    await box.tap()
    await expectText(page, "This browser doesn't let Beak show notifications.")
    await expect(box).toBeDisabled()
    await expectAccessible(page)
  })

  test('shows how on an iPhone, and what to do after a refusal', async ({ newPage, person }) => {
    const page = await newPage({ ...phone, as: person })
    await openUnfolded(page, '/notifications')
    await expectText(page, "This browser doesn't let Beak show notifications.")
    await page.addInitScript(() => {
      Reflect.deleteProperty(window, 'PushManager')
      Object.defineProperty(Navigator.prototype, 'standalone', { value: false })
    })
    await openUnfolded(page, '/notifications')
    await expectText(page, 'Tap “Add to Home Screen”, then “Add”.')
    await expectAccessible(page)
  })
})
