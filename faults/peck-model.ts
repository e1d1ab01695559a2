/** How a request for one use behaves: decided once, and used at most once after its approval. */
import type { Model } from './history'

interface PeckState {
  status: 'pending' | 'approved' | 'rejected' | 'cancelled'
  uses: number
  isRevoked: boolean
}

const decisions: Readonly<Record<string, PeckState['status']>> = {
  approve: 'approved',
  reject: 'rejected',
  cancel: 'cancelled',
}

export const peckModel: Model<PeckState> = {
  start: { status: 'pending', uses: 0, isRevoked: false },
  step(state, action) {
    const decision = decisions[action]
    if (decision !== undefined) return state.status === 'pending' ? { ...state, status: decision } : null
    const isActive = state.status === 'approved' && state.uses === 0 && !state.isRevoked
    if (!isActive) return null
    return action === 'use' ? { ...state, uses: 1 } : { ...state, isRevoked: true }
  },
  view: ({ status, uses }) => `${status} ${uses}`,
}
