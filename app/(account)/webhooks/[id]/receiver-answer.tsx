import { m } from '@/lib/kernel/messages'

const block = 'max-h-48 overflow-auto rounded-control bg-sunken p-3 whitespace-pre-wrap wrap-anywhere'

interface ReceiverAnswerProps {
  statusCode: number | null
  latencyMs: number
  /** The first 1 KiB of the body. */
  response: string | null
}

/** Shows the answer of a receiver as plain text, because the body may contain anything. */
export function ReceiverAnswer({ statusCode, latencyMs, response }: ReceiverAnswerProps) {
  return (
    <>
      <p className="text-sm tabular-nums">
        {statusCode === null
          ? m.webhooks_answer_timed_out({ milliseconds: latencyMs })
          : m.webhooks_status_after({ status: statusCode, milliseconds: latencyMs })}
      </p>
      {response ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach content that scrolls
        <pre translate="no" tabIndex={0} className={block}>
          {response}
        </pre>
      ) : null}
    </>
  )
}
