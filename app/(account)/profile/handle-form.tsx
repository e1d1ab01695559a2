import type { Viewer } from '@/app/_web/viewer'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm, Announcements } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { ConfirmButtons } from '@/components/ui/confirm-buttons'
import { CopyBlock } from '@/components/ui/copy'
import { SubmitButton, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { claimHandle, releaseHandle } from './actions'

/** The handle of the viewer, with the forms that choose, change and release it. */
export function HandleSection({ viewer }: { viewer: Viewer }) {
  const { handle, trust_tier: tier } = viewer
  if (tier === 'T0')
    return (
      <p>
        <Sentence
          of={m.profile_handle_needs_email_note}
          parts={{
            link: (children) => (
              <Link href="/security" className="underline">
                {children}
              </Link>
            ),
          }}
        />
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
      <CopyBlock
        label={m.profile_your_public_page()}
        copyLabel={m.profile_copy_link()}
        text={`${config().baseUrl}/@${handle}`}
      />
      <p className="mt-2 text-sm text-soft">
        <Link href={`/@${handle}`} className="inline-flex min-h-6 items-center underline">
          <Sentence of={m.profile_view_handle} with={{ handle }} />
        </Link>
        . {isListed ? m.profile_public_page_listed_note() : m.profile_public_page_hidden_note()}
      </p>
    </div>
  )
}

function ClaimForm({ viewer: { handle, next_handle_change_at: next } }: { viewer: Viewer }) {
  const label = handle === null ? m.profile_choose_handle() : m.profile_change_handle()
  return (
    <AnnouncedForm action={claimHandle} label={label}>
      {next === null ? (
        <>
          <TextField
            label={m.profile_handle()}
            name="handle"
            defaultValue={handle ?? ''}
            placeholder="mallard"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={25}
            className="max-w-80"
            hint={
              handle === null ? (
                m.profile_3_24_letters_z_digits_hyphens()
              ) : (
                <Sentence of={m.profile_handle_form_leads_nowhere} with={{ handle }} />
              )
            }
          />
          <SubmitButton kind="plain">{label}</SubmitButton>
        </>
      ) : (
        <p>
          <Sentence
            of={m.profile_choose_another_handle_from}
            parts={{
              day: () => (
                <strong>
                  <Time at={next} dateOnly />
                </strong>
              ),
            }}
          />
        </p>
      )}
    </AnnouncedForm>
  )
}

function ReleaseForm({ handle }: { handle: string }) {
  return (
    <div>
      <Confirm
        trigger={m.profile_release_handle()}
        title={<Sentence of={m.profile_release_handle_question} with={{ handle }} />}
        text={m.profile_handle_release_warning()}
      >
        <AnnouncedForm action={releaseHandle} label={m.profile_release_handle()}>
          <ConfirmButtons>{m.profile_release()}</ConfirmButtons>
        </AnnouncedForm>
      </Confirm>
    </div>
  )
}
