import type { ApproveWords } from './approve-words'

interface ApproveLabelProps {
  words: ApproveWords
  /** Before the verb: "Hold to". */
  before?: string
  /** The button asks for the passkey. The icon says so to the eyes. */
  isSigned?: boolean
}

/** What happens when a high risk is approved: "Delete the database “customers-production”". The value stays in a frame of its own. */
export function ApproveLabel({ words: { verb, value }, before, isSigned = false }: ApproveLabelProps) {
  const text = before === undefined ? verb : `${before} ${verb}`
  return (
    <span className="min-w-0 wrap-anywhere">
      {text.charAt(0).toUpperCase()}
      {text.slice(1)}
      {value === null ? null : (
        <>
          {' '}
          <bdi>{value}</bdi>
        </>
      )}
      {isSigned ? <span className="visually-hidden"> with passkey</span> : null}
    </span>
  )
}
