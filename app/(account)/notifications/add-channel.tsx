import { ChevronRight } from 'lucide'
import type { ReactNode } from 'react'
import { BuildersOnly } from '@/app/_shell/builders-only'
import { ActionForm, SelectField, SubmitButton, TextField } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import { UrlField } from '../webhooks/url-field'
import { addChannel } from './actions'
import { AddWebhook } from './add-webhook'
import { DetailsField } from './details-form'
import { chats, type MessageKind } from './words'

/** The ways to add a channel, each folded. */
export function AddChannel() {
  return (
    <div className="grid border-t border-line">
      <Folded title={m.notifications_kind_ntfy()} what={m.notifications_what_ntfy()}>
        <AddForm kind="ntfy" title={m.notifications_kind_ntfy()}>
          <UrlField
            label={m.notifications_ntfy_address()}
            hint={m.notifications_where_ntfy()}
            placeholder="https://ntfy.sh/ponds-9f2c41d7e0b8"
          />
        </AddForm>
      </Folded>
      <Folded title={m.notifications_kind_chat()} what={m.notifications_what_chat()}>
        <AddForm kind="chat" title={m.notifications_kind_chat()}>
          <SelectField label={m.notifications_which_chat()} name="format">
            {Object.entries(chats).map(([format, { name }]) => (
              <option key={format} value={format}>
                {name}
              </option>
            ))}
          </SelectField>
          <UrlField label={m.notifications_chat_address()} hint={m.notifications_address_is_secret()} />
          <details>
            <summary className="min-h-11 cursor-pointer content-center text-sm font-semibold">
              {m.notifications_where_is_this_address()}
            </summary>
            <dl className="mt-2 grid gap-3 text-sm">
              {Object.entries(chats).map(([format, { name, where }]) => (
                <div key={format}>
                  <dt className="font-semibold">{name}</dt>
                  <dd className="text-soft wrap-anywhere">{where()}</dd>
                </div>
              ))}
            </dl>
          </details>
        </AddForm>
      </Folded>
      <BuildersOnly>
        <Folded title={m.notifications_kind_webhook()} what={m.notifications_what_webhook()}>
          <AddWebhook>
            <NewChannelFields kind="webhook">
              <UrlField
                label={m.notifications_webhook_address()}
                hint={m.notifications_webhook_hint()}
                placeholder="https://example.com/requests"
              />
            </NewChannelFields>
          </AddWebhook>
        </Folded>
      </BuildersOnly>
    </div>
  )
}

function Folded({ title, what, children }: { title: string; what: string; children: ReactNode }) {
  return (
    <details name="add-channel" className="group/way border-b border-line">
      <summary className="flex min-h-14 cursor-pointer list-none items-center gap-3 py-3 [&::-webkit-details-marker]:hidden">
        <Icon
          of={ChevronRight}
          size={16}
          className="shrink-0 transition-transform duration-150 group-open/way:rotate-90"
        />
        <span className="min-w-0">
          <span className="block text-sm font-semibold">{title}</span>
          <span className="block text-sm text-soft">{what}</span>
        </span>
      </summary>
      <div className="pt-2 pb-6 sm:ps-7">{children}</div>
    </details>
  )
}

function AddForm({ kind, title, children }: { kind: 'ntfy' | 'chat'; title: string; children: ReactNode }) {
  return (
    <ActionForm action={addChannel} label={title} resets keepsDraft={false}>
      <NewChannelFields kind={kind}>{children}</NewChannelFields>
    </ActionForm>
  )
}

function NewChannelFields({ kind, children }: { kind: MessageKind; children: ReactNode }) {
  return (
    <>
      <input type="hidden" name="kind" value={kind} />
      {children}
      <TextField
        label={m.notifications_name()}
        name="name"
        optional
        autoComplete="off"
        maxLength={64}
        hint={m.notifications_name_hint()}
      />
      <DetailsField kind={kind} details />
      <SubmitButton kind="plain">{m.notifications_add()}</SubmitButton>
    </>
  )
}
