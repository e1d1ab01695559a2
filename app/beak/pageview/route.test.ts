import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'

/** Returns what was stored of the view whose page contains that mark. */
async function stored(mark: string) {
  const { page, referrer } = await db().pageView.findFirstOrThrow({ where: { page: { contains: mark } } })
  return { page, referrer }
}

describe('200', () => {
  it('stores page and referrer', async () => {
    const mark = randomUUID()
    const answer = await call('POST /beak/pageview', {
      body: { page: `/docs/${mark}`, referrer: 'https://search.example/results' },
    })
    expect([answer.status, answer.body]).toEqual([200, { success: true }])
    expect(await stored(mark)).toEqual({ page: `/docs/${mark}`, referrer: 'https://search.example/results' })
  })

  it.each([
    ['/p/MARK?beak_key=beak_KEY-1_S', '/p/MARK'],
    ['/p/MARK#token=eyJ', '/p/MARK'],
    ['https://beak.example/MARK/?token=SSO-1#x?y', 'https://beak.example/MARK/'],
    ['https://user:pa:ss@beak.example/MARK', 'https://beak.example/MARK'],
    ['https://a@b:c@beak.example/MARK?x', 'https://beak.example/MARK'],
    ['//user@beak.example/MARK', '//beak.example/MARK'],
    ['/people/@MARK', '/people/@MARK'],
    ['MARK', 'MARK'],
  ])('removes secrets from %s, as page and as referrer', async (address, rest) => {
    const mark = randomUUID()
    const fill = (text: string) => text.replace('MARK', mark)
    await call('POST /beak/pageview', { body: { page: fill(address), referrer: fill(address) } })
    expect(await stored(mark)).toEqual({ page: fill(rest), referrer: fill(rest) })
  })

  it('stores nothing about the person: the table has no columns for it', async () => {
    const mark = randomUUID()
    await call('POST /beak/pageview', {
      from: '10.99.98.97',
      headers: { 'User-Agent': 'Tell-Tale' },
      body: { page: `/${mark}` },
    })
    const row = await db().pageView.findFirstOrThrow({ where: { page: `/${mark}` } })
    expect(Object.keys(row).sort()).toEqual(['createdAt', 'id', 'page', 'referrer'])
    expect(row.referrer).toBeNull()
  })

  it('accepts an empty referrer, and a page with only a query string', async () => {
    expect((await call('POST /beak/pageview', { body: { page: '?only=query', referrer: '' } })).status).toBe(
      200,
    )
  })
})

describe('400', () => {
  it.each([
    [{}, 'page'],
    [{ page: '' }, 'page'],
    [{ page: 'x'.repeat(2049) }, 'page'],
    [{ page: '/', referrer: 'x'.repeat(2049) }, 'referrer'],
    [{ page: '/a\u0007' }, 'page'],
    [{ page: 1 }, 'page'],
    [{ page: '/', ip: '192.0.2.1' }, 'ip'],
  ])('names the invalid field in %j', async (body, field) => {
    const answer = await call('POST /beak/pageview', { body })
    expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, field])
  })
})
