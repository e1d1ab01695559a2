/** TypeDoc understands the comments of the package (`npm run reference` in its folder). */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('writes a reference of every entry without a warning', () => {
  const folder = mkdtempSync(join(tmpdir(), 'beak-docs-'))
  const { status, stderr } = spawnSync('node', ['packages/client/docs.mjs', folder], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const pages = readdirSync(folder, { recursive: true }).map(String)
  expect(pages).toEqual(expect.arrayContaining(['index.md', 'verify.md', 'webhooks.md', 'passkeys.md']))
  expect(readFileSync(join(folder, 'index.md'), 'utf8')).toContain('requestPermission()')
}, 120_000)
