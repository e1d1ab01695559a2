import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ducklingRef, handleField, handleIn, handleSkeleton, newHandle } from './handle'

describe('a handle', () => {
  it.each(['abc', 'a1b', '007', 'mallard', 'ali', 'mali', 'teamwork', 'north-pond-duck', 'a'.repeat(24)])(
    'may be %s',
    (handle) => {
      expect(newHandle.parse(handle)).toBe(handle)
    },
  )

  it('is folded to small letters', () => {
    expect(newHandle.parse('MalLard')).toBe('mallard')
  })

  it.each([
    'ab',
    'a'.repeat(25),
    '-mallard',
    'mallard-',
    'mal--lard',
    '@@mallard',
    'mal lard',
    'mal_lard',
    'mal.lard',
    'mállard',
    'mаllard',
    'mal\u200blard',
    '../etc/passwd',
    '%2e%2e',
    'mallard/agents',
    'mal\nlard',
    '',
  ])('is not %j', (text) => {
    expect(handleField.safeParse(text).success).toBe(false)
  })

  // security: stranger-22, asker-24
  it.each([
    'beak',
    'b-e-a-k',
    'the-beak',
    'beak-team',
    '8eak',
    'support',
    'supp0rt',
    'admin',
    'adm1n',
    'root',
    'everyone',
    'beakteam',
    'thebeak',
    'get-beak',
    'b3akhelp',
    'supportteam',
    'the-admins',
    'askadmin',
    'noreply',
    'no-reply',
    'billing',
    'abuse',
    'payments',
    'verified',
    'your-agent',
    'new-device',
    'approver',
    'the-host',
  ])('cannot claim the service: %s', (handle) => {
    expect(newHandle.safeParse(handle).success).toBe(false)
  })

  // security: stranger-22
  it.each(['duck-mallard', 'DUCK-01JD', 'agt-scout', 'peck-1', 'cert-1'])(
    'does not begin like an id: %s',
    (handle) => {
      expect(newHandle.safeParse(handle).success).toBe(false)
    },
  )

  // security: stranger-40
  it.each([
    'always-approves',
    'Always-Approves',
    'ALWAYSAPPROVES',
    'a1ways-approves',
    'alvvays-approves',
    'always-appr0ve5',
    'always-approved',
    'always-rejects',
    'never-answers',
    'neveranswer5',
    'approves-in-5s',
    'approves-inss',
    'approves-1n-5s',
    'asks-for-a-code',
    'asks-for-a-cocle',
  ])('cannot be taken for a test account: %s', (handle) => {
    expect(newHandle.safeParse(handle).success).toBe(false)
  })

  // security: stranger-22
  it('cannot be the first word of any address of the site, nor look like one', () => {
    const words = (folder: string): string[] =>
      readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        if (!entry.isDirectory() || /^[_.[]/.test(entry.name)) return []
        return entry.name.startsWith('(') ? words(`${folder}/${entry.name}`) : [entry.name]
      })
    const addresses = words('app').filter((word) => handleField.safeParse(word).success)
    expect(addresses).toEqual(expect.arrayContaining(['beak', 'pecks', 'verify']))
    expect(addresses.filter((word) => newHandle.safeParse(word).success)).toEqual([])
    expect(newHandle.safeParse('s1gn1n').success).toBe(false)
  })
})

describe('handleSkeleton', () => {
  // Stored in the database: another result for the same handle would free handles that are taken.
  it('stays the same for every handle', () => {
    expect(['mallard', 'i1l', 'o0', 'zoe-25', '3478', 'webhook9'].map(handleSkeleton)).toEqual([
      'rnallarcl',
      'ill',
      'oo',
      'zoe2s',
      '3478',
      'vvebhookg',
    ])
  })

  it.each([
    ['mallard', 'ma11ard'],
    ['mallard', 'mal-lard'],
    ['mallard', 'rnallard'],
    ['duck', 'cluck'],
    ['webhook', 'vvebhook'],
    ['wvw', 'vvvvv'],
    ['gull', '9ull'],
    ['swan', '5wan'],
    ['pond', 'p0nd'],
  ])('is the same for %s and %s', (left, right) => {
    expect(handleSkeleton(left)).toBe(handleSkeleton(right))
  })

  it('differs for handles that do not look alike', () => {
    const handles = ['mallard', 'mallards', 'pond', 'bond', 'ian', 'lan', 'ali', 'all', 'anna66', 'anna88']
    expect(new Set(handles.map(handleSkeleton)).size).toBe(handles.length)
  })
})

describe('ducklingRef', () => {
  it.each(['DUCK-01JD0000000000000000000001', '@mallard', '@Mal-Lard'])('accepts %s', (ref) => {
    expect(ducklingRef.parse(ref)).toBe(ref)
  })

  it.each(['mallard', '@', '@@mallard', '@ab', 'AGT-01JD0000000000000000000001', '@mallard/..', '@mal lard'])(
    'rejects %j',
    (ref) => {
      expect(ducklingRef.safeParse(ref).success).toBe(false)
    },
  )
})

it('finds the handle in a reference', () => {
  expect([handleIn('@MalLard'), handleIn('DUCK-01JD0000000000000000000001')]).toEqual(['mallard', null])
})
