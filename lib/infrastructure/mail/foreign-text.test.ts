import { describe, expect, it } from 'vitest'
import { foreignText, foreignValue, ownSentence } from './foreign-text'

describe('foreignText', () => {
  it.each([
    ['Scout', '"Scout"'],
    ['Node 22 helper v1.2', '"Node 22 helper v1.2"'],
    ['Reads mail, e.g. bills', '"Reads mail, e.g. bills"'],
    ['.NET agent…', '".NET agent..."'],
    ['WHK-01M8543697ABCDEFGHJK', '"WHK-01M8543697ABCDEFGHJK"'],
    ['', '""'],
  ])('quotes %j without changes', (text, shown) => {
    expect(foreignText(text)).toBe(shown)
  })

  it.each([
    'Unlock at https://evil.example/u',
    'Unlock at HTTP:\\\\evil.example',
    'Unlock at www.evil',
    'Unlock at evil.example',
    'Unlock at evil.example.',
    'Unlock at (evil.example/u)',
    'Unlock at xn--evil-9ta.example',
    'Unlock at evil．example',
    'Unlock at evil。example',
    'Unlock at evil｡example',
    'Unlock at evil․example',
    'Unlock at evil\u200b.exa\u00admple',
    'Unlock at evil.\u2060example',
    'Unlock at evil\ufe0f.\ufe0fexample',
    'Unlock at 例え.テスト',
    'Unlock at help@evil.example',
    'Unlock at help＠evil',
    'Unlock at ｈｔｔｐｓ：／／evil',
    'Unlock at mailto:help',
    'Unlock at tel:112',
    'Unlock at 10.20.30.40/u',
    'Unlock at https://e vil.example',
  ])('removes the link of %j', (text) => {
    const shown = foreignText(text)
    expect(shown).toMatch(/^"Unlock at \[link removed\]/)
    expect(shown).not.toMatch(/example|:\/\/|@|。|．|テスト/)
  })

  it.each(['Call +1 900 555 0100 now', 'Call 0900/555-0100 now', 'Call +１（900）５５５０１００ now'])(
    'removes the phone number of %j',
    (text) => {
      expect(foreignText(text)).toBe('"Call [number removed] now"')
    },
  )

  it('removes a phone number with a plus sign even when it follows a letter', () => {
    expect(foreignText('Call+1 900 555 0100')).toBe('"Call[number removed]"')
  })

  // security: asker-25
  it('shortens the text to 40 characters after it removed the links', () => {
    expect(foreignText('x'.repeat(41))).toBe(`"${'x'.repeat(39)}…"`)
    expect(foreignText('x'.repeat(40))).toBe(`"${'x'.repeat(40)}"`)
    expect(foreignText('🦆'.repeat(64))).toBe(`"${'🦆'.repeat(39)}…"`)
    expect(foreignText(`${'x '.repeat(17)}https://evil.example/u`)).not.toContain('evil')
  })

  it.each([
    '"',
    '“',
    '”',
    '„',
    '«',
    '»',
    '‹',
    '›',
    '＂',
    '〝',
    '〞',
    '〟',
    "''",
    'ʺ',
    '״',
    '❞',
    '❝',
    '″',
    '‟',
    '˝',
    '´´',
    '``',
    '’’',
    '〃',
    '🙷',
  ])('does not let %s close the quotes', (mark) => {
    expect(foreignText(`a${mark}b`)).toMatch(/^"a ?b"$/)
  })

  it('keeps the text on one line', () => {
    expect(foreignText('Scout\r\nBcc: all\u2028\u202e me')).toBe('"Scout Bcc: all me"')
  })

  it('needs no more than linear time', () => {
    for (const text of ['.', 'a.', '1 ', 'a:', "'", '@'])
      expect(foreignText(text.repeat(100_000)).length).toBeLessThanOrEqual(42)
  })
})

/** What mail programs look for, more eagerly than any of them: known top-level domains, addresses, schemes, numbers of IP and telephone. */
const linkers = [
  /[\p{L}\p{N}_-]+\.(?:com|net|org|io|de|app|dev|example|live|テスト)(?![\p{L}\p{N}])/iu,
  /[\w.+-]+@[\w-]+(?:\.[\w-]+)*/,
  /\b(?:https?|ftp|mailto|tel|sms|javascript):[^\s\u2060]/i,
  /\/\/\w/,
  /\bwww\.\w/i,
  /\d{1,3}(?:\.\d{1,3}){3}/,
  /(?:\d[ ()/-]?){7,}/,
]
/** As people see it: the characters that keep addresses from becoming links have no width. */
const seen = (text: string) => text.replaceAll('\u2060', '')

describe('foreignValue', () => {
  it.each([
    'bob@example.com',
    'https://evil.example/u?next=https://bank.com',
    'www.evil.com',
    'evil.com',
    'mailto:bob@example.com',
    'javascript:alert(1)',
    'user:pass@10.20.30.40:8080/x',
    '例え.テスト',
    'src/server.io',
    'Write to a@b.de, c@d.de or e.app',
  ])('shows %j as it is, and no program makes a link of it', (text) => {
    const shown = foreignValue(text)
    expect(seen(shown)).toBe(`"${text}"`)
    for (const linker of linkers) expect(shown).not.toMatch(linker)
  })

  it.each([
    ['evil\u2060.\u200bcom', '"evil.com"'],
    ['evil．com', '"evil.com"'],
    ['\u202emoc.live\u2066', '"moc.live"'],
    ['a\r\nBcc: x@evil.com', '"a Bcc: x@evil.com"'],
    ['" High risk: none. "', '"High risk: none."'],
    ['call +1 (800) 555-0199 now', '"call [number ending in 0199] now"'],
    ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
  ])('shows %j on one line, without hidden characters of the asker', (text, value) => {
    const shown = foreignValue(text)
    expect(seen(shown)).toBe(value)
    for (const linker of linkers.slice(0, -1)) expect(shown).not.toMatch(linker)
  })

  it('is at most 60 characters long, and keeps both ends of an address', () => {
    const shown = seen(foreignValue(`${'a'.repeat(100)}@${'b'.repeat(100)}.com`))
    expect(shown).toMatch(/^"a{29}…b+\.com"$/)
    expect(shown.length).toBeLessThanOrEqual(62)
  })
})

describe('ownSentence', () => {
  it('does not change a sentence without links', () => {
    const sentence =
      'Agent "Scout" of Alice42 (tier T1) asks Bob7 for permission to read mail, once; to be answered by 2027-01-02 03:04 UTC.'
    expect(ownSentence(sentence)).toBe(sentence)
  })

  it('shortens a name inside quotes and removes links inside and outside of them', () => {
    const sentence = `Agent "Your account is locked. Unlock at https://evil.example/u" of Alice42 asks Bob7 for permission to visit evil.example/${'u'.repeat(30)}, once.`
    expect(ownSentence(sentence)).toBe(
      'Agent "Your account is locked. Unlock at [link…" of Alice42 asks Bob7 for permission to visit [link removed] once.',
    )
  })

  it('shortens a long word outside of quotes', () => {
    expect(ownSentence(`to ${'send-money-'.repeat(6)} once`)).toMatch(/^to \S{39}… once$/)
  })
})
