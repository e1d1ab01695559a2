import { isFreeText } from '@beak/decision/free-text'
import { isolated, personName } from '@beak/decision/person-name'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { withProblemPage } from '@/app/_shell/problem-page'
import { find } from '@/app/_web/page-read'
import { requireViewer } from '@/app/_web/viewer'
import { AskedHead } from '@/app/(site)/ask/_favour/asked-head'
import type { Favour } from '@/app/(site)/ask/_favour/favour'
import { FavourFields } from '@/app/(site)/ask/_favour/favour-fields'
import { Duck } from '@/components/duck'
import { BackLink } from '@/components/ui/back-link'
import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { tierLabel } from '@/lib/kernel/text/tier-words'
import type { Peck } from '../_peck/reads'
import { targetName } from '../_peck/words'
import { askPerson } from './actions'
import { type Friend, friendsOf } from './friends'
import { newRequestPage } from './new-request-page'
import { PersonChoice } from './person-choice'

export const generateMetadata = (): Metadata => ({ title: m.ask_somebody(), robots: { index: false } })

interface PageProps {
  searchParams: Promise<{ to?: string | string[]; action?: string | string[]; again?: string | string[] }>
}

/** Asks a person in a sentence. Actions, details and lifetimes are for programs and have a page of their own. */
export default withProblemPage(async function AskSomebodyPage({ searchParams }: PageProps) {
  const { to: givenTo, action, again } = await searchParams
  const named = typeof givenTo === 'string' ? givenTo.slice(0, 254) : ''
  if (typeof action === 'string') redirect(`/pecks/new/action?${new URLSearchParams({ to: named, action })}`)
  const viewer = await requireViewer(
    typeof again === 'string' ? `/pecks/new?${new URLSearchParams({ again })}` : newRequestPage(named),
  )
  const asked = typeof again === 'string' ? await findAsked(again, viewer.duckling_id) : null
  const to = asked?.target_duckling_id ?? named
  const friends = await friendsOf(viewer.duckling_id)
  const friend =
    friends.find(({ id, handle }) => id === to || (handle !== undefined && `@${handle}` === to)) ??
    (asked === null ? await findStranger(to) : askedBefore(asked))
  const sender = { id: viewer.duckling_id, name: personName(viewer) }
  return (
    <div className="mx-auto grid max-w-xl gap-8">
      <div className="grid gap-2">
        <BackLink href="/pecks/sent">{m.ask_sent_requests()}</BackLink>
        {friend === undefined ? (
          <h1>{m.ask_somebody()}</h1>
        ) : (
          <AskedHead id={friend.id} name={isolated(friend.name)}>
            <Mark {...friend} />
            {friend.tier === undefined ? null : <span>{tierLabel(friend.tier)}</span>}
          </AskedHead>
        )}
      </div>
      <ActionForm action={askPerson} label={m.ask_somebody()}>
        {friend === undefined ? (
          <Whom friends={friends} to={to} />
        ) : (
          <>
            <input type="hidden" name="friend" value={friend.id} />
            <input type="hidden" name="to" value={to} />
          </>
        )}
        <FavourFields
          given={asked === null ? null : (asked.params as unknown as Favour)}
          preview={{ to: friend === undefined ? m.ask_the_other() : isolated(friend.name), from: sender }}
        />
        <SubmitButton pending={m.ask_sending()}>{m.ask_send()}</SubmitButton>
      </ActionForm>
      <p className="border-t border-line pt-2 text-sm text-soft">
        {friend === undefined ? null : (
          <>
            <TextLink href="/pecks/new">{m.ask_somebody_else()}</TextLink>{' '}
          </>
        )}
        <TextLink href={`/pecks/new/action${to === '' ? '' : `?${new URLSearchParams({ to })}`}`}>
          {m.ask_for_programs_action()}
        </TextLink>
      </p>
    </div>
  )
})

/** Returns a favour that the viewer asked before, to ask it again. */
async function findAsked(peckId: string, viewerId: string) {
  const peck = await find('GET /beak/peck/status', { query: { peck_id: peckId } })
  return peck !== null && isFreeText(peck.action) && peck.requester.duckling_id === viewerId ? peck : null
}

/** Returns whom the viewer asked before, who may never have answered. */
const askedBefore = (peck: Peck): Friend => ({
  id: peck.target_duckling_id,
  name: targetName(peck),
  handle: peck.target_handle,
})

/** Returns somebody whom the viewer does not know, as far as the page of the handle shows them. */
async function findStranger(to: string): Promise<Friend | undefined> {
  const person = to.startsWith('@') ? await find('GET /beak/handle/view', { query: { handle: to } }) : null
  if (person === null) return undefined
  return {
    id: person.duckling_id,
    name: personName(person),
    handle: person.handle,
    tier: person.trust_tier,
  }
}

/** What tells a person from another one of the same name. */
function Mark({ id, handle }: Pick<Friend, 'id' | 'handle'>) {
  return (
    <bdi translate="no" className="block text-sm text-soft">
      {handle === undefined ? `…${id.slice(-4)}` : `@${handle}`}
    </bdi>
  )
}

/** The people whom the viewer knows, and a field for anybody else. */
function Whom({ friends, to }: { friends: Friend[]; to: string }) {
  return (
    <>
      {friends.length === 0 ? null : (
        <fieldset className="min-w-0">
          <legend className="mb-2 text-sm font-semibold">{m.ask_whom()}</legend>
          <div className="flex max-h-80 flex-wrap gap-2 overflow-y-auto">
            {friends.map((friend) => (
              <label
                key={friend.id}
                className="flex min-h-11 max-w-full items-center gap-2 rounded-full border border-edge bg-surface py-1 ps-1.5 pe-4 has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2"
              >
                <input type="radio" name="friend" value={friend.id} className="visually-hidden" />
                <Duck id={friend.id} size={36} />
                <span className="min-w-0 wrap-anywhere">
                  <bdi translate="no" className="font-semibold">
                    {friend.name}
                  </bdi>
                  <Mark {...friend} />
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <TextField
        label={friends.length === 0 ? m.ask_whom() : m.ask_or_somebody_else()}
        name="target_duckling_id"
        defaultValue={to}
        placeholder="@mallard"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        optional={friends.length > 0}
        maxLength={254}
        hint={m.requests_to_hint()}
      />
      <PersonChoice />
    </>
  )
}

function TextLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="inline-flex min-h-11 items-center me-6 underline">
      {children}
    </Link>
  )
}
