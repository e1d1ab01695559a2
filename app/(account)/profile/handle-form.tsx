import type { Viewer } from '@/app/_web/viewer'
import { AnnouncedForm, Announcements } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { CopyBlock } from '@/components/ui/copy'
import { SubmitButton, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { config } from '@/lib/kernel/config'
import { claimHandle, releaseHandle } from './actions'

/** The handle of the viewer, with the forms that choose, change and release it. */
export function HandleSection({ viewer }: { viewer: Viewer }) {
  const { handle, trust_tier: tier } = viewer
  if (tier === 'T0')
    return (
      <p>
        You need a confirmed email (T1) to choose a handle.{' '}
        <Link href="/security" className="underline">
          Confirm your email
        </Link>
      </p>
    )
  return (
    <Announcements>
      <div className="grid gap-6">
        {handle === null ? null : <PublicPage handle={handle} isListed={viewer.directory_visible} />}
        <ClaimForm key={handle} viewer={viewer} />
        {handle === null ? null : <ReleaseForm handle={handle} />}
      </div>
    </Announcements>
  )
}

function PublicPage({ handle, isListed }: { handle: string; isListed: boolean }) {
  return (
    <div>
      <CopyBlock label="Your public page" copyLabel="Copy link" text={`${config().baseUrl}/@${handle}`} />
      <p className="mt-2 text-sm text-soft">
        <Link href={`/@${handle}`} className="inline-flex min-h-6 items-center underline">
          View @{handle}
        </Link>
        .{' '}
        {isListed
          ? 'It shows your name, tier, certificate, agents and ID, and how to ask you.'
          : 'You are hidden in the directory, so only you and people whose requests you have answered see it.'}
      </p>
    </div>
  )
}

function ClaimForm({ viewer: { handle, next_handle_change_at: next } }: { viewer: Viewer }) {
  const label = handle === null ? 'Choose handle' : 'Change handle'
  return (
    <AnnouncedForm action={claimHandle} label={label}>
      {next === null ? (
        <>
          <TextField
            label="Handle"
            name="handle"
            defaultValue={handle ?? ''}
            placeholder="mallard"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={25}
            className="max-w-80"
            hint={
              handle === null
                ? '3–24 letters (a–z), digits and hyphens.'
                : `3–24 letters (a–z), digits and hyphens. @${handle} then leads nowhere, and nobody else can have it for a year.`
            }
          />
          <SubmitButton kind="plain">{label}</SubmitButton>
        </>
      ) : (
        <p>
          You can choose another handle from{' '}
          <strong>
            <Time at={next} dateOnly />
          </strong>
          .
        </p>
      )}
    </AnnouncedForm>
  )
}

function ReleaseForm({ handle }: { handle: string }) {
  return (
    <div>
      <Confirm
        trigger="Release handle"
        title={`Release @${handle}?`}
        text="Your public page ends. For a year, nobody else can have this handle. You can take it back, which counts as a change."
      >
        <AnnouncedForm action={releaseHandle} label="Release handle">
          <SubmitButton kind="danger">Release</SubmitButton>
        </AnnouncedForm>
      </Confirm>
    </div>
  )
}
