import { markedParts } from '@beak/decision/marked-parts'
import { readUrl } from '@beak/decision/read-url'
import { Sentence } from '@/components/sentence'
import { m } from '@/lib/kernel/messages'

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

interface AddressProps {
  text: string
  /** The part of the host that its owner registered, when the service knows it. */
  domain: string | undefined
}

/** An email address: its domain decides who gets the mail, so it stands out. Other letters than ASCII are marked. */
export function EmailAddress({ text, domain }: AddressProps) {
  const at = text.lastIndexOf('@')
  return (
    <span className="wrap-anywhere">
      <MarkedText text={text.slice(0, at + 1)} marksLetters />
      <Host host={text.slice(at + 1)} domain={domain} />
    </span>
  )
}

/** A host, of which only the part that its owner registered stands out: everything before it costs nothing and says nothing. */
function Host({ host, domain }: { host: string; domain: string | undefined }) {
  const start = domainStart(host, domain)
  return (
    <>
      <MarkedText text={host.slice(0, start)} marksLetters />
      <strong className="font-semibold text-ink">
        <MarkedText text={host.slice(start)} marksLetters />
      </strong>
    </>
  )
}

/** Returns where the domain starts in its host. 0: the whole host counts. */
function domainStart(host: string, domain: string | undefined): number {
  if (domain === undefined) return 0
  const end = host.endsWith('.') ? host.length - 1 : host.length
  const start = end - domain.length
  return start > 0 && host.slice(start, end).toLowerCase() === domain ? start : 0
}

/** A URL with its domain emphasised. Never a link, so that nobody opens an address of an asker by mistake. */
export function UrlText({ text, domain }: AddressProps) {
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
        <Host host={host} domain={domain} />
        <MarkedText text={after} marksLetters />
      </span>
      {opens === null ? null : (
        <span className="mt-1 block text-sm text-ink">
          <Sentence
            of={m.requests_a_browser_opens_the_host_opens}
            with={{ opens }}
            parts={{ code: (children) => <code translate="no">{children}</code> }}
          />
        </span>
      )}
    </>
  )
}
