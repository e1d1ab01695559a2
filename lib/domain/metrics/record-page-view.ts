import { transaction } from '@/lib/db/transaction'
import type { AnonymousContext } from '@/lib/kernel/context'

/**
 * Removes query string and fragment, which may contain keys and tokens (security bar, D3), and the user name and password of a URL.
 */
function withoutSecrets(address: string): string {
  const [place = ''] = address.split(/[?#]/)
  return place.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*@/i, '$1//')
}

/** Records a page view with page and referrer only, without the person and the address of the client (contract B). */
export async function recordPageView(
  context: AnonymousContext,
  page: string,
  referrer: string | undefined,
): Promise<void> {
  const from = withoutSecrets(referrer ?? '')
  await transaction((tx) =>
    tx.pageView.create({
      data: {
        page: withoutSecrets(page) || '/',
        referrer: from === '' ? null : from,
        createdAt: context.now,
      },
    }),
  )
}
