/*
 * The service worker: shows push messages, opens their pages, and shows a page of its own while the service cannot be reached. It keeps that
 * page and its picture, and never a page or an answer of an account. Messages: docs/contract.md, "Push messages".
 */
const { scope } = self.registration
const address = (path) => new URL(path, scope).href
const [offline, icon, silhouette] = ['offline', 'icon.svg', 'icon-monochrome-96.png'].map(address)
const kept = [offline, icon]
const cacheName = 'beak-offline-1'

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(kept)))
})

self.addEventListener('activate', (event) => {
  const isOld = (name) => name.startsWith('beak-') && name !== cacheName
  const removeOld = async () =>
    Promise.all((await caches.keys()).filter(isOld).map((name) => caches.delete(name)))
  event.waitUntil(Promise.all([removeOld(), self.clients.claim()]))
})

self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  if (method !== 'GET' || (mode !== 'navigate' && !kept.includes(url))) return
  const fromCache = async () => (await caches.match(kept.includes(url) ? url : offline)) ?? Response.error()
  event.respondWith(fetch(event.request).catch(fromCache))
})

self.addEventListener('push', (event) => {
  event.waitUntil(receive(read(event.data)))
})

/** A browser ends a subscription whose messages show nothing, so an unreadable one is shown too. */
function read(data) {
  try {
    return data.json() ?? {}
  } catch {
    return {}
  }
}

async function receive({ notification = {}, withdraw, app_badge }) {
  await setBadge(notification.app_badge ?? app_badge)
  if (typeof withdraw !== 'string') return show(notification)
  for (const shown of await self.registration.getNotifications({ tag: withdraw })) shown.close()
}

function show({ title = 'Beak', body = '', tag = '', navigate = '' }) {
  const data = { url: address(navigate) }
  // A reminder replaces the first notification of its request, and rings again.
  const again = tag === '' ? {} : { tag, renotify: true }
  return self.registration.showNotification(title, {
    body,
    data,
    icon: address('icon-192.png'),
    badge: silhouette,
    ...again,
  })
}

async function setBadge(text) {
  const count = Number(text)
  if (!self.navigator.setAppBadge || !Number.isInteger(count)) return
  await (count > 0 ? self.navigator.setAppBadge(count) : self.navigator.clearAppBadge()).catch(() => {})
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.url))
})

/** Only opens the page: whatever answers a request is on it. */
async function open(url) {
  const page = typeof url === 'string' && url.startsWith(scope) ? url : address('pecks')
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = windows.find((client) => client.url === page)
  return there === undefined ? self.clients.openWindow(page) : there.focus()
}

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(subscribeAgain(event.oldSubscription, event.newSubscription))
})

/** The browser has ended a subscription. The service tells what to show when the person has to switch it on again. */
async function subscribeAgain(former, given) {
  const options = former?.options ?? { userVisibleOnly: true }
  const subscription = given ?? (await self.registration.pushManager.subscribe(options))
  const body = JSON.stringify({ subscription })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(address('api/push'), { method: 'POST', headers, body })
  const { notification } = await answer.json()
  if (notification) await show(notification)
}
