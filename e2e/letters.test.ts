/**
 * Opens every mail, and every message to phones and chats, as people see them: light, dark, on a phone of 320 px and as plain text. With
 * `BEAK_SCREENSHOTS=<folder>` it saves all of them as pictures, and `letters/index.html` there shows them beside each other.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { noteBody } from '@/lib/domain/channels/note'
import { everyMail, everyNote, everyText } from '@/lib/fixtures/every-mail'
import { escaped } from '@/lib/infrastructure/mail/letter'

const { BEAK_SCREENSHOTS: pictures } = process.env
const folder = pictures === undefined ? null : join(pictures, 'letters')

const forms = {
  light: { width: 720, colorScheme: 'light' },
  dark: { width: 720, colorScheme: 'dark' },
  phone: { width: 320, colorScheme: 'light' },
} as const
type Form = keyof typeof forms

const textPage = (text: string) =>
  `<!doctype html><meta charset="utf-8"><style>body{margin:16px;max-width:44rem;font:14px/1.5 monospace}pre{white-space:pre-wrap;overflow-wrap:anywhere}</style><pre>${escaped(text)}</pre>`

const card = (title: string, body: string) =>
  `<!doctype html><meta charset="utf-8"><style>body{margin:12px;width:336px;font:15px/1.35 sans-serif;background:#dfe3e2}article{background:#fff;border-radius:14px;padding:12px 14px;overflow-wrap:anywhere}h1{font-size:15px;margin:0 0 4px}p{margin:0;white-space:pre-wrap}</style><article><h1>${escaped(title)}</h1><p>${escaped(body)}</p></article>`

const fileOf = (name: string, form: string) => `${name.replaceAll(/[^\w]+/g, '-')}.${form}.png`

async function show(page: Page, html: string, { width, colorScheme }: (typeof forms)[Form]): Promise<void> {
  await page.setViewportSize({ width, height: 480 })
  await page.emulateMedia({ colorScheme })
  await page.setContent(html)
}

async function save(page: Page, file: string): Promise<void> {
  if (folder !== null) await page.screenshot({ path: join(folder, file), fullPage: true })
}

/** Returns the texts whose contrast with the background behind them is below 4.5, or 3 for large letters (WCAG 1.4.3). */
const lowContrast = (page: Page) =>
  page.evaluate(() => {
    const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number)
    const light = (colour: string) => {
      const [red = 0, green = 0, blue = 0] = channels(colour).map((part) => {
        const share = part / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const behind = (element: Element | null): string => {
      if (element === null) return 'rgb(255, 255, 255)'
      const { backgroundColor } = getComputedStyle(element)
      return channels(backgroundColor)[3] === 0 ? behind(element.parentElement) : backgroundColor
    }
    return [...document.body.querySelectorAll('*')].flatMap((element) => {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
      if (!own) return []
      const { color, fontSize } = getComputedStyle(element)
      const [one, other] = [light(color), light(behind(element))]
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
      return ratio >= (Number.parseFloat(fontSize) >= 24 ? 3 : 4.5)
        ? []
        : [`${ratio.toFixed(2)}: ${element.textContent}`]
    })
  })

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test.describe.configure({ mode: 'serial' })

test('every mail fits a phone and can be read, light and dark', async ({ page }) => {
  if (folder !== null) await mkdir(folder, { recursive: true })
  for (const [name, { subject, html = '', text }] of Object.entries(everyMail())) {
    for (const [form, look] of Object.entries(forms) as [Form, (typeof forms)[Form]][]) {
      await show(page, html, look)
      expect([name, form, await overflow(page)]).toEqual([name, form, 0])
      expect([name, form, await lowContrast(page)]).toEqual([name, form, []])
      await save(page, fileOf(name, form))
    }
    await show(page, textPage(`Subject: ${subject}\n\n${text}`), forms.light)
    await save(page, fileOf(name, 'text'))
  }
})

test('every message to phones and chats is a card', async ({ page }) => {
  const notes = Object.entries(everyNote()).map(([name, note]) => [
    `message: ${name}`,
    note.title,
    noteBody(note),
  ])
  const texts = Object.entries(everyText()).map(([name, { text }]) => [name, 'SMS', text])
  for (const [name = '', title = '', body = ''] of [...notes, ...texts]) {
    await show(page, card(title, body), { ...forms.light, width: 360 } as never)
    expect([name, await overflow(page)]).toEqual([name, 0])
    await save(page, fileOf(name, 'card'))
  }
  if (folder === null) return
  const rows = Object.entries(everyMail()).map(
    ([name, { subject }]) =>
      `<h2>${escaped(name)}</h2><p>${escaped(subject ?? '')}</p><div>${['light', 'dark', 'phone', 'text']
        .map((form) => `<img src="${fileOf(name, form)}" alt="${form}">`)
        .join('')}</div>`,
  )
  const cards = [...notes, ...texts].map(
    ([name = '']) => `<img src="${fileOf(name, 'card')}" alt="${escaped(name)}">`,
  )
  const style =
    'body{font:16px sans-serif}div{display:flex;gap:8px;align-items:flex-start}img{max-width:25%;border:1px solid #999}'
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Mails and messages</title><style>${style}</style>${rows.join('')}<h2>Messages</h2><div style="flex-wrap:wrap">${cards.join('')}</div>`,
  )
})
