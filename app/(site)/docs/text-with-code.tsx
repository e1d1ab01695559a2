/** Renders Markdown that has only text and `code`. */
export function TextWithCode({ text }: { text: string }) {
  const parts = text
    .split('`')
    .map((part, index) => ({ key: `${index} ${part}`, part, isCode: index % 2 === 1 }))
  return parts.map(({ key, part, isCode }) =>
    isCode ? (
      <code translate="no" key={key} className="wrap-anywhere">
        {part}
      </code>
    ) : (
      part
    ),
  )
}
