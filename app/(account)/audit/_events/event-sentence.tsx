import { eventSentence, type Piece, type Reader } from '@/app/_web/event-sentence'
import type { ResponseOf } from '@/app/beak/_api/lines'

export type AuditEvent = ResponseOf<'GET /beak/audit'>['items'][number]

/** An event in a sentence: "You approved “Send an email” for “Scout”." */
export function EventSentence({ event, reader }: { event: AuditEvent; reader: Reader }) {
  return (
    <>
      {eventSentence(event, reader).map((piece, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence have no other order or name
        <SentencePiece key={n} piece={piece} />
      ))}
      .
    </>
  )
}

function SentencePiece({ piece }: { piece: Piece }) {
  if (typeof piece === 'string') return piece
  if ('code' in piece)
    return (
      <code translate="no" className="font-medium">
        {piece.code}
      </code>
    )
  return (
    <>
      <strong translate={piece.isWords ? undefined : 'no'} className="font-semibold">
        {piece.name}
      </strong>
      {piece.mark === undefined ? null : (
        <span className="text-soft">
          {' '}
          (<bdi translate="no">{piece.mark}</bdi>)
        </span>
      )}
    </>
  )
}
