import { describe, expect, it } from 'vitest'
import { rotateTestSecret } from '@/lib/fixtures/secrets'
import { deviceCookieNames, pickDeviceCookie, surplusCookies } from './sign-in'

const namesOf = (address: string) => deviceCookieNames('beak.device.', address)
const cookie = (name: string | undefined, value: string) => ({ name: name ?? '', value })

describe('the device cookie', () => {
  it('has a name that hides the address, and no name for an invalid address', () => {
    const [name, ...more] = namesOf('one@example.com')
    expect(name).toMatch(/^beak\.device\.[0-9a-f]{16}$/)
    expect(more).toEqual([])
    expect(namesOf('one')).toEqual([])
  })

  // security: secret-4
  it('is found after a rotation of the secret, even beside a newer cookie of another account', () => {
    const kept = [
      cookie(namesOf('two@example.com')[0], 'newer'),
      cookie(namesOf('one@example.com')[0], 'older'),
    ]
    rotateTestSecret()
    expect(pickDeviceCookie(kept, namesOf('one@example.com'))?.value).toBe('older')
    expect(pickDeviceCookie(kept, namesOf('two@example.com'))?.value).toBe('newer')
    expect(pickDeviceCookie(kept, namesOf('three@example.com'))?.value).toBe('newer')
    expect(pickDeviceCookie([], namesOf('one@example.com'))).toBeUndefined()
  })

  it('prefers the current name to the previous one', () => {
    const before = cookie(namesOf('one@example.com')[0], 'older')
    rotateTestSecret()
    const kept = [before, cookie(namesOf('one@example.com')[0], 'newer')]
    expect(pickDeviceCookie(kept, namesOf('one@example.com'))?.value).toBe('newer')
  })

  it('replaces the cookie under the previous name, copies of its token, and cookies beyond the limit', () => {
    const before = cookie(namesOf('one@example.com')[0], 'older')
    const [other, copy] = [cookie('beak.device.other', 'other'), cookie('beak.device.copy', 'new')]
    rotateTestSecret()
    const names = namesOf('one@example.com')
    const kept = [cookie(names[0], 'replaced'), other, copy, before]
    expect(surplusCookies(kept, names, 'new', 8)).toEqual([copy, before])
    expect(surplusCookies(kept, names, 'new', 1)).toEqual([other, copy, before])
  })
})
