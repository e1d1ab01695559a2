import { describe, expect, it } from 'vitest'
import { inLanguage } from '@/lib/kernel/text/language-scope'
import { letter } from './letter'
import type { Part } from './parts'

const parts: Part[] = [
  'A <b>first</b> paragraph & "more".',
  { warning: 'Read it closely.' },
  { code: '123456' },
  { facts: [['Device', "O'Neill's <Mac>"]] },
  { lead: 'Removed:', list: ['Agents: 2', 'Keys: 1'] },
  { quote: 'one\ntwo <script>' },
  {
    items: [
      ['First.', { facts: [['Amount', '5']] }, { label: 'See it', url: 'https://beak.example/pecks/1' }],
    ],
  },
  { label: 'Open it', url: 'https://beak.example/x?token=a&b=c' },
  { small: ['Small words.', { label: 'Settings', url: 'https://beak.example/notifications' }] },
]
const { text, html = '' } = letter({ kind: 'test', subject: 'A <subject>', parts })

/** Returns the words of an HTML document, without its head. */
const wordsOf = (document: string) =>
  document
    .replace(/^.*<body/s, '<body')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .match(/[\w<>'"&]+/g)

describe('a mail', () => {
  it('is plain text with an empty line between paragraphs', () => {
    expect(text).toBe(
      [
        'A <b>first</b> paragraph & "more".',
        'Read it closely.',
        '    123456',
        "Device: O'Neill's <Mac>",
        'Removed:\n- Agents: 2\n- Keys: 1',
        '> one\n> two <script>',
        '1. First.\nAmount: 5\nSee it:\nhttps://beak.example/pecks/1',
        'Open it:',
        'https://beak.example/x?token=a&b=c',
        'Small words.',
        'Settings:',
        'https://beak.example/notifications\n',
      ].join('\n\n'),
    )
  })

  it('has every word of the text in its HTML', () => {
    const words = new Set(wordsOf(html))
    const missing = (text.replaceAll(/https:\S+/g, '').match(/[\w<>'"&]+/g) ?? []).filter(
      (word) => !words.has(word),
    )
    expect(missing.filter((word) => word !== '>')).toEqual([])
  })

  it('names the language of the reader in its HTML', () => {
    const german = inLanguage('de', () => letter({ kind: 'test', subject: 'A', parts: ['B'] }))
    expect(german.html).toContain('<html lang="de">')
    expect(html).toContain('<html lang="en">')
  })

  it('escapes everything in its HTML', () => {
    expect(html).not.toMatch(/<b>|<script|<Mac>|<subject>/)
    expect(html).toContain('<title>A &lt;subject&gt;</title>')
    expect(html).toContain('href="https://beak.example/x?token=a&amp;b=c"')
  })

  it('loads nothing from a server, runs nothing and has no forms', () => {
    expect(html).not.toMatch(
      /<(?:img|link|script|iframe|object|form|input|video|svg)|url\(|@import|src=|\son\w+=/i,
    )
  })

  it('has colours for dark mode, and lines that no mail server cuts', () => {
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toContain('@media (prefers-color-scheme:dark)')
    for (const line of html.split('\n')) expect(line.length).toBeLessThan(3000)
  })
})
