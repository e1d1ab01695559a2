import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { startSession } from '@/lib/domain/sessions/start'
import { aDuckling, anonymously } from '@/lib/factories/ducklings'

/** Starts `count` more sessions and returns their tokens, oldest first. */
async function sessionsOf(id: string, count: number): Promise<string[]> {
  const tokens: string[] = []
  for (let index = 0; index < count; index++) {
    const started = await transaction((tx) =>
      startSession(
        tx,
        { ...anonymously(), userAgent: `device ${index}` },
        { id, trustTier: 'T1', distrustedKeys: 0 },
        ['otp'],
      ),
    )
    tokens.push(started.token)
  }
  return tokens
}

describe('200', () => {
  it('lists only the caller’s live sessions, newest first, and marks the current one', async () => {
    const { id, token } = await aDuckling()
    await aDuckling()
    const [phone = ''] = await sessionsOf(id, 2)
    const { status, body } = await call('GET /beak/session/list', { token: phone })
    expect(status).toBe(200)
    expect(body.next_cursor).toBeNull()
    expect(body.items.map((item: { user_agent: string }) => item.user_agent)).toEqual([
      'device 1',
      'device 0',
      'test',
    ])
    expect(body.items.map((item: { current: boolean }) => item.current)).toEqual([false, true, false])
    expect(Object.keys(body.items[0]).sort()).toEqual(
      [
        'amr',
        'auth_time',
        'created_at',
        'current',
        'expires_at',
        'ip',
        'last_seen_at',
        'name',
        'session_id',
        'user_agent',
      ].sort(),
    )
    await call('POST /beak/signout', { token })
    expect((await call('GET /beak/session/list', { token: phone })).body.items).toHaveLength(2)
  })

  it('leaves out expired sessions', async () => {
    const { id, token } = await aDuckling()
    await sessionsOf(id, 1)
    const { body: before } = await call('GET /beak/session/list', { token })
    await db().session.update({
      where: { id: before.items[0].session_id },
      data: { expiresAt: new Date(before.items[0].created_at) },
    })
    const { body } = await call('GET /beak/session/list', { token })
    expect(body.items.map((item: { session_id: string }) => item.session_id)).toEqual([
      before.items[1].session_id,
    ])
  })

  it('returns every session once over several pages', async () => {
    const { id, token } = await aDuckling()
    await sessionsOf(id, 4)
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await call(`GET /beak/session/list?limit=2${cursor}`, { token })
      seen.push(...body.items.map((item: { session_id: string }) => item.session_id))
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
    } while (cursor !== '')
    expect(seen).toHaveLength(5)
    expect(seen).toEqual([...new Set(seen)].sort().reverse())
  })
})

describe('400', () => {
  it.each(['limit=0', 'limit=1.5', 'limit=0x10', 'limit=2&limit=3', 'cursor=nonsense', 'user=x'])(
    'rejects ?%s',
    async (query) => {
      const { token } = await aDuckling()
      const { status, body } = await call(`GET /beak/session/list?${query}`, { token })
      expect([status, body.code]).toEqual([400, 'E4000'])
    },
  )
})
