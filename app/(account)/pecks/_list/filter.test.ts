import { describe, expect, it } from 'vitest'
import { badgesOf, grantBadges, statusLabels } from '../_peck/words'
import { filteredPath, filterIn, grantStatuses, statuses } from './filter'

const agent = 'AGT-01JD0000000000000000000000'

describe('filterIn', () => {
  it('reads every filter of an address', () => {
    const given = {
      asker: agent,
      action: 'send:mail',
      status: 'approved',
      grant_status: 'active',
      direction: 'sent',
    }
    expect(filterIn(given)).toEqual(given)
  })

  it('ignores what the API would refuse', () => {
    const filter = filterIn({
      ...{ asker: 'me', action: 'Send', status: 'open', grant_status: 'alive' },
      direction: ['sent', 'received'],
    })
    expect(Object.values(filter)).toEqual(Array(5).fill(undefined))
  })
})

describe('filteredPath', () => {
  it('keeps the filters in the address, and nothing else', () => {
    expect(filteredPath('/allowed', { asker: agent, action: undefined })).toBe(`/allowed?asker=${agent}`)
    expect(filteredPath('/allowed', {})).toBe('/allowed')
  })
})

describe('the words of the filters', () => {
  it('are those of the badges', () => {
    const badges = (status: (typeof statuses)[number], grant_status: (typeof grantStatuses)[number] | null) =>
      badgesOf({ action: 'read:mail', status, grant_status }).map(({ label }) => label)
    for (const status of statuses) expect(badges(status, null)).toEqual([statusLabels[status]])
    for (const status of grantStatuses)
      expect(badges('approved', status)).toEqual(['Approved', grantBadges[status].label])
  })
})
