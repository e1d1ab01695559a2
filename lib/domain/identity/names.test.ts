import { describe, expect, it } from 'vitest'
import { displayName, displayNameFor, fullName, inventedName } from './names'

/** Returns the messages about a full name, or the name as it is stored. */
function check(name: unknown): string {
  const { data, error } = fullName.safeParse(name)
  return error?.issues.map(({ message }) => message).join(', ') ?? String(data)
}

describe('fullName', () => {
  it.each([
    'Anna Weber',
    'Zoë',
    "O'Neil",
    'O’Neil',
    '李雷',
    'محمد',
    'Jean-Luc',
    'J.-P. Belmondo',
    'Martin L. King',
    'J.R.R. Tolkien',
    "Gerard 't Hooft",
    'Ana·Maria',
    'マイケル・ジョーダン',
    '佐々木 あい',
    '김 Anna',
    'नरेन्द्र',
    'ஸ்ரீ',
    'Nguyễn Văn A',
    'X Æ A-12',
    'สมชาย ใจดำ',
    'Иван Петров',
    'Γιώργος',
    'דָּוִד',
    'علی‌رضا',
    'အောင်ဆန်းစုကြည်',
    'ʻAkahi',
    'Ọ̀ṣun',
    'Bo',
    'I',
    '1st Lt. Anna',
    'Beakman',
    'You Li',
    'ʿAlī',
    'OʼNeil',
    'ג׳ון',
    'ד״ר כהן',
    'བསྟན་འཛིན',
    'Mª José',
    '〇子',
    'Tô Hoài',
    'Анна Weber',
    'Weber Ю',
    'a'.repeat(40),
    '𠮷'.repeat(40),
  ])('accepts %s as it is', (name) => {
    expect(check(name)).toBe(name.normalize('NFC'))
  })

  it('normalizes to NFC, trims, and writes single spaces', () => {
    expect(check('  Zoe\u0308\u00a0 Weber\u3000\n')).toBe('Zo\u00eb Weber')
  })

  it.each([
    ['Dr.Müller', 'Dr. Müller'],
    ['K.R.Narayanan', 'K.R. Narayanan'],
    ['Ю.А.Гагарин', 'Ю.А. Гагарин'],
    ['Jean\u2011Luc', 'Jean-Luc'],
    ['محمـد', 'محمد'],
  ])('writes %s as %s', (name, expected) => {
    expect(check(name)).toBe(expected)
  })

  // security: asker-21
  it.each([
    ['', 'must not be empty'],
    [' \u3000', 'must not be empty'],
    ['a'.repeat(41), 'at most 40'],
    ['a'.repeat(1001), 'at most 40'],
    ['Anna\r\nBcc: eve@example.com', 'one line'],
    ['Anna\u2028Weber', 'one line'],
    ['Anna\u202eWeber', 'invisible'],
    ['Anna\u2066Weber', 'invisible'],
    ['An\u200bna', 'invisible'],
    ['An\u200dna', 'invisible'],
    ['Anna\ufe0f', 'invisible'],
    ['\u3164', 'invisible'],
    ['Anna\u034f', 'invisible'],
    ['𝐀𝐧𝐧𝐚', 'special form'],
    ['Ａｎｎａ', 'special form'],
    ['ﬁona', 'special form'],
    ['Anna 🦆', 'remove other signs'],
    ['<b>Anna</b>', 'remove other signs'],
    ['Anna & Bob', 'remove other signs'],
    ['Anna, agent', 'remove other signs'],
    ['anna@example', 'remove other signs'],
    ['“Anna”', 'remove other signs'],
    ['Annaˈ', 'remove other signs'],
    ['Annaꞌ', 'remove other signs'],
    ['Anna ꞏ', 'remove other signs'],
    ['ǃAnna', 'remove other signs'],
    ['Teal ꓸ', 'remove other signs'],
    ['Teal ᐧ', 'remove other signs'],
    ['Anna׳', 'remove other signs'],
    ['A\u0336nna', 'remove other signs'],
    ['A\u20ddnna', 'remove other signs'],
    ['12', 'at least one letter'],
    ['\u0301\u0302', 'at least one letter'],
    ['...', 'at least one letter'],
    ['ーー', 'at least one letter'],
    ['q\u0301\u0302\u0303na', 'too many accents'],
    ['Anna q\u0323\u0323', 'too many accents'],
    ['Anna \u0301', 'too many accents'],
    ['ก่้๊๋์', 'too many accents'],
    ['-Anna', 'wrong place'],
    ['Anna-', 'wrong place'],
    ["O''Neil", 'wrong place'],
    ['Anna ..', 'wrong place'],
    ['evil.com', 'web address'],
    ['www.evil.com', 'web address'],
    ['Аnna', 'several scripts'],
    ['Anna Wеber', 'several scripts'],
    ["O'Нeil", 'several scripts'],
    ['Αnna', 'several scripts'],
    ['李Иван', 'several scripts'],
    ['محمدAnna', 'several scripts'],
    ['あ강', 'several scripts'],
    ['𐐔𐐇', 'several scripts'],
    ['Coco Сосо', 'looks like Latin'],
    ['Martin О. King', 'looks like Latin'],
    ['Call 0800 1234567', 'at most 4 digits'],
    ['Оса Lee', 'looks like Latin'],
    ['Beak', 'reserved word'],
    ['Beakʼs Team', 'reserved word'],
    ['Beak Support', 'reserved word'],
    ['Веак', 'reserved word'],
    ['ВЕАК', 'reserved word'],
    ['Be ak', 'reserved word'],
    ["B'eak", 'reserved word'],
    ['B·e·a·k', 'reserved word'],
    ['Anna Supp0rt', 'reserved word'],
    ['ᴀᴅᴍɪɴ', 'reserved word'],
    ['Be\u0301a\u0308k', 'reserved word'],
    ['Nobody', 'reserved word'],
    ['You', 'words of this service'],
    ['Your agent', 'words of this service'],
    ['An agent of Anna', 'words of this service'],
    ['Claude - agent of Anna', 'words of this service'],
    ['Anna verified', 'words of this service'],
    ['Anna - T3', 'words of this service'],
    ['Closed', 'words of this service'],
    [7, 'expected string'],
  ])('rejects %j and says what to do', (name, words) => {
    expect(check(name)).toContain(words)
  })
})

