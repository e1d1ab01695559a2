/** The four rooms of the account. Every page of a signed-in person leads to them. */

import { Activity, CirclePause, Inbox, ShieldCheck, User } from 'lucide'
import { findPending } from '@/app/_web/passkeys'
import { countWaiting, findOverview, optionalViewer } from '@/app/_web/viewer'
import { Logo } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { AccountMenu } from './account-menu'
import { settingsPages } from './account-pages'
import { BuilderMark } from './builder-mark'
import { ChangesBanner } from './changes-banner'
import { CurrentLink, OnPages } from './current-link'
import { frameState } from './frame'
import { LinkList, publicPages } from './link-list'
import { PaletteButton } from './palette/palette-button'
import { InstalledApp } from './phone/installed-app'
import { RecoveryBanner, WarningBanner } from './recovery-banner'
import { SessionTrace } from './session-trace'
import { PageShortcuts } from './shortcuts/page-shortcuts'

interface Room {
  name: 'inbox' | 'allowed' | 'activity' | 'you'
  label: () => string
  href: string
  /** The addresses of the room. Pages below them belong to it too. */
  pages: string[]
}

export const rooms: Room[] = [
  { name: 'inbox', label: m.rooms_inbox, href: '/pecks', pages: ['/pecks'] },
  {
    name: 'allowed',
    label: m.rooms_allowed,
    href: '/allowed',
    // Not `/agents/AGT-…`, which is the public page of an agent. Not the page of a consent, which may be that of a site.
    pages: ['/allowed', '/agents/new', '/agents/manage', '/connect/first', '/device', '/rules'],
  },
  { name: 'activity', label: m.rooms_activity, href: '/audit', pages: ['/audit'] },
  {
    name: 'you',
    label: m.rooms_you,
    href: '/you',
    pages: ['/you', ...settingsPages.map(({ href }) => href)],
  },
]

const icons = { inbox: Inbox, allowed: ShieldCheck, activity: Activity, you: User }

/** The first steps of a new account lead on by themselves. */
const withoutNav = ['/welcome']

/**
 * The navigation between the rooms: on a phone a bar at the end of the window, otherwise a part of the header. In a low window, such as a
 * phone held sideways, it stays in the header, because a bar would cover too much. `waiting`: the number of requests that wait for an
 * answer, such as "66" or "1,000+", or an empty text for none.
 */
function RoomNav({ waiting }: { waiting: string }) {
  return (
    <OnPages pages={withoutNav} isExcept>
      <nav aria-label={m.rooms_your_account()} data-room-nav className="room-nav">
        <ul className="flex max-md:justify-around md:gap-x-1">
          {rooms.map((room) => (
            <li key={room.name} className="max-md:min-w-0 max-md:flex-1">
              <RoomLink room={room} waiting={room.name === 'inbox' ? waiting : ''} />
            </li>
          ))}
        </ul>
      </nav>
    </OnPages>
  )
}

const look =
  'group relative flex min-h-14 items-center justify-center gap-x-1.5 rounded-control text-xs text-soft no-underline hover:text-ink aria-[current]:font-semibold aria-[current]:text-ink max-md:flex-col max-md:gap-y-0.5 md:min-h-11 md:px-3 md:max-lg:px-2 md:text-sm md:hover:bg-sunken md:aria-[current]:bg-accent-wash'

function RoomLink({ room: { name, href, pages, label }, waiting }: { room: Room; waiting: string }) {
  return (
    <CurrentLink href={href} pages={pages} className={look}>
      <Icon of={icons[name]} size={22} className="group-aria-[current]:text-accent md:hidden" />
      {label()}
      {waiting === '' ? null : (
        <span className="rounded-full bg-accent px-1.5 text-xs font-semibold text-accent-ink tabular-nums max-md:absolute max-md:start-1/2 max-md:top-1 max-md:ms-1.5 max-md:text-[0.6875rem] max-md:leading-4">
          <span aria-hidden="true">{waiting}</span>
          <span className="visually-hidden"> {m.rooms_requests_waiting({ count: waiting })}</span>
        </span>
      )}
    </CurrentLink>
  )
}

