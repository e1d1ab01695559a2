import { randomBytes } from 'node:crypto'
import { encodeEntry } from '@beak/proofs/log/entry'
import { describe, expect, it } from 'vitest'
import { aLog } from '@/lib/fixtures/logs'
import { aNoteSigner } from '@/lib/fixtures/witnesses'
import { findPage } from './find-page'

const origin = 'pond.example/.well-known/tlog'
const signer = aNoteSigner(origin, 1)
const page = 'ab'.repeat(32)
const otherPage = 'cd'.repeat(32)

/** 3,000 entries, of which those in `pages` are of the page. */
const entriesWith = (...pages: number[]) =>
  Array.from({ length: 3_000 }, (_, index) =>
    pages.includes(index)
      ? encodeEntry('approver_page', page)
      : encodeEntry('chain_head', randomBytes(32).toString('hex')),
  )

const find = async (entries: Uint8Array[], { digest = page, vkeys = [signer.vkey] } = {}) =>
  findPage(digest, vkeys, (await aLog(entries, signer)).readFile)

describe('findPage', () => {
  // security: site-4
  it.each([[0], [255], [256], [2_047], [2_048], [2_999]])(
    'finds the entry %i of the page, and names the checkpoint',
    async (index) => {
      const found = await find(entriesWith(index))
      expect(found).toEqual({
        index,
        checkpoint: { origin, size: 3_000, root: expect.stringMatching(/^[\w+/]{43}=$/) },
      })
    },
  )

  it('returns the first entry when there are several', async () => {
    expect((await find(entriesWith(40, 41, 2_900))).index).toBe(40)
  })

  it('returns no index for a page that the log does not have, and in an empty log', async () => {
    expect((await find(entriesWith(7), { digest: otherPage })).index).toBeNull()
    expect((await find([])).index).toBeNull()
  })

  it('does not take an entry of another kind with the same digest', async () => {
    expect((await find([encodeEntry('chain_head', page)])).index).toBeNull()
  })

  // security: site-4
  it('rejects a checkpoint that no trusted key signed, and texts that are no keys of logs', async () => {
    const stranger = aNoteSigner(origin, 2)
    const elsewhere = aNoteSigner('elsewhere.example/.well-known/tlog', 1)
    for (const vkeys of [[stranger.vkey], [elsewhere.vkey], []])
      await expect(find(entriesWith(7), { vkeys })).rejects.toThrow(/none of the log's keys .* signed it/)
    await expect(find(entriesWith(7), { vkeys: ['pond.example+1a2b3c4d+AAAA'] })).rejects.toThrow(
      'this is not a verifier key of a log',
    )
    expect((await find(entriesWith(7), { vkeys: [stranger.vkey, signer.vkey] })).index).toBe(7)
  })

  it('rejects an entry that was put into the files after they were signed', async () => {
    const [signed, shown] = await Promise.all([aLog(entriesWith(), signer), aLog(entriesWith(7), signer)])
    const readFile = (path: string) => (path === 'checkpoint' ? signed : shown).readFile(path)
    await expect(findPage(page, [signer.vkey], readFile)).rejects.toThrow('The log contradicts itself')
  })

  it('rejects a log without a checkpoint', async () => {
    await expect(findPage(page, [signer.vkey], async () => null)).rejects.toThrow('has no checkpoint')
  })
})
