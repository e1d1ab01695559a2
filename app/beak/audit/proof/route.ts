import { auditProof } from '@/lib/domain/tlog/prove'
import { LogProof, LogProofQuery } from '@/lib/domain/tlog/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getAuditProof',
  summary: 'Prove that the transparency log has your audit log',
  description:
    'Proves that the log includes the newest logged head of your audit log, the head that covers event `seq`, or your passkey `passkey_id`. With `first`, the answer also proves consistency from that tree size to `second` (default: the size of the checkpoint). `entry` is null until the log has an entry of yours: events are logged within a minute. With `heads=true`, the answer also lists every logged head of your audit log. Hashes are base64, and proofs follow RFC 6962. Save the answer: `beak audit verify -- export.json --checkpoint proof.json` compares it later with your export and with the log, and finds everything that was rewritten.',
  auth: 'session',
  limit: 'authenticated',
  query: LogProofQuery,
  response: LogProof,
  failures: ['checkpoint_not_found', 'log_entry_not_found'],
  handle: (context, { query }) => auditProof(context, query),
})
