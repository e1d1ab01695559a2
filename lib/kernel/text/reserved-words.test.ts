import { describe, expect, it } from 'vitest'
import { imitatesSession, isReserved, lookOf, soundsLikePages } from './reserved-words'

/** Returns those of the names for which the answer is wrong. */
const wronglyAnswered = (names: string[], expected: boolean) =>
  names.filter((name) => isReserved(name) !== expected)

describe('isReserved', () => {
  // security: asker-24
  it('returns true for names with a reserved word, also in disguise', () => {
    const names = [
      'Beak',
      'BEAK',
      'BeakSupport',
      'beakadmin',
      'BEAKSupport',
      'MyBeak',
      'OFFICIALduck',
      'Administrator',
      'Adm1n',
      'Admln',
      'ADMIN1',
      '1admin',
      'Supp0rt',
      'Supp0rt2',
      'MySupp0rt',
      '0fficial',
      '0ff1c1al',
      'b34k',
      'system32',
      '5y5tem',
      'beak4you',
      'beak2support',
      'Moderat0r',
      'Root',
      'root2',
      'nu11',
      'Beak Support',
      'The official Beak agent',
      'beak-support-bot',
      'B.E.A.K',
      'b e a k',
      'Beak!',
      '@dmin',
      '$upport desk',
      'supp|rt adm|n',
      'Bеak',
      'веак',
      'Веак support',
      'ВЕАК',
      'ΒΕΑΚ',
      'ＢＥＡＫ',
      'ⓑⓔⓐⓚ',
      '🅱🅴🅰🅺',
      '🄱🄴🄰🄺',
      '𝐁𝐞𝐚𝐤',
      'ʙᴇᴀᴋ',
      'ᴀᴅᴍɪɴ',
      'admın',
      'İnfo ADMİN',
      '8eak',
      'MyВеак',
      'Beak_Support',
      'Be\u00adak',
      'Be\u200dak',
      'Béäk',
      'B\u0336e\u0336a\u0336k\u0336',
      'ßeak',
      'Be⍺k',
      'adrnin',
      'аdmin',
      'ѕуѕтем',
      'ѕystem',
      'øfficial',
      // Letters that look like apostrophes, dots and bars.
      'Beakʼ',
      'Beʼak',
      'Anna Beʼak',
      'Beakꞌ',
      'Beakꞏ',
      'Beakꓸ',
      'Beakʔ',
      'Adminʼ',
      'Supportʼ',
      'Officialʼ',
      'Beakʼs Team',
      'Supportǃ',
      'ǃBeak',
      'Beakǀ',
      'Bǝak',
      'Bəak',
      'Beɐk',
      'Beaʞ',
      'Beak公式サポート',
      'Beak株式会社',
      'Beak지원',
      'Beak官方',
      '公式Beak',
      'Support公式',
      'Adminさん',
      '友達Admin友達',
      'The Host',
      'Администратор',
      'АДМИНИСТРАТОР',
      'Служба безопасности',
      '管理者',
      '株式会社公式窓口',
      'カスタマーサポート',
      '고객지원',
      'No-Reply',
      'Billing',
    ]
    expect(wronglyAnswered(names, true)).toEqual([])
  })

  it('returns false for other names, also in other scripts', () => {
    const names = [
      'Badminton',
      'Systematic',
      'Beakman',
      'Beaker',
      'Unofficially',
      'Supporter',
      'Ecosystem',
      'Rooted',
      'Beetroot',
      'Staffordshire',
      'Nobody42knows',
      'Mallard',
      'Alice42',
      'Duck0123abcd',
      'Scout',
      'Mail helper',
      'Kalender-Agent 2',
      'Route 66',
      'Everyone is welcome',
      'Помощник',
      'Hans Host',
      'Abuse',
      '지원',
      '김지원',
      '李公',
      'Claude Code',
      'Tシャツ係',
      'Секретарь 2',
      'βοηθός',
      'עוזר אישי',
      'مساعد',
      'सहायक',
      '助手',
      'アシスタント',
      '도우미',
      '🦆',
      '!!!',
      '|||',
      '1111',
    ]
    expect(wronglyAnswered(names, false)).toEqual([])
  })
})

