import { transaction } from '@/lib/db/transaction'
import type { AnonymousContext } from '@/lib/kernel/context'

/**
 * What of an address may be kept: no query string and no fragment, where keys and tokens ride (security bar, D3), and of a
 * URL no user name or password.
 */
function withoutSecrets(address: string): string {
  const [place = ''] = address.split(/[?#]/)
  return place.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*@/i, '$1//')
}

/** Keeps that a page was looked at: neither by whom nor from where (contract B). */
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
