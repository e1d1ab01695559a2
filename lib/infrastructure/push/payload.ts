/**
 * What a push message says, as JSON. The form of a notification is declarative (WebKit's "Declarative Web Push"): Safari shows it without a
 * worker, and /sw.js reads the same members in other browsers.
 */
import { config } from '@/lib/kernel/config'
import { plainBytesMax } from './encrypt'
import type { PushSubscription } from './subscription'

export interface PushNotification {
  title: string
  body: string
  /** The path of the page that it opens, such as `/pecks/PECK-…`. */
  path: string
  /** A later notification with the same tag replaces it. A withdrawal names it. */
  tag: string
  /** How many requests wait: the number on the icon of the app. */
  waiting: number
}

/** Returns the payload of a notification. Shortens the body so that it fits into one message. */
export function notificationPayload({ title, body, path, tag, waiting }: PushNotification): string {
  const write = (text: string) =>
    JSON.stringify({
      web_push: 8030,
      notification: {
        title,
        body: text,
        navigate: `${config().baseUrl}${path}`,
        tag,
        app_badge: String(waiting),
      },
    })
  let text = body
  while (Buffer.byteLength(write(text)) > plainBytesMax && text !== '')
    text = [...text].slice(0, Math.floor([...text].length * 0.9)).join('')
  return write(text)
}

/** Returns the payload that takes a notification away, because the request was answered elsewhere or has ended. */
export function withdrawalPayload(tag: string, waiting: number): string {
  return JSON.stringify({ withdraw: tag, app_badge: String(waiting) })
}

/**
 * Tells whether a subscription may get withdrawals. Safari ends a subscription after a few messages that show nothing, so there the page
 * closes the notifications when it is opened next.
 */
export function takesWithdrawals({ endpoint }: PushSubscription): boolean {
  return !/(^|\.)push\.apple\.com$/.test(new URL(endpoint).hostname)
}
