/** Texts with values that no translator of the page changes (`lib/kernel/text/kept-values.ts`). */
import type { ReactNode } from 'react'
import { keptAction, keptParts } from '@/lib/kernel/text/kept-values'

/** Shows a text whose values that stay stand between marks. */
export const KeptText = ({ text }: { text: string }): ReactNode => withBdi(text)

/** Shows what a request is for. Words of the service are translated. The name of an action that has none stays. */
export const ActionWords = ({ words }: { words: string }): ReactNode => withBdi(keptAction(words))

/** Returns a text with an element for each value between marks. */
export function withBdi(text: string): ReactNode {
  const parts = keptParts(text)
  if (parts.length === 1) return text
  // One element: in a row of items, such as a button, each part of the text would be an item of its own.
  return (
    <span>
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their places
          <bdi translate="no" key={index}>
            {part}
          </bdi>
        ),
      )}
    </span>
  )
}
