import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { aDuckling } from '@/lib/factories/ducklings'
import { readClock } from '@/lib/kernel/runtime/clock'
import { BackupRefused, checkBackup } from './file'
import { makeBackup } from './make'

const folder = mkdtempSync(join(tmpdir(), 'beak-backup-'))
const path = join(folder, 'beak.backup')
await aDuckling()
await makeBackup(path, null, readClock())
const packed = readFileSync(path)
const text = gunzipSync(packed).toString()
const lines = text.split('\n')

it('reads what was written', async () => {
  expect((await checkBackup(path, null)).count).toBe(lines.length - 3)
})

// security: backup-8, backup-10
it.each<[string, string | Uint8Array, RegExp]>([
  ['a changed row', text.replace('"outcome":"success"', '"outcome":"denied"'), /was changed/],
  ['a changed first line', text.replace('"is_test":false', '"is_test":true'), /was changed/],
  ['a changed number of rows', text.replace(/\{"rows":(\d)/, '{"rows":1$1'), /was changed/],
  ['another secret', text.replace('"secret_check":"', '"secret_check":"A'), /was made with another secret/],
  ['a missing row', [...lines.slice(0, 2), ...lines.slice(3)].join('\n'), /was changed/],
  ['a row behind the end', `${text}Duckling\t{}\n`, /was changed/],
  ['a missing end', `${lines.slice(0, -2).join('\n')}\n`, /was cut off/],
  ['a missing half', packed.subarray(0, -40), /was cut off/],
  ['another file', 'hello\n', /is not a backup of Beak/],
  ['a first line without an end', 'a'.repeat(17_000_000), /has a line of more than 16,777,216 characters/],
  [
    'a row without an end',
    `${lines[0]}\nDuckling\t${'a'.repeat(17_000_000)}`,
    /has a line of more than 16,777,216 characters/,
  ],
])('refuses %s', async (_, content, words) => {
  const changed = join(folder, 'changed.backup')
  writeFileSync(changed, typeof content === 'string' ? gzipSync(content) : content)
  const reading = checkBackup(changed, null)
  await expect(reading).rejects.toThrow(BackupRefused)
  await expect(reading).rejects.toThrow(words)
})

// security: backup-8, backup-10
it('refuses a file that is missing', async () => {
  await expect(checkBackup(join(folder, 'missing'), null)).rejects.toThrow(/cannot be read \(ENOENT\)/)
})
