import { openNote, parseNote } from '@beak/proofs/log/note'
import { parseVerifierKey } from '@beak/proofs/log/verifier-key'
import { afterEach, describe, expect, it } from 'vitest'
import { call, callRaw } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { logOrigin } from '@/lib/domain/tlog/origin'
import { appendNow, pendingEntries } from '@/lib/fixtures/tlog'
import { config, useConfig } from '@/lib/kernel/config'
import { readClock } from '@/lib/kernel/runtime/clock'

const before = config()
afterEach(() => useConfig(before))

async function publishedKeys() {
  const response = await callRaw('GET /.well-known/tlog/vkeys')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const text = await response.text()
  expect(text).toMatch(/^(\S+\n)+$/)
  return text
    .trim()
    .split('\n')
    .map(parseVerifierKey)
    .filter((key) => key !== null)
}

describe('200', () => {
  it('returns the newest checkpoint, signed by the first published key', async () => {
    await pendingEntries(1)
    const { note } = await appendNow()
    const response = await callRaw('GET /.well-known/tlog/checkpoint')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('public, max-age=5')
    expect(await response.text()).toBe(note)
    const parsed = parseNote(note)
    const [newest] = await publishedKeys()
    expect(parsed && newest && (await openNote(parsed, [newest]))).toEqual([{ key: newest, time: null }])
  })

  it('includes the cosignatures of witnesses', async () => {
    await pendingEntries(1)
    const { note, size } = await appendNow()
    const line = '— witness.example AAAAAAAAA'
    const [origin, createdAt] = [await logOrigin(), readClock()]
    await db().logCosignature.createMany({
      data: [
        { origin, size, witness: 'b', line: `${line}Q==\n`, createdAt },
        { origin, size, witness: 'a', line: `${line}A==`, createdAt },
        { origin, size: size - 1, witness: 'a', line, createdAt },
      ],
    })
    const answer = await (await callRaw('GET /.well-known/tlog/checkpoint')).text()
    expect(answer).toBe(`${note}${line}A==\n${line}Q==\n`)
    expect(parseNote(answer)?.signatures).toHaveLength(3)
  })

  it('names every query parameter as unknown', async () => {
    expect((await call('GET /.well-known/tlog/checkpoint?size=1')).status).toBe(400)
  })
})

describe('404', () => {
  it('returns E4005 while the log has no checkpoint for this address', async () => {
    useConfig({ baseUrl: 'https://new.example' })
    for (const path of ['checkpoint', 'tile/0/000.p/1']) {
      const { status, body } = await call(`GET /.well-known/tlog/${path}`)
      expect([status, body.code, body.detail]).toEqual([
        404,
        'E4005',
        'The transparency log has no checkpoint yet.',
      ])
    }
  })
})
