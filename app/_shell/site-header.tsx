import { LogOut } from 'lucide-react'
import { findPending } from '@/app/_web/passkeys'
import { optionalViewer, type Viewer } from '@/app/_web/viewer'
import { Duck, Logo } from '@/components/duck'
import { ButtonLink, buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { PlainForm } from '@/components/ui/plain-form'
import { Pill } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { personName } from '@/lib/kernel/text/person-name'
import { signOut } from './actions'
import { ChangesBanner } from './changes-banner'
import { EmailUndoBanner } from './email-undo-banner'
import { frameState } from './frame'
import { LinkList } from './link-list'
import { PaletteButton } from './palette/palette-button'
import { RecoveryBanner } from './recovery-banner'
import { SessionTrace } from './session-trace'
import { PageShortcuts } from './shortcuts/page-shortcuts'

const links = [
  { href: '/directory', label: 'Directory' },
  { href: '/verify', label: 'Verify' },
  { href: '/numbers', label: 'Numbers' },
  { href: '/docs', label: 'Docs' },
]

/**
 * The header of every page, with the banners of a pending removal of passkeys, of a pending undo and of changes by other sessions.
 * `isAccount`: on the account pages it has a sign-out button, and narrow screens hide its links, because those pages have their own
 * navigation.
 */
export async function SiteHeader({ isAccount = false }: { isAccount?: boolean }) {
  const viewer = await optionalViewer()
  const { recovery, emailUndo, changes } = await findPending()
  const [change, ...others] = changes
  // Read by app/_shell/frame-check.tsx and components/ui/draft.ts.
  const marks = { 'data-frame': (await frameState()) ?? undefined, 'data-viewer': viewer?.duckling_id }
  return (
    <>
      <header {...marks} className="no-print border-b border-line">
        <div className="mx-auto flex max-w-6xl flex-wrap [body:has([data-wide])_&]:max-w-[96rem] items-center gap-x-6 max-sm:gap-x-2 px-5 py-3 lg:[body:has([data-wide])_&]:py-1">
          <Link
            href="/"
            className="flex min-h-11 items-center gap-2 font-display text-xl font-bold tracking-tight no-underline"
          >
            <Logo />
            Beak
          </Link>
          <nav
            aria-label="Public pages"
            className={`order-last w-full md:order-none md:w-auto ${isAccount ? 'max-md:hidden' : ''}`}
          >
            <LinkList links={links} />
          </nav>
          <div className="flex min-w-0 grow basis-0 items-center justify-end gap-3 max-sm:gap-1">
            {viewer ? (
              <ViewerLinks viewer={viewer} isAccount={isAccount} />
            ) : isAccount ? null : (
              <SignInLinks />
            )}
          </div>
        </div>
      </header>
      <SessionTrace isSignedIn={viewer !== null} />
      {recovery ? <RecoveryBanner removesAt={recovery.removes_at} isByHost={recovery.by_host} /> : null}
      {change === undefined ? null : <ChangesBanner first={change} more={others.length} />}
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
        Sign in
      </Link>
      {config().signUp.mode === 'closed' ? null : (
        <ButtonLink href="/signup" className="whitespace-nowrap">
          Sign up
        </ButtonLink>
      )}
    </>
  )
}

function ViewerLinks({ viewer, isAccount }: { viewer: Viewer; isAccount: boolean }) {
  return (
    <>
      {isAccount ? (
        <>
          <PaletteButton />
          <PageShortcuts />
        </>
      ) : null}
      <Link
        href={isAccount ? '/profile' : '/home'}
        className="flex min-h-11 min-w-0 items-center gap-2.5 text-sm font-semibold no-underline"
      >
        <Duck id={viewer.duckling_id} size={34} />
        <span className="min-w-0 max-w-56 truncate max-[26rem]:sr-only" title={personName(viewer)}>
          <bdi>{personName(viewer)}</bdi>
        </span>
        {/* The narrowest phones have no room for it beside the buttons. */}
        <span className="max-[22rem]:hidden">
          <Pill>{viewer.trust_tier}</Pill>
        </span>
      </Link>
      {isAccount ? (
        <PlainForm action={signOut} className="flex" countsOnce={false}>
          <button type="submit" className={buttonClass('quiet', 'whitespace-nowrap max-sm:min-w-11')}>
            <LogOut aria-hidden="true" size={18} className="sm:hidden" />
            <span className="max-sm:sr-only">Sign out</span>
          </button>
        </PlainForm>
      ) : null}
    </>
  )
}
