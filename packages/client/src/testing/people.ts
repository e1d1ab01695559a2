/** The people and agents of a fake. */

export interface Person {
  id: string
  name: string
  handle: string
  token: string
  /** What a test account does with a request. Undefined for a person whom the test plays. */
  decides?: { approveAfter: number } | { reject: string } | 'never'
  /** What answers requests for this person. */
  rules: FakeRule[]
  /** Whether the person paused everything that may happen without asking. */
  isPaused: boolean
}

/** Answers the requests for one action. */
export interface FakeRule {
  id: string
  action: string
  answer: 'approve' | 'reject'
}

export interface Agent {
  id: string
  name: string
  key: string
  owner: Person
}

export const ownerOf = (asker: Person | Agent): Person => ('owner' in asker ? asker.owner : asker)
