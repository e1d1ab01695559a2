import type { Metadata } from 'next'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/read'
import { findViewer } from '@/app/_web/viewer'
import type { QueryOf, ResponseOf } from '@/app/beak/_api/lines'
import { withBasePath } from '@/components/base-path'
import { ButtonLink, buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Empty, Notice, PageHead } from '@/components/ui/surface'
import { Flock } from './flock'

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

type TierQuery = QueryOf<'GET /beak/spaceducks'>['tier']

/** The choices of the filter. The directory lists nobody below T1. */
const tiers = [
  {
    tier: '',
    label: 'Everyone',
    means: 'T1 has a confirmed email, T2 also a confirmed phone, T3 also a passkey.',
  },
  { tier: 'T1', label: 'T1', means: 'These ducklings have a confirmed email.' },
  { tier: 'T2', label: 'T2', means: 'These ducklings have a confirmed email and phone.' },
  { tier: 'T3', label: 'T3', means: 'These ducklings have a confirmed email and phone, and a passkey.' },
] as const

const firstOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value) ?? ''

export const generateMetadata = withProblemTitle(async function generateMetadata({
  searchParams,
}: PageProps): Promise<Metadata> {
  const { cursor, q } = await searchParams
  return {
    title: 'Directory',
    description: 'The ducklings with a confirmed email that are not hidden, with the trust they have earned.',
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
      <PageHead
        title="Directory"
        lead="Everyone with a confirmed email who is not hidden, newest first. Ids are partly masked. Names are chosen freely and are not unique."
      />
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
          aria-label="Search by whole handle or name"
          placeholder="Whole handle or name"
          autoCapitalize="off"
          spellCheck={false}
          className="min-h-11 w-full min-w-0 rounded-control border border-edge bg-surface px-3 text-ink placeholder:text-soft"
        />
        <button type="submit" className={buttonClass('plain', 'shrink-0')}>
          Search
        </button>
      </form>
      {q === '' ? null : (
        <p className="mt-2 text-sm">
          <Link href={addressOf({ tier, q: '' })} className="inline-flex min-h-6 items-center underline">
            Clear search
          </Link>
        </p>
      )}
    </search>
  )
}

function TierFilter({ tier: chosen, q }: { tier: string; q: string }) {
  const means = tiers.find(({ tier }) => tier === chosen)?.means
  return (
    <nav aria-label="Trust tier" className="mb-12">
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
        {self.trust_tier === 'T0'
          ? "You aren't listed yet. You need a confirmed email (T1). "
          : 'You are hidden, so nobody can find you here. '}
        <Link href={self.trust_tier === 'T0' ? '/security' : '/profile'} className="underline">
          {self.trust_tier === 'T0' ? 'Confirm your email' : 'Change this in your profile'}
        </Link>
      </Notice>
    </div>
  )
}

function EmptyDirectory({ tier, q, isLater }: { tier: string; q: string; isLater: boolean }) {
  if (q !== '')
    return (
      <Empty title="Nobody found">
        Nobody who is listed has exactly this handle or name. The search finds whole names only.
      </Empty>
    )
  if (isLater) return <Empty title="No more ducklings">You have reached the end of the directory.</Empty>
  return tier === '' ? (
    <Empty title="No ducklings yet" action={<ButtonLink href="/signup">Sign up</ButtonLink>}>
      Ducklings appear here when they have confirmed their email, unless they hide themselves.
    </Empty>
  ) : (
    <Empty title={`Nobody at ${tier} yet`} action={<ButtonLink href="/directory">Show everyone</ButtonLink>}>
      Ducklings reach a higher tier when they prove more about themselves.
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
    <nav aria-label="Pages of the directory" className="mt-4 flex flex-wrap justify-between gap-3">
      {cursor === '' ? <span /> : <ButtonLink href={addressOf({ tier, q })}>Show newest</ButtonLink>}
      {next === null ? null : (
        <ButtonLink href={addressOf({ tier, q, cursor: next })} rel="next">
          Show older
        </ButtonLink>
      )}
    </nav>
  )
}
