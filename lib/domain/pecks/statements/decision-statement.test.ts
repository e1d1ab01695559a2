import { statementText } from '@beak/proofs/receipts/statement-text'
import { describe, expect, it } from 'vitest'
import { sha256 } from '@/lib/kernel/secrets/secrets'
import { approvalStatement, type StatementColumns, statementHash } from './decision-statement'

const peck: StatementColumns = {
  id: 'PECK-1',
  action: 'pay:invoice',
  scope: 'standing',
  paramsHash: 'ab',
  requesterDucklingId: 'DUCK-A',
  requesterAgentId: 'AGT-A',
  targetDucklingId: 'DUCK-B',
  createdAt: new Date('2027-01-02T03:04:05.678Z'),
  expiresAt: new Date('2027-01-03T03:04:05.678Z'),
  grantSeconds: null,
}

describe('the statement of a peck', () => {
  it('is the canonical text of the facts that the target decides on', () => {
    expect(statementText(approvalStatement(peck))).toBe(
      '{"action":"pay:invoice","created_at":"2027-01-02T03:04:05.678Z","expires_at":"2027-01-03T03:04:05.678Z","grant_seconds":null,"params_hash":"ab","peck_id":"PECK-1","requester":{"agent_id":"AGT-A","duckling_id":"DUCK-A"},"scope":"standing","target_duckling_id":"DUCK-B","type":"beak.peck.approval","version":1}',
    )
  })

  it('has another hash when any fact differs', () => {
    const changes: Partial<StatementColumns>[] = [
      { id: 'PECK-2' },
      { action: 'pay:all' },
      { scope: 'timed' },
      { paramsHash: 'ac' },
      { requesterDucklingId: 'DUCK-C' },
      { requesterAgentId: null },
      { targetDucklingId: 'DUCK-C' },
      { createdAt: new Date(0) },
      { expiresAt: new Date(0) },
      { grantSeconds: 60 },
    ]
    const hashes = [{}, ...changes].map((change) =>
      statementHash(approvalStatement({ ...peck, ...change })).toString('hex'),
    )
    expect(new Set(hashes).size).toBe(changes.length + 1)
    expect(hashes[0]).toBe(sha256(statementText(approvalStatement(peck))).toString('hex'))
  })
})
