import { Choices } from '@/components/ui/choices'
import { TextField } from '@/components/ui/form'
import { webhookMessages } from '@/lib/infrastructure/events/kinds'
import { m } from '@/lib/kernel/messages'
import { KindsChoice } from './kinds-choice'
import { kindGroups, type Webhook } from './read'
import { UrlField } from './url-field'

/** The fields of a webhook: URL, description and events. */
export function WebhookFields({ webhook }: { webhook?: Webhook }) {
  const kinds: string[] = webhook?.kinds ?? []
  return (
    <>
      <UrlField
        label={m.webhooks_url()}
        defaultValue={webhook?.url}
        placeholder="https://example.com/beak"
        hint={m.webhooks_url_field_hint()}
      />
      <TextField
        label={m.webhooks_description()}
        name="description"
        optional
        autoComplete="off"
        maxLength={280}
        defaultValue={webhook?.description ?? ''}
      />
      <KindsChoice isAll={kinds.length === 0}>
        {kindGroups.map(({ name, legend, kinds: offered }) => (
          <Choices
            key={name}
            legend={legend()}
            name="kinds"
            choices={offered.map((kind) => ({
              value: kind,
              label: kind,
              hint: webhookMessages[kind].when(),
            }))}
            ticked={kinds}
            mono
            isPart
          />
        ))}
      </KindsChoice>
    </>
  )
}
