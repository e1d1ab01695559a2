import { Block, BlocksQuery, listBlocks } from '@/lib/domain/pecks/blocks/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageRequest } from '@/lib/kernel/request/page'

export const GET = endpoint({
  operationId: 'listBlocks',
  summary: 'List the ducklings that you have blocked',
  // People must be able to find whom they have blocked.
  description: 'Newest first. The blocked ducklings are not told, and nobody else can see this list.',
  auth: 'session',
  limit: 'authenticated',
  query: BlocksQuery,
  response: listOf(Block),
  handle: (context, { query }) => listBlocks(context, pageRequest(query)),
})
