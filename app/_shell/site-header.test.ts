import { describe, expect, it } from 'vitest'
import { accountPages } from './account-pages'
import { currentOf } from './current-link'
import { rooms } from './site-header'

const roomsAt = (path: string) =>
  rooms.flatMap((room) => {
    const current = currentOf(path, room)
    return current === undefined ? [] : [`${room.name} ${current}`]
  })

describe('currentOf', () => {
  it('marks the first page of a room as the page, and its other pages as inside the room', () => {
    expect(roomsAt('/pecks')).toEqual(['inbox page'])
    expect(roomsAt('/pecks/history')).toEqual(['inbox true'])
    expect(roomsAt('/agents/manage/AGT-1')).toEqual(['allowed true'])
    expect(roomsAt('/profile')).toEqual(['you true'])
    expect(roomsAt('/webhooks/new')).toEqual(['you true'])
  })

  it('puts every page of the account except the overview into exactly one room', () => {
    for (const { href } of accountPages) expect(roomsAt(href)).toHaveLength(href === '/home' ? 0 : 1)
  })

  it('marks no room on public pages, also not on the public page of an agent', () => {
    for (const path of ['/', '/docs', '/agents/AGT-1', '/security-notes']) expect(roomsAt(path)).toEqual([])
  })
})
