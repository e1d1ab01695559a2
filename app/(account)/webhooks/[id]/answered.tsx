const block = 'max-h-48 overflow-auto rounded-control bg-sunken p-3 whitespace-pre-wrap wrap-anywhere'

interface AnsweredProps {
  statusCode: number | null
  latencyMs: number
  /** The first 1 KiB of what came back. */
  response: string | null
}

/** What a receiver answered, as text and nothing but text. */
export function Answered({ statusCode, latencyMs, response }: AnsweredProps) {
  return (
    <>
      <p className="text-sm tabular-nums">
        {statusCode === null ? 'No answer' : `Status ${statusCode}`} after {latencyMs} ms
      </p>
      {response ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer
        <pre tabIndex={0} className={block}>
          {response}
        </pre>
      ) : null}
    </>
  )
}
