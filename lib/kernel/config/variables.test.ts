import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findUnknown, withFiles } from './variables'

const folder = mkdtempSync(join(tmpdir(), 'beak-variables-'))
const environment = (env: Record<string, string>) => env as unknown as NodeJS.ProcessEnv
const fileWith = (content: string) => {
  const path = join(folder, `${Math.random()}`)
  writeFileSync(path, content)
  return path
}

describe('a secret in a file', () => {
  it('is read without the line break at its end', () => {
    const faults: string[] = []
    const BEAK_SECRET_FILE = fileWith(' a secret with a space and\na break \r\n')
    const SMTP_URL_FILE = fileWith('smtp://mail.example')
    expect(withFiles(environment({ BEAK_SECRET_FILE, SMTP_URL_FILE }), faults)).toMatchObject({
      BEAK_SECRET: ' a secret with a space and\na break ',
      SMTP_URL: 'smtp://mail.example',
    })
    expect(faults).toEqual([])
  })

  it.each([
    [{ REDIS_URL_FILE: '/nowhere/redis' }, 'REDIS_URL_FILE: /nowhere/redis cannot be read (ENOENT)'],
    [{ REDIS_URL_FILE: folder }, `REDIS_URL_FILE: ${folder} cannot be read (EISDIR)`],
    [{ REDIS_URL_FILE: fileWith('\n') }, 'is empty'],
    [{ REDIS_URL_FILE: fileWith('x'), REDIS_URL: 'redis://x' }, 'set only one of them'],
  ] as [Record<string, string>, string][])('is a fault when it cannot be used: %j', (env, words) => {
    const faults: string[] = []
    withFiles(environment(env), faults)
    expect(faults).toEqual([expect.stringContaining(words)])
  })
})

describe('a name that is not ours', () => {
  const faultsOf = (name: string) => {
    const faults: string[] = []
    findUnknown(environment({ [name]: 'x' }), ['DATABASE_URL', 'SMTP_URL', 'BEAK_SECRET'], faults)
    return faults
  }

  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['SMTP_URLS', 'SMTP_URL'],
    ['BEAK_SECRETS', 'BEAK_SECRET'],
    ['BEAK_SECRT_FILE', 'BEAK_SECRET_FILE'],
    ['LIMIT_SIGN_UP', 'LIMIT_SIGNUP'],
  ])('%s is a fault that names %s', (name, meant) => {
    expect(faultsOf(name)).toEqual([expect.stringMatching(new RegExp(`^${name}: did you mean ${meant}\\?`))])
  })

  it('with BEAK_ is a fault', () => {
    for (const name of ['BEAK_MODE', 'BEAK_SIGNUP', 'BEAK_PORTS', 'BEAK_PORT_X'])
      expect(faultsOf(name)).toEqual([expect.stringContaining('Beak has no such variable')])
  })

  it.each([
    'PATH',
    'SMTP_UR',
    'PGDATABASE',
    'REDIS_PORT',
    'BEAK_URL',
    'BEAK_KEY',
    'BEAK_PORT',
    'BEAK_PORT_3000_TCP',
    'BEAK_PORT_3000_TCP_ADDR',
    'BEAK_SERVICE_HOST',
    'BEAK_SERVICE_PORT',
    'BEAK_SERVICE_PORT_HTTP',
    'BEAK_WEB_SERVICE_HOST',
    'BEAK_WEB_PORT_80_TCP_PROTO',
    'LIMIT_SIGNUP',
    'BEAK_SECRET_FILE',
  ])('%s is accepted', (name) => {
    expect(faultsOf(name)).toEqual([])
  })
})
