import { CopyBlock } from '@/components/ui/copy'

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
      <CopyBlock label="A receiver in Node.js" text={receiverCode} copyLabel="Copy code" isExpanded />
      <p className="max-w-2xl text-sm text-soft">
        Messages follow <strong className="font-semibold text-ink">Standard Webhooks</strong>, so any library
        for it can verify them. Answer within 15 seconds with a status from 200 to 299. A message can arrive
        twice, with the same <code>webhook-id</code>.
      </p>
    </div>
  )
}