/** A banner on every page while everything is paused. Resuming needs the passkey, in the room "Allowed". */
function PausedBanner() {
  return (
    <section aria-label={m.rules_all_paused()} className="no-print border-b border-line bg-sunken">
      <div className="mx-auto flex max-w-6xl flex-wrap [body:has([data-wide])_&]:max-w-[96rem] items-center justify-between gap-x-8 gap-y-2 px-5 py-2 max-sm:py-1">
        <p className="flex min-w-0 flex-1 basis-64 items-center gap-3 text-sm max-sm:basis-0">
          <Icon of={CirclePause} size={20} className="shrink-0 max-sm:hidden" />
          <span>
            <strong>{m.rules_all_paused()}</strong>{' '}
            <span className="max-sm:hidden">{m.rules_all_paused_text()}</span>
          </span>
        </p>
        <ButtonLink href="/allowed">{m.rules_resume_ellipsis()}</ButtonLink>
      </div>
    </section>
  )
}

/** A banner on every page while the undo of the viewer's change of address waits. Cancelling needs a passkey, so it only leads there. */
function EmailUndoBanner({ restoresAt }: { restoresAt: string }) {
  return (
    <WarningBanner
      label={m.shell_undo_of_your_email_change()}
      warning={
        <Sentence of={m.shell_email_undo_banner_text} parts={{ time: () => <Time at={restoresAt} /> }} />
      }
      advice={m.shell_email_undo_banner_advice()}
    >
      <ButtonLink href="/security#email-undo">{m.shell_keep_my_email()}</ButtonLink>
    </WarningBanner>
  )
}

/**
 * The header of every page, with the banners of a pending removal of passkeys, of a pending undo and of changes by other sessions. A
 * signed-in person has the rooms of the account in it, also on public pages: the footer then has the links to those. `isAccount`: on the
 * account pages.
 */
export async function SiteHeader({ isAccount = false }: { isAccount?: boolean }) {
  const viewer = await optionalViewer()
  const { recovery, emailUndo, asked, isPaused } = await findPending()
  // Read by app/_shell/frame-check.tsx and components/ui/draft.ts.
  const marks = { 'data-frame': (await frameState()) ?? undefined, 'data-viewer': viewer?.duckling_id }
  return (
    <>
      <header {...marks} className="no-print border-b border-line">
        <div className="mx-auto flex max-w-6xl flex-wrap [body:has([data-wide])_&]:max-w-[96rem] items-center gap-x-6 max-sm:gap-x-2 md:max-lg:gap-x-3 px-5 py-3 lg:[body:has([data-wide])_&]:py-1">
          <Link
            href={viewer ? '/home' : '/'}
            title={viewer ? m.shell_home() : undefined}
            className="flex min-h-11 items-center gap-2 font-display text-xl font-bold tracking-tight no-underline"
          >
            <Logo />
            Beak
          </Link>
          {viewer ? (
            <RoomNav waiting={await countWaiting()} />
          ) : (
            <nav
              aria-label={m.shell_public_pages()}
              className={`order-last w-full md:order-none md:w-auto ${isAccount ? 'max-md:hidden' : ''}`}
            >
              <LinkList links={publicPages} />
            </nav>
          )}
          <div className="flex min-w-0 grow basis-0 items-center justify-end gap-3 max-lg:gap-1">
            {viewer ? (
              <>
                <PaletteButton />
                <PageShortcuts isBuilder={viewer.builder} />
                <AccountMenu viewer={viewer} isPaused={isPaused} />
              </>
            ) : isAccount ? null : (
              <SignInLinks />
            )}
          </div>
        </div>
      </header>
      <SessionTrace isSignedIn={viewer !== null} />
      {viewer?.builder === false ? <BuilderMark /> : null}
      {viewer ? <InstalledApp waiting={(await findOverview())?.known_pecks ?? 0} /> : null}
      {isPaused ? <PausedBanner /> : null}
      {recovery ? <RecoveryBanner removesAt={recovery.removes_at} isByHost={recovery.by_host} /> : null}
      <ChangesBanner {...asked} />
      {emailUndo ? <EmailUndoBanner restoresAt={emailUndo.restores_at} /> : null}
    </>
  )
}

function SignInLinks() {
  return (
    <>
      <Link
        href="/signin"
        className="inline-flex min-h-11 items-center px-2 text-sm font-semibold whitespace-nowrap no-underline"
      >
        {m.shell_sign_in()}
      </Link>
      {config().signUp.mode === 'closed' ? null : (
        <ButtonLink href="/signup" className="whitespace-nowrap">
          {m.shell_sign_up()}
        </ButtonLink>
      )}
    </>
  )
}
