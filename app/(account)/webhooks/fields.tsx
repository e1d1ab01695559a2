import { Choices } from '@/components/ui/choices'
import { TextField } from '@/components/ui/form'
import { kindGroups, kindMeaning } from './kinds'
import { KindsChoice } from './kinds-choice'
import type { Webhook } from './read'

/** What an endpoint is: where it is, what it is for, what it wants. */
export function WebhookFields({ webhook }: { webhook?: Webhook }) {
  const wanted: string[] = webhook?.kinds ?? []
  return (
    <>
      <TextField
        label="Address"
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={2048}
        className="font-mono [font-variant-ligatures:none]"
        defaultValue={webhook?.url}
        placeholder="https://example.com/beak"
        hint="Where we post to. It must be reachable from the internet."
      />
      <TextField
        label="What it is for"
        name="description"
        optional
        autoComplete="off"
        maxLength={280}
        defaultValue={webhook?.description ?? ''}
      />
      <KindsChoice isAll={wanted.length === 0}>
        {kindGroups.map(({ legend, kinds }) => (
          <Choices
            key={legend}
            legend={legend}
            name="kinds"
            choices={kinds.map((kind) => ({ value: kind, label: kind, hint: kindMeaning(kind) }))}
            ticked={wanted}
            mono
            isPart
          />
        ))}
      </KindsChoice>
    </>
  )
}
