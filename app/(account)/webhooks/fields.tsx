import { Choices } from '@/components/ui/choices'
import { TextField } from '@/components/ui/form'
import { webhookMessages } from '@/lib/infrastructure/events/kinds'
import { kindGroups } from './kinds'
import { KindsChoice } from './kinds-choice'
import type { Webhook } from './read'

/** The fields of a webhook: URL, description and events. */
export function WebhookFields({ webhook }: { webhook?: Webhook }) {
  const kinds: string[] = webhook?.kinds ?? []
  return (
    <>
      <TextField
        label="URL"
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={2048}
        className="font-mono [font-variant-ligatures:none]"
        defaultValue={webhook?.url}
        placeholder="https://example.com/beak"
        hint="Where we send messages. It must be reachable from the internet."
      />
      <TextField
        label="Description"
        name="description"
        optional
        autoComplete="off"
        maxLength={280}
        defaultValue={webhook?.description ?? ''}
      />
      <KindsChoice isAll={kinds.length === 0}>
        {kindGroups.map(({ legend, kinds: offered }) => (
          <Choices
            key={legend}
            legend={legend}
            name="kinds"
            choices={offered.map((kind) => ({ value: kind, label: kind, hint: webhookMessages[kind].when }))}
            ticked={kinds}
            mono
            isPart
          />
        ))}
      </KindsChoice>
    </>
  )
}
