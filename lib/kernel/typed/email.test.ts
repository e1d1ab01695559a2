import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { email } from '@/lib/kernel/typed/email'

const read = (typed: string) => email.safeParse(typed).data ?? null

describe('a typed email address', () => {
  it.each([
    ['ann@example.org', 'ann@example.org'],
    [' Ann@Example.ORG\n', 'ann@example.org'],
    ['ｘ＠example.test', 'x@example.test'],
    ['ａｎｎ＠ｅｘａｍｐｌｅ．ｏｒｇ', 'ann@example.org'],
    ['ann@example。org', 'ann@example.org'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ann@BÜCHER.example', 'ann@xn--bcher-kva.example'],
    ['ann@bu\u0308cher.example', 'ann@xn--bcher-kva.example'],
    ['ann@XN--BCHER-KVA.example', 'ann@xn--bcher-kva.example'],
    ['ann@例え.テスト', 'ann@xn--r8jz45g.xn--zckzah'],
    ['\u202aann@example.org\u202c', 'ann@example.org'],
    ["o'neil+a_b=c{d}@example.org", "o'neil+a_b=c{d}@example.org"],
  ])('reads %j as %j', (typed, address) => {
    expect(read(typed)).toBe(address)
  })

  it.each([
    ['a Cyrillic letter in the domain', 'ann@\u0430pple.example', 'ann@apple.example'],
    ['an accent in the domain', 'ann@bücher.example', 'ann@bucher.example'],
    ['ß in the domain', 'ann@straße.example', 'ann@strasse.example'],
    ['a dotless i in the domain', 'ann@pıne.example', 'ann@pine.example'],
  ])('reads another mailbox with %s', (_, typed, other) => {
    expect(read(typed)).not.toBeNull()
    expect(read(typed)).not.toBe(read(other))
  })

  // Small letters, compatibility forms and look-alikes of ASCII: a mail server may have a mailbox of that name, which is another one.
  it.each([
    '\u212a',
    '\u0130',
    '\u0131',
    '\ufb01',
    '\u24d0',
    '\u00aa',
    '\u0430',
    '\u0660',
    'é',
    '\u200b',
    '\u00ad',
    '𝐚',
    ' ',
  ])('refuses %j before the @', (letter) => {
    expect(read(`jo${letter}n@example.org`)).toBeNull()
  })

  it.each([
    ['ann', 'must be an email address, like ann@example.org'],
    ['@example.org', 'must be an email address, like ann@example.org'],
    ['Ann <ann@example.org>', 'must be an email address, like ann@example.org'],
    ['ann@example', 'must be an email address, like ann@example.org'],
    ['ann@@example.org', 'must be an email address, like ann@example.org'],
    ['ann@bücher', 'must have a domain after the @, such as example.org'],
    ['ann@büc/her.example', 'must have a domain after the @, such as example.org'],
    ['ann@büc％her.example', 'must have a domain after the @, such as example.org'],
    ['jürgen@example.org', 'must have only a–z, digits and signs such as . - _ + before the @'],
    [
      `ann@${'ü'.repeat(60)}.${'ü'.repeat(60)}.example`,
      'must have a domain after the @, such as example.org',
    ],
  ])('says what would be taken instead of %j', (typed, message) => {
    expect(email.safeParse(typed).error?.issues.map((issue) => issue.message)).toEqual([message])
  })

  it('reads what it has read as the same, and only ASCII', () => {
    const part = fc.array(
      fc.constantFrom(
        'a',
        'Z',
        '9',
        '.',
        '-',
        '＠',
        '@',
        'ü',
        'Ü',
        'ß',
        '。',
        'ｘ',
        '例',
        'xn--',
        '\u0308',
        '\u212a',
        ' ',
      ),
    )
    const texts = fc
      .tuple(part, part)
      .map(([local, domain]) => `x${local.join('')}@${domain.join('')}.example`)
    fc.assert(
      fc.property(texts, (text) => {
        const address = read(text)
        return address === null || (read(address) === address && /^[!-~]+$/.test(address))
      }),
      { numRuns: 500 },
    )
  })
})
