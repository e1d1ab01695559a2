import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { removePreviousSecret, rotateStoredSecret, storedSecrets } from './secret-files'

const newFolder = () => mkdtempSync(join(tmpdir(), 'beak-secret-'))
const modeOf = (path: string) => statSync(path).mode & 0o777

describe('the secret of a data folder', () => {
  it('is made once, and only its owner can read it', () => {
    const folder = newFolder()
    const first = storedSecrets(folder)
    expect(first.secret.length).toBeGreaterThanOrEqual(32)
    expect(first.previousSecret).toBeNull()
    expect(storedSecrets(folder)).toEqual(first)
    expect(modeOf(join(folder, 'secret'))).toBe(0o600)
  })

  it('is not made beside a database, which it could not open', () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'db'))
    expect(() => storedSecrets(folder)).toThrow(
      /secret is missing, but there is a database .* Nothing was written\.$/,
    )
    expect(readdirSync(folder)).toEqual(['db'])
  })

  it('that is cut short is not used', () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'secret'), '')
    expect(() => storedSecrets(folder)).toThrow(/has only 0 bytes\. Put the file back/)
  })

  it('cannot be made in a folder that is a file: the error says what to do', () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    expect(() => storedSecrets(file)).toThrow(
      /cannot be written \(ENOTDIR|EEXIST\)\. .* Set DATA_DIR to a folder/,
    )
    expect(() => storedSecrets(join(file, 'below'))).toThrow(/Set DATA_DIR to a folder/)
  })

  it('is replaced by a rotation, which keeps the old secret for its owner until it is removed', async () => {
    const folder = newFolder()
    const { secret: old } = storedSecrets(folder)
    expect(await rotateStoredSecret(folder)).toBe(true)
    const { secret, previousSecret } = storedSecrets(folder)
    expect(previousSecret).toEqual(old)
    expect(secret).not.toEqual(old)
    for (const name of ['secret', 'secret.previous']) expect(modeOf(join(folder, name))).toBe(0o600)
    expect(readdirSync(folder).sort()).toEqual(['secret', 'secret.previous'])
    removePreviousSecret(folder)
    expect(storedSecrets(folder)).toEqual({ secret, previousSecret: null })
  })

  it('is not rotated while an earlier rotation is unfinished, because its previous secret would be lost', async () => {
    const folder = newFolder()
    storedSecrets(folder)
    await rotateStoredSecret(folder)
    const during = storedSecrets(folder)
    expect(await rotateStoredSecret(folder)).toBe(false)
    expect(storedSecrets(folder)).toEqual(during)
  })

  it('is still available after a rotation that was interrupted at any step', async () => {
    const folder = newFolder()
    const { secret: old } = storedSecrets(folder)
    // The copy was written only in part.
    writeFileSync(join(folder, 'secret.previous.new'), old.subarray(0, 5), { mode: 0o644 })
    expect(storedSecrets(folder)).toEqual({ secret: old, previousSecret: null })
    // The copy was made, but the new secret was not.
    copyFileSync(join(folder, 'secret'), join(folder, 'secret.previous'))
    writeFileSync(join(folder, 'secret.new'), 'cut', { mode: 0o644 })
    expect(storedSecrets(folder)).toEqual({ secret: old, previousSecret: null })
    expect(await rotateStoredSecret(folder)).toBe(true)
    expect(readFileSync(join(folder, 'secret.previous'))).toEqual(old)
    expect(modeOf(join(folder, 'secret'))).toBe(0o600)
    expect(existsSync(join(folder, 'secret.new'))).toBe(false)
  })
})
