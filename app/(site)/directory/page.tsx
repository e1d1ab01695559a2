import type { Metadata } from 'next'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/page-read'
import { findViewer } from '@/app/_web/viewer'
import type { QueryOf, ResponseOf } from '@/app/beak/_api/lines'
import { withBasePath } from '@/components/base-path'
import { ButtonLink, buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Empty, Notice, PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { tierLabel } from '@/lib/kernel/text/tier-words'
import { Flock } from './flock'

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

type TierQuery = QueryOf<'GET /beak/spaceducks'>['tier']

/** The choices of the filter. The directory lists nobody below T1. */
const tiers = [
  {
    tier: '',
    get label() {
      return m.directory_everyone()
    },
    get means() {
      return null
    },
  },
  {
    tier: 'T1',
    get label() {
      return tierLabel('T1')
    },
    get means() {
      return null
    },
  },
  {
    tier: 'T2',
    get label() {
      return tierLabel('T2')
    },
    get means() {
      return m.directory_these_ducklings_have_confirmed_email_phone()
    },
  },
  {
    tier: 'T3',
    get label() {
      return tierLabel('T3')
    },
    get means() {
      return m.directory_tier_filter_top_hint()
    },
  },
] as const

const firstOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value) ?? ''

export const generateMetadata = withProblemTitle(async function generateMetadata({
  searchParams,
}: PageProps): Promise<Metadata> {
  const { cursor, q } = await searchParams
  return {
    title: m.directory_directory(),
    description: m.directory_page_description(),
    // The cursor of a later page changes each time, and a search is not a page.
    ...(cursor === undefined && q === undefined ? {} : { robots: { index: false } }),
  }
})

export default withProblemPage(async function DirectoryPage({ searchParams }: PageProps) {
  const given = await searchParams
  const tier = firstOf(given.tier)
  const cursor = firstOf(given.cursor)
  const q = firstOf(given.q).trim()
  const { items, self, next_cursor } = await read('GET /beak/spaceducks', {
    // The API rejects unknown tiers and cursors.
    query: { tier: tier as TierQuery, cursor, limit: '24', ...(q === '' ? {} : { q }) },
    // The API rejects an ended session even on an endpoint that needs none.
    ...((await findViewer()) === null ? { token: '' } : {}),
  })
  return (
    <>
      <PageHead title={m.directory_directory()} lead={m.directory_people_with_confirmed_email_who_are()} />
      <DirectorySearch tier={tier} q={q} />
      <TierFilter tier={tier} q={q} />
      <UnlistedNotice self={self} />
      {items.length === 0 ? (
        <EmptyDirectory tier={tier} q={q} isLater={cursor !== ''} />
      ) : (
        <Flock ducklings={items} self={self} />
      )}
      <PageLinks tier={tier} q={q} cursor={cursor} next={next_cursor} />
    </>
  )
})

function addressOf({ tier, q, cursor = '' }: { tier: string; q: string; cursor?: string }): string {
  const query = new URLSearchParams({
    ...(q ? { q } : {}),
    ...(tier ? { tier } : {}),
    ...(cursor ? { cursor } : {}),
  }).toString()
  return query === '' ? '/directory' : `/directory?${query}`
}

/** Finds whole handles and names. Works without JavaScript. */
function DirectorySearch({ tier, q }: { tier: string; q: string }) {
  return (
    <search className="mb-6 block max-w-md">
      <form action={withBasePath('/directory')} className="flex gap-2">
        {tier === '' ? null : <input type="hidden" name="tier" value={tier} />}
        <input
          type="search"
          name="q"
          required
          maxLength={64}
          defaultValue={q}
          aria-label={m.directory_search_by_whole_handle_or_name()}
          placeholder={m.directory_whole_handle_or_name()}
          autoCapitalize="off"
          spellCheck={false}
          className="min-h-11 w-full min-w-0 rounded-control border border-edge bg-surface px-3 text-ink placeholder:text-soft"
        />
        <button type="submit" className={buttonClass('plain', 'shrink-0')}>
          {m.directory_search()}
        </button>
      </form>
      {q === '' ? null : (
        <p className="mt-2 text-sm">
          <Link href={addressOf({ tier, q: '' })} className="inline-flex min-h-6 items-center underline">
            {m.directory_clear_search()}
          </Link>
        </p>
      )}
    </search>
  )
}

function TierFilter({ tier: chosen, q }: { tier: string; q: string }) {
  const means = tiers.find(({ tier }) => tier === chosen)?.means
  return (
    <nav aria-label={m.directory_trust_tier()} className="mb-12">
      <ul className="inline-flex flex-wrap rounded-control border border-edge bg-surface p-0.5">
        {tiers.map(({ tier, label }) => (
          <li key={label}>
            <Link
              href={addressOf({ tier, q })}
              aria-current={tier === chosen ? 'page' : undefined}
              className="inline-flex min-h-11 items-center rounded-control px-4 text-sm font-semibold no-underline hover:bg-sunken aria-[current]:bg-ink aria-[current]:text-ground"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
      {means ? <p className="mt-3 text-sm text-soft">{means}</p> : null}
    </nav>
  )
}

/** Tells viewers why they are not listed. */
function UnlistedNotice({ self }: { self: ResponseOf<'GET /beak/spaceducks'>['self'] }) {
  if (self === undefined) return null
  if (self.trust_tier !== 'T0' && self.directory_visible) return null
  return (
    <div className="mb-10">
      <Notice>
        {self.trust_tier === 'T0' ? m.directory_not_listed_note() : m.directory_hidden_note()}{' '}
        <Link href={self.trust_tier === 'T0' ? '/security' : '/profile'} className="underline">
          {self.trust_tier === 'T0'
            ? m.directory_confirm_your_email()
            : m.directory_change_this_in_your_profile()}
        </Link>
      </Notice>
    </div>
  )
}

function EmptyDirectory({ tier, q, isLater }: { tier: string; q: string; isLater: boolean }) {
  if (q !== '') return <Empty title={m.directory_nobody_found()}>{m.directory_search_empty_hint()}</Empty>
  if (isLater)
    return (
      <Empty title={m.directory_no_more_ducklings()}>{m.directory_you_have_reached_end_directory()}</Empty>
    )
  return tier === '' ? (
    <Empty
      title={m.directory_no_ducklings_yet()}
      action={<ButtonLink href="/signup">{m.directory_sign_up()}</ButtonLink>}
    >
      {m.directory_list_empty_hint()}
    </Empty>
  ) : (
    <Empty
      title={m.directory_nobody_confirmed_yet()}
      action={<ButtonLink href="/directory">{m.directory_show_everyone()}</ButtonLink>}
    >
      {m.directory_tier_empty_hint()}
    </Empty>
  )
}

interface PageLinksProps {
  tier: string
  q: string
  cursor: string
  next: string | null
}

function PageLinks({ tier, q, cursor, next }: PageLinksProps) {
  if (cursor === '' && next === null) return null
  return (
    <nav
      aria-label={m.directory_pages_of_the_directory()}
      className="mt-4 flex flex-wrap justify-between gap-3"
    >
      {cursor === '' ? (
        <span />
      ) : (
        <ButtonLink href={addressOf({ tier, q })}>{m.directory_show_newest()}</ButtonLink>
      )}
      {next === null ? null : (
        <ButtonLink href={addressOf({ tier, q, cursor: next })} rel="next">
          {m.directory_show_older()}
        </ButtonLink>
      )}
    </nav>
  )
}
