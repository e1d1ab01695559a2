import { MarkedText } from './marked-text'
import { readUrl } from './read-url'

/** An email address: the part after the last @ decides who gets the mail, so it stands out. Other letters than ASCII are marked. */
export function EmailAddress({ text }: { text: string }) {
  const at = text.lastIndexOf('@')
  return (
    <span className="wrap-anywhere">
      <MarkedText text={text.slice(0, at + 1)} marksLetters />
      <strong className="font-semibold">
        <MarkedText text={text.slice(at + 1)} marksLetters />
      </strong>
    </span>
  )
}

/** A URL with its host emphasised. Never a link, so that nobody opens an address of an asker by mistake. */
export function UrlText({ text }: { text: string }) {
  const url = readUrl(text)
  if (url === null)
    return (
      <span className="wrap-anywhere">
        <MarkedText text={text} marksLetters />
      </span>
    )
  const { before, host, after, opens } = url
  return (
    <>
      <span className="text-soft wrap-anywhere">
        <MarkedText text={before} marksLetters />
        <strong className="font-semibold text-ink">
          <MarkedText text={host} marksLetters />
        </strong>
        <MarkedText text={after} marksLetters />
      </span>
      {opens === null ? null : (
        <span className="mt-1 block text-sm text-ink">
          A browser opens the host <code>{opens}</code>.
        </span>
      )}
    </>
  )
}
