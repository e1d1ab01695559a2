'use client'

import { registerWorker } from './push'

/** Registers the worker, sets the number on the icon, and closes the notifications of requests that are open or answered. */
export async function tidy(waiting: number): Promise<void> {
  const worker = await registerWorker()
  if ('setAppBadge' in navigator)
    await (waiting > 0 ? navigator.setAppBadge(waiting) : navigator.clearAppBadge())
  for (const notification of await worker.getNotifications())
    if (waiting === 0 || notification.data?.url === location.href) notification.close()
}
