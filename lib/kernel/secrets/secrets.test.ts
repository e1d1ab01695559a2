import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { config, useConfig } from '@/lib/kernel/config'
import { isKeyedHash, keyedHash, previousKeyedHash, reseal, seal, unseal } from './secrets'

const before = config()
afterEach(() => useConfig(before))

const [old, next] = [randomBytes(32), randomBytes(32)]
const useSecrets = (secret: Uint8Array, previousSecret: Uint8Array | null) =>
  useConfig({ secret, previousSecret })

describe('a sealed value', () => {
  // security: backup-2
  it('is decrypted only with the secret and the label that sealed it', () => {
    useSecrets(old, null)
    const sealed = seal(Buffer.from('plain'), 'label')
    expect(unseal(sealed, 'label').toString()).toBe('plain')
    expect(() => unseal(sealed, 'other label')).toThrow('"other label" cannot be decrypted')
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
      expect(() => unseal(changed, 'label')).toThrow('cannot be decrypted')
    }
    for (const length of [0, 11, 27, sealed.length - 1])
      expect(() => unseal(sealed.subarray(0, length), 'label')).toThrow('cannot be decrypted')
  })

  it('is decrypted after a rotation only while the old secret is the previous secret', () => {
    useSecrets(old, null)
    const sealed = seal(Buffer.from('plain'), 'label')
    useSecrets(next, old)
    expect(unseal(sealed, 'label').toString()).toBe('plain')
    useSecrets(next, null)
    expect(() => unseal(sealed, 'label')).toThrow('set BEAK_SECRET_PREVIOUS')
  })

  it('is decrypted on an instance that is not rotated yet but has the new secret as its previous secret', () => {
    useSecrets(next, old)
    const sealed = seal(Buffer.from('plain'), 'label')
    useSecrets(old, next)
    expect(unseal(sealed, 'label').toString()).toBe('plain')
  })

  it('is resealed with the current secret once', () => {
    useSecrets(old, null)
    const sealed = seal(Buffer.from('plain'), 'label')
    expect(reseal(sealed, 'label')).toBeNull()
    useSecrets(next, old)
    const again = reseal(sealed, 'label')
    useSecrets(next, null)
    expect(unseal(again ?? Buffer.alloc(0), 'label').toString()).toBe('plain')
    expect(reseal(again ?? Buffer.alloc(0), 'label')).toBeNull()
    expect(() => reseal(sealed, 'label')).toThrow('cannot be decrypted')
  })
})

describe('a keyed hash', () => {
  it('matches with the current and the previous secret only', () => {
    useSecrets(old, null)
    const hash = keyedHash('otp', '123456')
    expect(previousKeyedHash('otp', '123456')).toBeNull()
    useSecrets(next, old)
    expect(keyedHash('otp', '123456')).not.toEqual(hash)
    expect(previousKeyedHash('otp', '123456')).toEqual(hash)
    expect(isKeyedHash('otp', '123456', hash)).toBe(true)
    expect(isKeyedHash('otp', '123456', keyedHash('otp', '123456'))).toBe(true)
    expect(isKeyedHash('otp', '123457', hash)).toBe(false)
    expect(isKeyedHash('subject', '123456', hash)).toBe(false)
    expect(isKeyedHash('otp', '123456', hash.subarray(1))).toBe(false)
    useSecrets(next, null)
    expect(isKeyedHash('otp', '123456', hash)).toBe(false)
  })
})
