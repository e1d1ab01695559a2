import { markedParts } from './marked-parts'

/** A text of another person. Letters outside of ASCII are marked in addresses. `marksLetters`: the whole text is an address. */
export function MarkedText({ text, marksLetters = false }: { text: string; marksLetters?: boolean }) {
  return (
    <bdi translate="no">
      {markedParts(text, marksLetters).map((part, index) =>
        part.isMarked ? (
          <mark
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one fixed text
            key={index}
            className="rounded-sm bg-warn-wash font-semibold text-warn underline decoration-wavy decoration-1 underline-offset-4"
          >
            {part.text}
          </mark>
        ) : (
          part.text
        ),
      )}
    </bdi>
  )
}
