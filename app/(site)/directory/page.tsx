import type { Metadata } from 'next'
import Link from 'next/link'
import { api } from '@/app/_web/api'
import { PageProblem } from '@/app/_web/page-problem'
import { findViewer } from '@/app/_web/viewer'
import { withProblemPage, withProblemTitle } from '@/components/problem-page'
import { ButtonLink } from '@/components/ui/button'
import { Empty, Notice, PageHead } from '@/components/ui/surface'
import { Flock } from './flock'

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** A directory lists nobody below T1. */
const tiers = [
  {
    tier: '',
    label: 'Everybody',
    means: 'T1 has a confirmed e-mail address, T2 a phone as well, T3 a passkey.',
  },
  { tier: 'T1', label: 'T1', means: 'Their e-mail address is confirmed.' },
  { tier: 'T2', label: 'T2', means: 'Their e-mail address and their phone are confirmed.' },
  { tier: 'T3', label: 'T3', means: 'E-mail and phone are confirmed, and a passkey is in hand.' },
] as const

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value) ?? ''

export const generateMetadata = withProblemTitle(async function generateMetadata({
  searchParams,
}: PageProps): Promise<Metadata> {
  const { cursor } = await searchParams
  return {
    title: 'Directory',
    description:
      'Who is on this pond: ducklings that let themselves be seen, with the trust they have earned.',
    // The address of a later page is another one each time.
    ...(cursor === undefined ? {} : { robots: { index: false } }),
  }
})

export default withProblemPage(async function DirectoryPage({ searchParams }: PageProps) {
  const given = await searchParams
  const tier = one(given.tier)
  const cursor = one(given.cursor)
  const result = await api('GET /beak/spaceducks', {
    // What is no tier and no cursor the API refuses.
    query: { tier: tier as 'T1', cursor, limit: '24' },
    // A session that has ended is refused even where none is needed.
    ...((await findViewer()) === null ? { token: '' } : {}),
  })
  if (!result.ok) throw new PageProblem(result.problem)
  return (
    <>
      <PageHead
        title="Directory"
        lead="Everybody on this pond who lets themselves be seen, newest first. Numbers are masked; names are chosen freely and are not unique."
      />
      <TierFilter tier={tier} />
      <Self self={result.data.self} />
      {result.data.items.length === 0 ? (
        <Nobody tier={tier} isLater={cursor !== ''} />
      ) : (
        <Flock ducklings={result.data.items} self={result.data.self} />
      )}
      <Pages tier={tier} cursor={cursor} next={result.data.next_cursor} />
    </>
  )
})

function addressOf(tier: string, cursor = ''): string {
  const query = new URLSearchParams({ ...(tier ? { tier } : {}), ...(cursor ? { cursor } : {}) }).toString()
  return query === '' ? '/directory' : `/directory?${query}`
}

function TierFilter({ tier: chosen }: { tier: string }) {
  const means = tiers.find(({ tier }) => tier === chosen)?.means
  return (
    <nav aria-label="Trust tier" className="mb-12">
      <ul className="inline-flex flex-wrap rounded-control border border-edge bg-surface p-0.5">
        {tiers.map(({ tier, label }) => (
          <li key={label}>
            <Link
              href={addressOf(tier)}
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

interface SelfProps {
  self: { trust_tier: string; directory_visible: boolean } | undefined
}

/** Why one does not find oneself here. */
function Self({ self }: SelfProps) {
  if (self === undefined) return null
  if (self.trust_tier !== 'T0' && self.directory_visible) return null
  return (
    <div className="mb-10">
      <Notice>
        {self.trust_tier === 'T0'
          ? 'You are not listed yet: that takes a confirmed e-mail address (T1). '
          : 'You have hidden yourself, so nobody finds you here. '}
        <Link href={self.trust_tier === 'T0' ? '/security' : '/profile'} className="underline">
          {self.trust_tier === 'T0' ? 'Confirm yours' : 'Change that in your profile'}
        </Link>
        .
      </Notice>
    </div>
  )
}

function Nobody({ tier, isLater }: { tier: string; isLater: boolean }) {
  if (isLater) return <Empty title="That was everybody.">No duckling comes after these.</Empty>
  return tier === '' ? (
    <Empty title="The water is calm." action={<ButtonLink href="/signup">Be the first</ButtonLink>}>
      Ducklings appear here once they have confirmed their e-mail address, unless they hide themselves.
    </Empty>
  ) : (
    <Empty title={`Nobody at ${tier} yet.`} action={<ButtonLink href="/directory">See everybody</ButtonLink>}>
      Ducklings rise when they prove more about themselves.
    </Empty>
  )
}

function Pages({ tier, cursor, next }: { tier: string; cursor: string; next: string | null }) {
  if (cursor === '' && next === null) return null
  return (
    <nav aria-label="Pages of the directory" className="mt-4 flex flex-wrap justify-between gap-3">
      {cursor === '' ? <span /> : <ButtonLink href={addressOf(tier)}>Back to the newest</ButtonLink>}
      {next === null ? null : (
        <ButtonLink href={addressOf(tier, next)} prefetch={false} rel="next">
          Further back
        </ButtonLink>
      )}
    </nav>
  )
}