// security: asker-24
it('finds every reserved word beside letters of every script that stands beside Latin', () => {
  const letters = ['友', 'さ', 'サ', '김', 'ㄅ']
  const reserved = ['Beak', 'Admin', 'Support', 'official', 'SECURITY', 'Cⅼaude Beak']
  const names = letters.flatMap((letter) => reserved.flatMap((word) => [letter + word, word + letter]))
  expect(wronglyAnswered(names, true)).toEqual([])
})

// security: device-2
describe('imitatesSession', () => {
  // security: asker-24
  it.each([
    'Chrome on your Mac (this device)',
    'Chrome on Mac',
    'Сhrome on Mac',
    'chrome  on Windows',
    'Laptop (this device)',
    'THIS DEVICE',
    'Th1s dev1ce',
    'thisDevice',
    'this-session',
    'Your phone',
    'Current session',
    'Trusted laptop',
    'Unknown device',
    'Ｙｏｕｒ Mac',
  ])('returns true for %j', (name) => {
    expect(imitatesSession(name)).toBe(true)
  })

  it.each([
    'beak on laptop',
    'Build server 3',
    'Living room TV',
    'Knowledge on tap',
    'Thistle',
    'MacBook of Nadia',
    'Ноутбук',
  ])('returns false for %j', (name) => {
    expect(imitatesSession(name)).toBe(false)
  })
})

describe('lookOf', () => {
  // security: asker-21
  it.each([
    ["O'Neil", 'OʼNeil'],
    ['Kahoʻolawe', "Kaho'olawe"],
    ['Teal', 'Tealʼ'],
    ['Teal', 'Teal ꞏ'],
    ['Teal', 'Teal ꓸ'],
    ['Teal', 'Teal ٠'],
    ['Teal', 'Teal ᐧ'],
    ['Teal', 'Ƭeal'],
    ['Teal', 'Teal י'],
    ['محمد', 'محمـد'],
  ])('is the same for %s and %s', (left, right) => {
    expect(lookOf(left)).toBe(lookOf(right))
  })

  it.each([
    ['דוד', 'דודי'],
    ['佐木', '佐々木'],
    ['アト', 'アノト'],
    ['राम', 'रोमी'],
    ['Teal', 'Teale'],
  ])('differs for %s and %s', (left, right) => {
    expect(lookOf(left)).not.toBe(lookOf(right))
  })
})

describe('soundsLikePages', () => {
  // security: asker-21, asker-24
  it.each([
    'You',
    'You ꞏ',
    'Yʼou',
    'YourAgent',
    'AnAgentOfAnna',
    'Claude, agent of Anna',
    'AnnaT3',
    'Anna T3ꞏ',
    'T3ʼ',
    'Т3',
    'T 3',
    'T-3',
    'Tier 3',
    'T٣',
    'Me',
    'Verified',
    'Trusted',
    'Somebody',
    'Closed',
    'Closed account',
    'DeletedAccount',
    'Certified',
    'First contact',
    'Low risk',
    'Anna - high risk',
    'Geprüft',
    '客服',
  ])('returns true for %s', (name) => {
    expect(soundsLikePages(name)).toBe(true)
  })

  it.each([
    'Tô Hoài',
    'Tố Hữu',
    'Johnnie To',
    'Ti West',
    'Te Rangi',
    'Nguyen Te',
    'Tz Ming',
    'Mẹ',
    'Mê',
    'Mé',
    'You Li',
    'Anna Approver',
    'Agent Smith',
  ])('returns false for %s', (name) => {
    expect(soundsLikePages(name)).toBe(false)
  })
})