describe('displayName', () => {
  // security: asker-21
  it.each(['You', 'Verified', 'Closed', 'YourAgent', 'AnAgentOfAnna', 'AnnaT3', 'Trusted', 'Somebody'])(
    'rejects %s as words of the service',
    (name) => {
      const messages = displayName.safeParse(name).error?.issues.map(({ message }) => message)
      expect(messages).toEqual(['sounds like words of this service; choose another name'])
    },
  )

  it.each(['Youssef', 'Teal', 'Tier', 'AnnaTo', 'JohnnieTi'])('accepts %s', (name) => {
    expect(displayName.parse(name)).toBe(name)
  })
})

describe('inventedName', () => {
  it('is a name that the person can keep', () => {
    const names = Array.from({ length: 3_000 }, inventedName)
    expect(names.filter((name) => !displayName.safeParse(name).success)).toEqual([])
  })
})

describe('displayNameFor', () => {
  it.each([
    ['Anna Weber', 'AnnaWeber'],
    ['Zoë', 'Zoe'],
    ["O'Neil", 'ONeil'],
    ['Nguyễn Văn A', 'NguyenVanA'],
    ['X Æ A-12', 'XAeA12'],
    ['Łukasz Øster Groß', 'LukaszOsterGross'],
    ['Ana·Maria 李', 'AnaMaria'],
    ['a'.repeat(40), 'a'.repeat(32)],
    ['李雷', null],
    ['محمد', null],
    ['Bo', null],
    ['Y 李 ou', null],
    ['ʻAdm 李 in', null],
  ])('makes of %s the display name %s', (name, expected) => {
    expect(displayNameFor(name)).toBe(expected)
  })
})
