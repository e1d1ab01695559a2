import { LogOut } from 'lucide'
import { findPending } from '@/app/_web/passkeys'
import { findOverview, optionalViewer, type Viewer } from '@/app/_web/viewer'
import { countWaiting } from '@/app/_web/waiting'
import { Duck, Logo } from '@/components/duck'
import { ButtonLink, buttonClass } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { PlainForm } from '@/components/ui/plain-form'
import { Pill } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { personName } from '@/lib/kernel/text/person-name'
import { signOut } from './actions'
import { ChangesBanner } from './changes-banner'
import { EmailUndoBanner } from './email-undo-banner'
import { frameState } from './frame'
import { LinkList, publicPages } from './link-list'
import { PaletteButton } from './palette/palette-button'
import { InstalledApp } from './phone/installed-app'
import { RecoveryBanner } from './recovery-banner'
import { RoomNav } from './room-nav'
import { RulesPausedBanner, RulesSwitch } from './rules-switch'
import { SessionTrace } from './session-trace'
import { PageShortcuts } from './shortcuts/page-shortcuts'

/**
 * The header of every page, with the banners of a pending removal of passkeys, of a pending undo and of changes by other sessions. A
 * signed-in person has the rooms of the account in it, also on public pages: the footer then has the links to those. `isAccount`: on the
 * account pages.
 */
export async function SiteHeader({ isAccount = false }: { isAccount?: boolean }) {
  const viewer = await optionalViewer()
  const { recovery, emailUndo, changes, rules } = await findPending()
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
              <ViewerLinks viewer={viewer} hasSwitch={rules === 'on'} />
            ) : isAccount ? null : (
              <SignInLinks />
            )}
          </div>
        </div>
      </header>
      <SessionTrace isSignedIn={viewer !== null} />
      {viewer ? <InstalledApp waiting={(await findOverview())?.pending_pecks ?? 0} /> : null}
      {rules === 'paused' ? <RulesPausedBanner /> : null}
      {recovery ? <RecoveryBanner removesAt={recovery.removes_at} isByHost={recovery.by_host} /> : null}
      <ChangesBanner changes={changes} />
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

function ViewerLinks({ viewer, hasSwitch }: { viewer: Viewer; hasSwitch: boolean }) {
  return (
    <>
      <PaletteButton />
      {hasSwitch ? <RulesSwitch /> : null}
      <PageShortcuts />
      <Link
        href="/profile"
        className="flex min-h-11 min-w-0 items-center gap-2.5 text-sm font-semibold no-underline max-lg:shrink-0"
      >
        <Duck id={viewer.duckling_id} size={34} />
        <span
          className="min-w-0 max-w-56 truncate max-[26rem]:sr-only md:max-lg:sr-only"
          title={personName(viewer)}
        >
          <bdi translate="no">{personName(viewer)}</bdi>
        </span>
        {/* The narrowest phones, and windows with the rooms beside it, have no room for it. */}
        <span className="max-[22rem]:hidden md:max-lg:hidden">
          <Pill>{viewer.trust_tier}</Pill>
        </span>
      </Link>
      <PlainForm action={signOut} className="flex" countsOnce={false}>
        <button type="submit" className={buttonClass('quiet', 'whitespace-nowrap max-lg:min-w-11')}>
          <Icon of={LogOut} size={18} className="lg:hidden" />
          <span className="max-lg:sr-only">{m.shell_sign_out()}</span>
        </button>
      </PlainForm>
    </>
  )
}
