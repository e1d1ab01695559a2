import { api } from '@/app/_web/api'
import { download, refuseDownload } from '@/app/_web/download'

/** Downloads a shared receipt. Public, like its page. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  const { id } = await params
  const result = await api('GET /beak/peck/shared', { query: { id } })
  if (!result.ok) return refuseDownload(request, result.problem, '/receipts')
  const { receipt } = result.data
  return download(JSON.stringify(receipt), `beak-receipt-${receipt.peck_id}.json`, 'application/json')
}
