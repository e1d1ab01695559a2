'use client'

/** What this browser can do with push messages, and its subscription. */
import { withBasePath } from '@/components/base-path'
import { readClock } from '@/lib/kernel/runtime/clock'

export type PushState = 'ready' | 'on' | 'refused' | 'needs_home_screen' | 'unsupported'

/** The channel of this browser, which only this browser knows. */
const channelKey = 'beak.push'
const declinedKey = 'beak.no-push'
const declinedMs = 90 * 86_400_000

/** Returns the id of the channel of this browser, when the account has it. */
export function ownChannel(channelIds: string[]): string | null {
  const own = read(channelKey)
  return own !== null && channelIds.includes(own) ? own : null
}

/** Registers the worker, which also has the page for times without a connection. */
export function registerWorker(): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register(withBasePath('/sw.js'), {
    scope: withBasePath('/'),
    updateViaCache: 'none',
  })
}

/** Returns the state of this browser. `channelIds`: the push channels of the account. */
export function pushState(channelIds: string[]): PushState {
  const isSupported = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  // Safari of iPhone and iPad has push only in apps of the home screen.
  if (!isSupported) return 'standalone' in navigator ? 'needs_home_screen' : 'unsupported'
  if (Notification.permission === 'denied') return 'refused'
  return Notification.permission === 'granted' && ownChannel(channelIds) !== null ? 'on' : 'ready'
}

/** Asks for permission, and returns the subscription, or null when the person has refused. For click handlers. */
export async function subscribe(publicKey: string): Promise<PushSubscriptionJSON | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  await registerWorker()
  const { pushManager } = await navigator.serviceWorker.ready
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  return subscription.toJSON()
}

/** Keeps the id of the channel of this browser. Without storage, the page offers the channel again, and it stays one channel. */
export const rememberChannel = (id: string) => write(channelKey, id)

/** Keeps "Not now" for 90 days. */
export const declineOffer = () => write(declinedKey, String(readClock().getTime()))

export const isOfferDeclined = () => readClock().getTime() - Number(read(declinedKey)) < declinedMs

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {}
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
