import { Bell, type IconNode, Mail, MessageSquare, Smartphone, Webhook } from 'lucide'
import { KeptText } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { Confirm } from '@/components/ui/confirm'
import { ConfirmButtons } from '@/components/ui/confirm-buttons'
import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { errorTexts } from '../webhooks/words'
import { removeChannel, renameChannel, testChannel } from './actions'
import { DetailsForm } from './details-form'
import { FoldedForm } from './folded-form'
import type { Channel } from './read'
import { TestResult } from './test-result'
import { placeOf, repairs } from './words'

/** The folded form for the name of a channel. */
function RenameForm(channel: Pick<Channel, 'channel_id' | 'name'>) {
  return (
    <FoldedForm
      {...channel}
      action={renameChannel}
      label={m.notifications_rename_name(channel)}
      title={m.notifications_rename()}
      button={m.notifications_save_name()}
    >
      <TextField
        label={m.notifications_name()}
        name="name"
        autoComplete="off"
        maxLength={64}
        defaultValue={channel.name}
        hint={m.notifications_name_hint()}
      />
    </FoldedForm>
  )
}

const icons = {
  push: Smartphone,
  ntfy: Bell,
  chat: MessageSquare,
  webhook: Webhook,
  mail: Mail,
} satisfies Record<Channel['kind'], IconNode>

/** Every channel with its state, a test, its name and its removal. Mail is switched on and off in the table. */
export function ChannelList({ channels, now }: { channels: Channel[]; now: Date }) {
  if (channels.length === 0) return <p className="text-sm text-soft">{m.notifications_no_channels()}</p>
  return (
    <ul className="grid gap-6">
      {channels.map((channel) => (
        <ChannelItem key={channel.channel_id} channel={channel} now={now} />
      ))}
    </ul>
  )
}

function ChannelItem({ channel, now }: { channel: Channel; now: Date }) {
  const { channel_id, kind, name } = channel
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 border-b border-line pb-6 last:border-0 last:pb-0">
      <Icon of={icons[kind]} size={20} className="mt-0.5 text-soft" />
      <div className="grid min-w-0 gap-3">
        <div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 translate="no" className="text-base wrap-anywhere">
              {name}
            </h3>
            {channel.failing_since === null ? null : <Pill tone="bad">{m.notifications_failing()}</Pill>}
          </div>
          <p className="text-sm text-soft wrap-anywhere">
            <KeptText text={placeOf(channel)} />
          </p>
          <State channel={channel} now={now} />
        </div>
        {kind === 'mail' ? null : (
          <div className="flex flex-wrap items-start gap-3">
            <ActionForm
              action={testChannel}
              label={m.notifications_test_name({ name })}
              countsOnce={false}
              keepsDraft={false}
              className="min-w-0"
            >
              <input type="hidden" name="channel_id" value={channel_id} />
              <SubmitButton kind="plain" pending={m.notifications_testing()}>
                {m.notifications_send_a_test()}
                <span className="sr-only">
                  {' '}
                  <Sentence of={m.notifications_to_name} with={{ name }} />
                </span>
              </SubmitButton>
              <TestResult />
            </ActionForm>
            <RenameForm channel_id={channel_id} name={name} />
            <DetailsForm channel={channel} kind={kind} />
            <Confirm
              trigger={
                <>
                  {m.notifications_remove()}
                  <span translate="no" className="sr-only">
                    {' '}
                    {name}
                  </span>
                </>
              }
              triggerKind="quiet"
              title={<Sentence of={m.notifications_remove_question} with={{ name }} />}
              text={m.notifications_remove_text()}
            >
              <ActionForm action={removeChannel} label={m.notifications_remove_name({ name })}>
                <input type="hidden" name="channel_id" value={channel_id} />
                <ConfirmButtons>{m.notifications_remove_channel()}</ConfirmButtons>
              </ActionForm>
            </Confirm>
          </div>
        )}
      </div>
    </li>
  )
}

/** When the channel last worked, or since when and why it fails, and what to do. */
function State({ channel, now }: { channel: Channel; now: Date }) {
  const { kind, failing_since: since, last_error: error, last_succeeded_at: succeeded } = channel
  if (since !== null)
    return (
      <p className="mt-1 text-sm text-bad">
        <Sentence
          of={m.notifications_failing_since}
          with={{ reason: error === null ? m.notifications_reason_unknown() : errorTexts[error] }}
          parts={{ time: () => <Time at={since} now={now} /> }}
        />{' '}
        <span className="text-ink">{repairs[kind]()}</span>
      </p>
    )
  if (kind === 'mail') return null
  return (
    <p className="mt-1 text-sm text-soft">
      {succeeded === null ? (
        m.notifications_not_used_yet()
      ) : (
        <Sentence
          of={m.notifications_last_message}
          parts={{ time: () => <Time at={succeeded} now={now} /> }}
        />
      )}
    </p>
  )
}
