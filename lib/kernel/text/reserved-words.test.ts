import { describe, expect, it } from 'vitest'
import { imitatesSession, isReserved } from './reserved-words'

/** Returns those of the names for which the answer is wrong. */
const wronglyAnswered = (names: string[], expected: boolean) =>
  names.filter((name) => isReserved(name) !== expected)

describe('isReserved', () => {
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

describe('imitatesSession', () => {
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
