import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatCheckpoint } from '@beak/proofs/log/checkpoint'
import { describe, expect, it } from 'vitest'
import { fileCheckpoints } from './checkpoint-file'

const folder = mkdtempSync(join(tmpdir(), 'beak-checkpoints-'))
const checkpointOf = (origin: string, size: number, isProven = true) => {
  const text = formatCheckpoint({ origin, size, root: new Uint8Array(32) })
  const note = `${text}\n\u2014 ${origin} AAAAAAAA\n`
  return { origin, size, root: Buffer.alloc(32).toString('base64'), note, isProven }
}

describe('fileCheckpoints', () => {
  it('keeps the largest of 50 simultaneous checkpoints of each log and kind', async () => {
    const path = join(folder, 'many.json')
    // Each store is a command of its own.
    const keep = (size: number) =>
      fileCheckpoints(path).keep(checkpointOf(size % 2 ? '__proto__' : 'log', size, size % 5 !== 0))
    await Promise.all(Array.from({ length: 50 }, (_, size) => keep(size)))
    const store = fileCheckpoints(path)
    expect(await store.get('log')).toEqual([checkpointOf('log', 48), checkpointOf('log', 40, false)])
    expect(await store.get('__proto__')).toEqual([
      checkpointOf('__proto__', 49),
      checkpointOf('__proto__', 45, false),
    ])
    expect(await store.get('constructor')).toEqual([])
    expect(readdirSync(folder)).toEqual(['many.json'])
  })

  it.each([
    ['no JSON', '{'],
    ['another version', '{"version":2,"logs":{}}'],
    ['no logs', '{"version":1}'],
    [
      'a checkpoint of another log',
      JSON.stringify({ version: 1, logs: { a: { proven: checkpointOf('b', 1).note, seen: null } } }),
    ],
    ['a fork with one note', '{"version":1,"logs":{"a":{"proven":null,"seen":null,"fork":{"found":"x"}}}}'],
  ])('refuses a file with %s', async (_, content) => {
    const path = join(folder, 'damaged.json')
    writeFileSync(path, content)
    await expect(async () => fileCheckpoints(path).get('a')).rejects.toThrow('it is damaged')
    await expect(async () => fileCheckpoints(path).keep(checkpointOf('a', 1))).rejects.toThrow(
      'it is damaged',
    )
  })

  it('says which folder is missing', async () => {
    const path = join(folder, 'missing', 'x.json')
    await expect(async () => fileCheckpoints(path).keep(checkpointOf('a', 1))).rejects.toThrow(
      'cannot be written',
    )
  })
})
