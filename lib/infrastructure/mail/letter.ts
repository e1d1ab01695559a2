/**
 * The HTML of a mail: one column that fits a window of 320 px, without pictures, scripts, fonts or anything else from a server. Mail programs
 * read little CSS, so each element has its colours in a `style` of its own, and classes change them where dark mode is understood. Programs
 * that invert colours by themselves find pairs with enough contrast either way.
 */

import { m } from '@/lib/kernel/messages'
import { currentLanguage } from '@/lib/kernel/text/language'
import type { LetterKind } from './kinds'
import type { Part } from './parts'
import type { Reader } from './reader'
import type { Message } from './send'

/** Light and dark colours. The pages have the same (app/tokens.css). */
const colours = {
  ground: ['#faf8f3', '#0f1514'],
  surface: ['#ffffff', '#171f1e'],
  sunken: ['#f1eee5', '#0a0f0e'],
  ink: ['#16211f', '#eef1ec'],
  soft: ['#50605c', '#a9b6b1'],
  line: ['#e2ddd1', '#2b3735'],
  accent: ['#a8450a', '#ffb163'],
  onAccent: ['#ffffff', '#20130a'],
  bad: ['#a3241c', '#ff9d92'],
  badWash: ['#fde7e4', '#341614'],
} as const
type Colour = keyof typeof colours

interface Look {
  color?: Colour
  background?: Colour
  border?: Colour
  css: string
}

const looks = {
  page: { background: 'ground', css: 'margin:0;padding:0' },
  card: {
    background: 'surface',
    color: 'ink',
    border: 'line',
    css: 'border:1px solid;border-radius:14px;padding:24px;overflow-wrap:anywhere;word-break:break-word',
  },
  text: { color: 'ink', css: 'margin:0 0 16px' },
  heading: { color: 'ink', css: 'margin:0 0 12px;font-size:20px;line-height:1.3;font-weight:bold' },
  title: { color: 'ink', css: 'font-weight:bold;text-decoration:underline' },
  warning: {
    color: 'bad',
    background: 'badWash',
    border: 'bad',
    css: 'margin:0 0 16px;padding:10px 14px;border-left:4px solid;font-weight:bold',
  },
  code: {
    color: 'ink',
    background: 'sunken',
    css: 'margin:0 0 16px;padding:14px 8px;border-radius:6px;font:bold 28px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.14em;text-align:center',
  },
  facts: { color: 'ink', css: 'margin:0 0 16px;border-collapse:collapse' },
  name: {
    color: 'soft',
    css: 'padding:2px 16px 2px 0;text-align:left;vertical-align:top;font-weight:normal;word-break:normal;overflow-wrap:break-word',
  },
  value: { color: 'ink', css: 'padding:2px 0;vertical-align:top' },
  button: {
    color: 'onAccent',
    background: 'accent',
    border: 'accent',
    css: 'display:inline-block;border:1px solid;border-radius:6px;padding:10px 18px;font-weight:bold;text-decoration:none',
  },
  link: { color: 'accent', css: 'text-decoration:underline' },
  item: { color: 'ink', border: 'line', css: 'margin:0 0 16px;padding:0 0 2px;border-bottom:1px solid' },
  list: { color: 'ink', css: 'margin:0 0 16px;padding:0 0 0 20px' },
  quote: {
    color: 'ink',
    border: 'line',
    css: 'margin:0 0 16px;padding:2px 0 2px 14px;border-left:3px solid;white-space:pre-wrap',
  },
  small: { color: 'soft', css: 'padding:18px 24px;font-size:13px;line-height:1.5' },
  smallText: { color: 'soft', css: 'margin:0 0 8px' },
  brand: { color: 'soft', css: 'padding:4px 24px 12px;font-size:15px;font-weight:bold;letter-spacing:.02em' },
} satisfies Record<string, Look>
type LookName = keyof typeof looks

