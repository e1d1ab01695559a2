/** Tests `npm run operator -- rotate-secret` and `reseal` on separate data folders. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { describe, expect, it } from 'vitest'
import { grantLabel } from '@/lib/domain/pecks/grant/tokens'
import { migratedFolder } from '@/lib/fixtures/data-folder'
import { runOperator, startOperator } from '@/lib/fixtures/operator'
import { config, useConfig as replaceConfig } from '@/lib/kernel/config'
import { seal, unseal } from '@/lib/kernel/secrets/secrets'

const operator = (dataDir: string, args: string[], more: Record<string, string> = {}) =>
  runOperator({ DATA_DIR: dataDir, ...more }, ...args)

/** Creates a data folder with a database, a signing key and that many grant tokens, sealed with the given secret. */
async function aFolder(tokens: number, secret: Uint8Array | null = null): Promise<string> {
  const folder = await migratedFolder()
  if (secret !== null) rmSync(join(folder, 'secret'))
  const more: Record<string, string> = secret === null ? {} : { BEAK_SECRET: Buffer.from(secret).toString() }
  expect(await operator(folder, ['rotate-keys'], more)).toMatchObject({ code: 0 })
  const sealed = sealedWith(secret ?? secretOf(folder), tokens)
  await inDatabase(folder, (database) =>
    database.query(
      `INSERT INTO "GrantToken" ("hash", "peckId", "kid", "sealed", "createdAt", "expiresAt")
       SELECT decode(t."hash", 'hex'), t."peckId", 'none', decode(t."sealed", 'hex'), now(), now()
       FROM jsonb_to_recordset($1::jsonb) AS t("hash" text, "peckId" text, "sealed" text)`,
      [JSON.stringify(sealed)],
    ),
  )
  return folder
}

const secretOf = (folder: string, name = 'secret') => readFileSync(join(folder, name))

function sealedWith(secret: Uint8Array, count: number) {
  return withSecret(secret, () =>
    Array.from({ length: count }, (_, n) => ({
      hash: randomBytes(32).toString('hex'),
      peckId: `PECK-${n}`,
      sealed: seal(Buffer.from(`token ${n}`), grantLabel(`PECK-${n}`)).toString('hex'),
    })),
  )
}

function withSecret<T>(secret: Uint8Array, work: () => T): T {
  const before = config()
  replaceConfig({ secret, previousSecret: null })
  try {
    return work()
  } finally {
    replaceConfig(before)
  }
}

async function inDatabase<T>(folder: string, work: (database: PGlite) => Promise<T>): Promise<T> {
  const database = await PGlite.create(join(folder, 'db'))
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Counts the sealed values of a folder, and for each secret those that it can open. */
async function countOpened(folder: string, ...secrets: Uint8Array[]) {
  const { rows } = await inDatabase(folder, (database) =>
    database.query<{ label: string; sealed: Uint8Array }>(
      `SELECT 'grant:' || "peckId" AS "label", "sealed" FROM "GrantToken"
       UNION ALL SELECT "kid", "privateKey" FROM "SigningKey" WHERE "privateKey" IS NOT NULL`,
    ),
  )
  const isOpen = ({ label, sealed }: { label: string; sealed: Uint8Array }) => {
    try {
      return unseal(sealed, label).length > 0
    } catch {
      return false
    }
  }
  const opened = secrets.map((secret) => withSecret(secret, () => rows.filter(isOpen).length))
  return { all: rows.length, opened }
}

// Each command starts a process, and the first creates a database: slow on a busy machine.
describe('npm run operator -- rotate-secret', { timeout: 180_000 }, () => {
  // security: secret-1
  it('seals everything with a new secret and deletes the old one', async () => {
    const folder = await aFolder(3)
    const old = secretOf(folder)
    const { code, output } = await operator(folder, ['rotate-secret'])
    expect(code).toBe(0)
    expect(output).toMatch(/Everything is sealed with the current secret \(values: \d+\)\..*was deleted/)
    const next = secretOf(folder)
    expect(next.equals(old)).toBe(false)
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600)
    expect(existsSync(join(folder, 'secret.previous'))).toBe(false)
    const { all, opened } = await countOpened(folder, next, old)
    expect(opened).toEqual([all, 0])
    // The new secret opens the signing keys.
    expect(await operator(folder, ['rotate-keys'])).toMatchObject({ code: 0 })
  })

  // security: secret-2
  it('finishes after SIGKILL when it is run again, with the same new secret', async () => {
    const folder = await aFolder(5000)
    const old = secretOf(folder)
    const { child, prints, ended } = startOperator({ DATA_DIR: folder }, 'rotate-secret')
    await prints('GrantToken.sealed: ')
    child.kill('SIGKILL')
    expect(await ended).toBeNull()

    const [next, previous] = [secretOf(folder), secretOf(folder, 'secret.previous')]
    expect(previous.equals(old)).toBe(true)
    const {
      all,
      opened: [withNext = 0, withOld = 0],
    } = await countOpened(folder, next, old)
    expect(withNext).toBeGreaterThan(0)
    expect(withOld).toBeGreaterThan(0)
    expect(withNext + withOld).toBe(all)

    const { code, output } = await operator(folder, ['rotate-secret'])
    expect({ code, output }).toMatchObject({ code: 0 })
    expect(output).toContain('An earlier rotation was not finished.')
    expect(secretOf(folder).equals(next)).toBe(true)
    expect(existsSync(join(folder, 'secret.previous'))).toBe(false)
    expect(await countOpened(folder, next)).toEqual({ all, opened: [all] })
  })
})

describe('npm run operator -- reseal', { timeout: 180_000 }, () => {
  it('seals values of BEAK_SECRET_PREVIOUS with BEAK_SECRET, and names values that neither can open', async () => {
    const [old, next] = [randomBytes(24).toString('hex'), randomBytes(24).toString('hex')]
    const folder = await aFolder(2, Buffer.from(old))

    const refused = await operator(folder, ['rotate-secret'], { BEAK_SECRET: old })
    expect(refused.code).toBe(1)
    expect(refused.output).toContain('BEAK_SECRET is set in the environment')
    expect(refused.output).toContain('npm run operator -- reseal')

    const wrong = await operator(folder, ['reseal'], { BEAK_SECRET: next })
    expect(wrong.code).toBe(1)
    for (const name of [
      'GrantToken.sealed of PECK-0',
      'GrantToken.sealed of PECK-1',
      'SigningKey.privateKey of',
    ])
      expect(wrong.output).toContain(name)
    expect(await operator(folder, ['rotate-keys'], { BEAK_SECRET: next })).toMatchObject({
      code: 1,
      output: expect.stringContaining('set BEAK_SECRET_PREVIOUS to that secret.'),
    })

    const both = { BEAK_SECRET: next, BEAK_SECRET_PREVIOUS: old }
    const done = await operator(folder, ['reseal'], both)
    expect(done).toMatchObject({
      code: 0,
      output: expect.stringContaining('GrantToken.sealed: 2 sealed again'),
    })
    expect(done.output).toContain('BEAK_SECRET_PREVIOUS may be removed')
    const { all, opened } = await countOpened(folder, Buffer.from(next))
    expect(opened).toEqual([all])
    expect(await operator(folder, ['reseal'], { BEAK_SECRET: next })).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /^Everything is sealed with the current secret \(values: \d+\)\. Nothing/,
      ),
    })
    expect(existsSync(join(folder, 'secret'))).toBe(false)
  })
})
