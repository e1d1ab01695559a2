import { Sentence } from '@/components/sentence'
import { CopyBlock } from '@/components/ui/copy'
import { m } from '@/lib/kernel/messages'

/** A receiver for Node.js that accepts only messages that we signed. */
const receiverCode = `// npm install standardwebhooks
import { createServer } from 'node:http'
import { env } from 'node:process'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(env.BEAK_WEBHOOK_SECRET)

createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  try {
    const { type, data } = webhook.verify(body, request.headers)
    console.log(type, data)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
}).listen(env.PORT ?? 8080)
`

/** Explains how to verify messages, with the code of a complete receiver. */
export function Receiver() {
  return (
    <div className="grid min-w-0 gap-3">
      <CopyBlock
        label={m.webhooks_a_receiver_in_node_js()}
        text={receiverCode}
        copyLabel={m.webhooks_copy_code()}
        isExpanded
      />
      <p className="max-w-2xl text-sm text-soft">
        <Sentence
          of={m.webhooks_receiver_rules}
          parts={{
            strong: (children) => <strong className="font-semibold text-ink">{children}</strong>,
            code: (children) => <code translate="no">{children}</code>,
          }}
        />
      </p>
    </div>
  )
}
