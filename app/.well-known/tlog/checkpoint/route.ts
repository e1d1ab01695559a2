import { z } from 'zod'
import { getCheckpointNote } from '@/lib/domain/tlog/published'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getLogCheckpoint',
  summary: 'Newest checkpoint of the transparency log',
  description:
    'A signed note (C2SP tlog-checkpoint): the origin, the number of entries and the root hash, signed by the log and cosigned by witnesses. The log has digests of the newest events of all audit logs and of passkeys, and no personal data. A new checkpoint follows within a minute of a change.',
  auth: 'none',
  limit: 'tlog',
  response: z.string(),
  media: 'text/plain; charset=utf-8',
  failures: ['checkpoint_not_found'],
  // Short, because cosignatures follow a checkpoint within seconds (contract A, Headers).
  responseHeaders: { 'Cache-Control': 'public, max-age=5' },
  handle: (context) => getCheckpointNote(context),
})