const rules = (look: Look, mode: 0 | 1): string[] => [
  ...(look.color ? [`color:${colours[look.color][mode]}`] : []),
  ...(look.background ? [`background-color:${colours[look.background][mode]}`] : []),
  ...(look.border ? [`border-color:${colours[look.border][mode]}`] : []),
]

/** Attributes of an element with that look. */
const as = (name: LookName): string =>
  `class="${name}" style="${[looks[name].css, ...rules(looks[name], 0)].join(';')}"`

const darkRules = (Object.keys(looks) as LookName[]).map(
  (name) =>
    `.${name}{${rules(looks[name], 1)
      .map((rule) => `${rule} !important`)
      .join(';')}}`,
)

const style = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  `@media (prefers-color-scheme:dark){${darkRules.join('')}}`,
  '@media (max-width:480px){.card{padding:18px 16px !important}.small,.brand{padding-left:16px !important;padding-right:16px !important}.name{display:block;padding:6px 0 0 !important}.value{display:block;padding:0 !important}}',
].join('\n')

/** Mail programs must not make links of their own. */
const head = [
  '<meta charset="utf-8">',
  '<meta name="viewport" content="width=device-width,initial-scale=1">',
  '<meta name="color-scheme" content="light dark">',
  '<meta name="supported-color-schemes" content="light dark">',
  '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">',
  '<meta name="x-apple-disable-message-reformatting">',
]

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Returns a text as HTML. */
export const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** Returns a text as HTML in which no date is broken at the end of a line. */
const unbroken = (text: string) =>
  escaped(text).replaceAll(/(?<!\d)\d{4}-\d\d-\d\d(?!\d)/g, '<span style="white-space:nowrap">$&</span>')

const paragraph = (text: string, look: LookName = 'text') => `<p ${as(look)}>${unbroken(text)}</p>`

function fact([name, value]: [string, string]): string {
  return `<tr>\n<th scope="row" ${as('name')}>${escaped(name)}</th>\n<td ${as('value')}>${unbroken(value)}</td>\n</tr>`
}

function blocks(part: Part): string[] {
  if (typeof part === 'string') return [paragraph(part)]
  if ('heading' in part) return [`<h1 ${as('heading')}>${escaped(part.heading)}</h1>`]
  if ('warning' in part) return [paragraph(part.warning, 'warning')]
  if ('code' in part) return [paragraph(part.code, 'code')]
  if ('facts' in part) return [`<table ${as('facts')}>\n${part.facts.map(fact).join('\n')}\n</table>`]
  if ('title' in part)
    return [`<p ${as('text')}><a href="${escaped(part.url)}" ${as('title')}>${unbroken(part.title)}</a></p>`]
  if ('url' in part) return [linkBlock(part)]
  if ('items' in part) return part.items.map(itemBlock)
  if ('list' in part)
    return [
      paragraph(part.lead),
      `<ul ${as('list')}>\n${part.list.map((line) => `<li>${escaped(line)}</li>`).join('\n')}\n</ul>`,
    ]
  if ('quote' in part) return [`<blockquote ${as('quote')}>${escaped(part.quote)}</blockquote>`]
  return []
}

const linkBlock = ({ label, url, isLink }: { label: string; url: string; isLink?: true }) =>
  `<p ${as('text')}><a href="${escaped(url)}" ${as(isLink ? 'link' : 'button')}>${escaped(label)}</a></p>`

const itemBlock = (parts: Part[]) => `<div ${as('item')}>\n${parts.flatMap(blocks).join('\n')}\n</div>`

function smallBlock(part: Part): string {
  if (typeof part === 'string') return paragraph(part, 'smallText')
  if ('label' in part)
    return `<p ${as('smallText')}><a href="${escaped(part.url)}" ${as('link')}>${escaped(part.label)}</a></p>`
  return ''
}

