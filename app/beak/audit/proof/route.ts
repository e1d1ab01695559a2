import { auditProof } from '@/lib/domain/tlog/prove'
import { LogProof, LogProofQuery } from '@/lib/domain/tlog/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  summary: 'Prove that the transparency log has your audit log',
  description:
    'Inclusion of the newest logged end of your audit log, of the end that covers event `seq`, or of your passkey `passkey_id`. With `first`, also consistency from that tree size to `second` (default: the size of the checkpoint). `entry` is null while nothing of yours is logged: ends are logged within a minute. With `heads=true`, also every logged end of your audit log. Hashes are base64, proofs follow RFC 6962. Keep the answer: `npm run audit:verify -- export.json --checkpoint proof.json` compares it later with your export and with the log, and finds whatever was rewritten.',
  auth: 'session',
  limit: 'authenticated',
  query: LogProofQuery,
  response: LogProof,
  failures: ['checkpoint_missing', 'log_entry_missing'],
  handle: (context, { query }) => auditProof(context, query),
})
