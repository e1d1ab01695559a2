import { BlocksQuery, listBlocks } from '@/lib/domain/pecks/blocks/list-blocks'
import { Block } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageRequest } from '@/lib/kernel/page'

export const GET = endpoint({
  summary: 'List the ducklings whose pecks do not reach you',
  // Spec silent: the contract blocks and unblocks, and names no way to see who is blocked.
  description: 'Newest first. They are not told, and nobody else sees this list.',
  auth: 'session',
  limit: 'authenticated',
  query: BlocksQuery,
  response: listOf(Block),
  handle: (context, { query }) => listBlocks(context, pageRequest(query)),
})