/** Returns the mail as an HTML document. Lines are short, because mail servers cut long ones. */
function htmlOf(subject: string, parts: Part[]): string {
  const small = parts.flatMap((part) => (typeof part !== 'string' && 'small' in part ? part.small : []))
  return `${[
    '<!doctype html>',
    `<html lang="${currentLanguage()}">`,
    `<head>\n${head.join('\n')}\n<title>${escaped(subject)}</title>\n<style>\n${style}\n</style>\n</head>`,
    `<body ${as('page')}>`,
    `<table role="presentation" width="100%" cellspacing="0" cellpadding="0" ${as('page')}>`,
    '<tr><td align="center" style="padding:24px 12px">',
    '<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:560px;text-align:left;font:16px/1.55 -apple-system,BlinkMacSystemFont,\'Segoe UI\',Roboto,Helvetica,Arial,sans-serif">',
    `<tr><td ${as('brand')}>Beak</td></tr>`,
    `<tr><td ${as('card')}>`,
    ...parts.flatMap(blocks),
    '</td></tr>',
    ...(small.length === 0 ? [] : [`<tr><td ${as('small')}>`, ...small.map(smallBlock), '</td></tr>']),
    '</table>',
    '</td></tr>',
    '</table>',
    '</body>',
    '</html>',
  ].join('\n')}\n`
}

/** The plain text of a mail: paragraphs with an empty line in between. */

/** Returns an item as lines below each other. The address of its title or link is the last line. */
function itemText(parts: Part[]): string {
  const texts = parts.flatMap((part) =>
    typeof part !== 'string' && 'title' in part
      ? [part.title]
      : paragraphs(part).filter((text) => !isUrl(text)),
  )
  const urls = parts.flatMap((part) => (typeof part !== 'string' && 'url' in part ? [part.url] : []))
  return [...texts, ...urls].join('\n')
}

const isUrl = (text: string) => /^https?:\S+$/.test(text)

function paragraphs(part: Part): string[] {
  if (typeof part === 'string') return [part]
  if ('heading' in part) return [part.heading]
  if ('warning' in part) return [part.warning]
  if ('code' in part) return [`    ${part.code}`]
  if ('facts' in part) return [part.facts.map(([name, value]) => `${name}: ${value}`).join('\n')]
  if ('title' in part) return [part.title, part.url]
  if ('url' in part) return [`${part.label}:`, part.url]
  if ('items' in part)
    return part.items.map((item, index) => `${(part.start ?? 1) + index}. ${itemText(item)}`)
  if ('list' in part) return [`${part.lead}\n${part.list.map((line) => `- ${line}`).join('\n')}`]
  if ('quote' in part) return [part.quote.replaceAll(/^/gm, '> ')]
  return part.small.flatMap(paragraphs)
}

/** Returns the plain text of the parts. */
function textOf(parts: Part[]): string {
  return `${parts.flatMap(paragraphs).join('\n\n')}\n`
}

/** The parts of a mail. Plain text and HTML are made from the same parts, so they have the same words (contract F, Mail). */

/** A mail before it is rendered. Nothing in it comes from others unless it went through foreign-text.ts. */
export interface Letter extends Omit<Message, 'kind' | 'to' | 'text' | 'html' | 'subject'> {
  kind: LetterKind
  subject: string
  parts: Part[]
  /** For mails with times. */
  reader?: Reader
}

/** Returns the mail with its plain text and its HTML. */
export function letter({ parts, reader, ...message }: Letter): Omit<Message, 'to'> {
  const all = [...parts, ...zoneOf(parts, reader)]
  return { ...message, text: textOf(all), html: htmlOf(message.subject, all) }
}

/** The last line of a mail that has a time of day: the zone of the times. */
function zoneOf(parts: Part[], reader: Reader | undefined): Part[] {
  const zone = reader?.readerZone
  if (!zone || !/\b\d\d:\d\d\b/.test(JSON.stringify(parts))) return []
  return [{ small: [m.mail_times_in_zone({ zone })] }]
}
