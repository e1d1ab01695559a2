import { z } from 'zod'
import { getTile } from '@/lib/domain/tlog/published'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getLogTile',
  summary: 'Tile of the transparency log',
  description:
    'C2SP tlog-tiles: `<L>/<N>` has 256 hashes of level L. `entries/<N>` has 256 entries, each with its length in two bytes before it. Add `.p/<W>` to get the first W hashes or entries of a tile that is not full.',
  auth: 'none',
  limit: 'tlog',
  response: z.instanceof(Uint8Array),
  media: 'application/octet-stream',
  failures: ['checkpoint_not_found', 'tile_not_found'],
  responseHeaders: { 'Cache-Control': 'public, max-age=31536000, immutable' },
  handle: (context, { parameter }) => getTile(context, `tile/${parameter}`),
})
