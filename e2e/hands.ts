/** Counts what a person does and reads on a trip through the pages, and compares it with the table in docs/trips.md. */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { hydrated } from './browser'
import { expect } from './fixtures'

/** Words of builders, which a person need not know. */
const builderWords =
  /\b(?:beak keys?|agent keys?|bond\w*|handshakes?|capabilit\w+|scopes?|oauth|mcp|tokens?|ducklings?|pecks?|tiers?|T[0-3]|credentials?|certificates?)\b/giu

/** What a person does and reads. */
export class Hands {
  taps = 0
  fields = 0
  readonly screens: { name: string; text: string }[] = []

  constructor(
    readonly page: Page,
    /** Called on each screen. */
    readonly onScreen: (name: string) => Promise<unknown> = async () => {},
  ) {}

  async tap(target: ReturnType<Page['getByRole']>): Promise<void> {
    await target.click()
    this.taps++
  }

  async fill(target: ReturnType<Page['getByRole']>, value: string): Promise<void> {
    await target.fill(value)
    this.fields++
  }

  /** Reads what a part of the page shows, below the header. */
  async read(name: string, part = 'main'): Promise<void> {
    await hydrated(this.page)
    await this.onScreen(name)
    // A dialog opens after the tap.
    await this.page.locator(part).first().waitFor({ state: 'attached' })
    const text = await this.page.evaluate(shownText, part)
    this.screens.push({ name, text })
  }

  get words(): number {
    return this.screens.reduce((sum, { text }) => sum + wordsOf(text), 0)
  }

  get builderWords(): string[] {
    return this.screens.flatMap(({ text }) => text.match(builderWords) ?? [])
  }
}

/** Returns the text that a part of the page displays, and the chosen options. Runs in the browser. */
function shownText(part: string): string {
  const texts: string[] = []
  const walker = document.createTreeWalker(
    document.querySelector(part) ?? document.body,
    NodeFilter.SHOW_TEXT,
  )
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement
    const isShown =
      parent instanceof HTMLOptionElement
        ? parent.selected && parent.closest('select')?.checkVisibility()
        : parent?.checkVisibility() === true && parent.closest('.visually-hidden, script, style') === null
    if (isShown) texts.push(node.nodeValue ?? '')
  }
  return texts.join(' ')
}

const wordsOf = (text: string): number => text.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0

interface Trip {
  name: string
  taps: number
  fields: number
  words: number
}

/** Returns the trips of the table: name, taps, fields, words. */
function tripsIn(markdown: string): Trip[] {
  const rows = markdown.matchAll(/^\| ([^|]+?) \| (\d+) \| (\d+) \| (\d+) \|/gm)
  return [...rows].map(([, name = '', taps, fields, words]) => ({
    name,
    taps: Number(taps),
    fields: Number(fields),
    words: Number(words),
  }))
}

/** Requires the taps and fields of the table, at most its words, and no word of builders except `known`. What grows here takes the time of everybody. */
export function expectTrip(hands: Hands, name: string, known: string[] = []): void {
  const trip = tripsIn(readFileSync('docs/trips.md', 'utf8')).find((one) => one.name === name)
  const { taps, fields, words, builderWords, screens } = hands
  const unknown = builderWords.filter((word) => !known.includes(word.toLowerCase()))
  expect({ name, taps, fields, unknown }).toEqual({
    name: trip?.name,
    taps: trip?.taps,
    fields: trip?.fields,
    unknown: [],
  })
  expect(words, JSON.stringify(screens, null, 1)).toBeLessThanOrEqual(trip?.words ?? 0)
}
