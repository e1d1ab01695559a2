import { isolated, personMark } from '@beak/decision/person-name'
import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/page-read'
import { requireViewer } from '@/app/_web/viewer'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm, Announcements } from '@/components/ui/announcements'
import { ButtonLink } from '@/components/ui/button'
import { CheckField, SubmitButton, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Empty, Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { tierLabel } from '@/lib/kernel/text/tier-words'
import { BlockForm } from '../_forms/block-form'
import { UnblockForm } from '../_forms/unblock-form'
import { filteredPath } from '../_list/filter'
import { PecksHead } from '../_list/pecks-head'
import { changeContact } from './actions'

export const generateMetadata = (): Metadata => ({ title: m.contacts_people(), robots: { index: false } })

/** The agents and people that the viewer has answered. */
export default withProblemPage(async function ContactsPage() {
  await requireViewer('/pecks/contacts')
  const { items } = await read('GET /beak/contact/list')
  const now = readClock()
  return (
    <>
      <PecksHead here="/pecks/contacts" />
      <p className="text-sm">
        <Link href="/pecks/blocked" className="inline-flex min-h-11 items-center underline">
          {m.contacts_blocked_people_link()}
        </Link>
      </p>
      <Announcements>
        {items.length === 0 ? (
          <Empty title={m.contacts_no_contacts_yet()}>{m.contacts_no_contacts_text()}</Empty>
        ) : (
          <ul aria-label={m.contacts_contacts()}>
            {items.map((contact) => (
              <ContactRow key={contact.asker} contact={contact} now={now} />
            ))}
          </ul>
        )}
      </Announcements>
    </>
  )
})

type Contact = ResponseOf<'GET /beak/contact/list'>['items'][number]

const link = 'inline-flex min-h-6 items-center text-accent underline'

function ContactRow({ contact, now }: { contact: Contact; now: Date }) {
  const { asker, duckling_id: id, handle, operator_name: operator, blocked_at: blockedAt } = contact
  const name = isolated(contact.name)
  const mark = personMark(handle, id)
  return (
    <li className="grid gap-x-8 gap-y-4 border-t border-line py-6 first:border-t-0 lg:grid-cols-2">
      <div className="flex min-w-0 items-start gap-4">
        <Duck id={id} size={44} />
        <div className="grid min-w-0 gap-1">
          <h2 className="flex flex-wrap items-center gap-3 text-lg wrap-anywhere">
            <Link href={`/pecks/askers/${asker}`} className="no-underline hover:underline">
              <bdi translate="no">{name}</bdi>
            </Link>
            <Pill>{tierLabel(contact.trust_tier)}</Pill>
            {blockedAt === null ? null : <Pill tone="bad">{m.contacts_blocked()}</Pill>}
          </h2>
          <p className="text-sm text-soft wrap-anywhere">
            {operator === undefined ? (
              <bdi translate="no">{mark}</bdi>
            ) : (
              <Sentence of={m.contacts_agent_of} with={{ name: operator, mark }} />
            )}
          </p>
          <p className="text-sm text-soft">
            {m.contacts_asked({
              asked: contact.asked,
              approved: contact.approved + contact.approved_by_rule,
            })}
            {contact.last_asked_at === null ? null : (
              <>
                {' '}
                <Sentence
                  of={m.contacts_last_asked}
                  parts={{ time: () => <Time at={contact.last_asked_at ?? ''} now={now} /> }}
                />
              </>
            )}
          </p>
          <p className="flex flex-wrap items-center gap-x-5 text-sm">
            {operator === undefined && blockedAt === null ? (
              <ButtonLink href={`/pecks/new?${new URLSearchParams({ to: id })}`}>
                <Sentence of={m.contacts_ask} with={{ name }} />
              </ButtonLink>
            ) : null}
            <Link href={filteredPath('/pecks/history', { asker })} className={link}>
              {m.contacts_history()}
            </Link>
          </p>
        </div>
      </div>
      <div className="grid min-w-0 content-start gap-3">
        {contact.note === null ? null : (
          <p className="wrap-anywhere">
            <bdi translate="no">{contact.note}</bdi>
          </p>
        )}
        {contact.always ? <p className="text-sm">{m.contacts_always_on()}</p> : null}
        <details>
          <summary className="inline-flex min-h-11 items-center text-sm underline decoration-line hover:decoration-ink">
            <Sentence
              of={m.contacts_change_name}
              with={{ name }}
              parts={{ span: (children) => <span className="visually-hidden">{children}</span> }}
            />
          </summary>
          <AnnouncedForm action={changeContact} label={m.contacts_change({ name })}>
            <input type="hidden" name="asker" value={asker} />
            {contact.always ? <input type="hidden" name="was_always" value="yes" /> : null}
            <TextField
              label={m.contacts_note()}
              name="note"
              optional
              maxLength={280}
              defaultValue={contact.note ?? ''}
            />
            <CheckField
              label={m.contacts_always()}
              name="always"
              defaultChecked={contact.always}
              hint={m.contacts_always_hint()}
            />
            <SubmitButton kind="plain">{m.contacts_save()}</SubmitButton>
          </AnnouncedForm>
        </details>
        {blockedAt === null ? (
          <BlockForm
            requester={{ duckling_id: id, display_name: operator ?? contact.name }}
            isBlocked={false}
          />
        ) : (
          <UnblockForm ducklingId={id} name={isolated(operator ?? contact.name)} />
        )}
      </div>
    </li>
  )
}
