/** A newcomer: an address is pasted into a program, and one request later the person has decided. How much of a person's time that takes. */
import type { Page } from '@playwright/test'
import { link, open, sidewaysOf, violationsOf, withAuthenticator } from './browser'
import { firstRequest } from './first-request'
import { expect, test } from './fixtures'
import { expectTrip, Hands } from './hands'
import { anAddress } from './people'

const screens = {
  'on a computer': { viewport: { width: 1280, height: 800 } },
  'on a phone': { viewport: { width: 320, height: 640 }, hasTouch: true, colorScheme: 'dark' },
} as const

/** Nothing else sends words, controls or colours past the eyes of the person. */
async function check(page: Page): Promise<void> {
  expect(await sidewaysOf(page)).toBe(0)
  expect(await violationsOf(page)).toEqual([])
}

for (const [where, options] of Object.entries(screens))
  test(`comes from a pasted address to the first approved request with 4 taps and 250 words ${where}`, async ({
    newPage,
    server,
  }) => {
    const page = await newPage({ ...options, baseURL: server.url })
    await withAuthenticator(page)
    const hands = new Hands(page, () => check(page))
    expect(await firstRequest(hands, server, anAddress('anna'))).toBe('approved')
    expectTrip(hands, 'A newcomer connects a program and approves its first request')
    // The setup list of Home ends with that.
    await open(page, '/home')
    await expect(link(page, /^Agent ?, done$/)).toBeVisible()
  })
