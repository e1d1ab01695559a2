import { CopyBlock } from '@/components/ui/copy'

/** A receiver in Node that accepts what we have signed, and nothing else. */
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

/** How messages are checked: a whole receiver, short enough to be read. */
export function Receiver() {
  return (
    <div className="grid min-w-0 gap-3">
      <CopyBlock label="A receiver in Node.js" text={receiverCode} copyLabel="Copy the code" isExpanded />
      <p className="max-w-2xl text-sm text-soft">
        Messages follow <strong className="font-semibold text-ink">Standard Webhooks</strong>: any library for
        it checks them. Answer within 15 seconds with a status from 200 to 299. A message may come twice; its{' '}
        <code>webhook-id</code> is then the same.
      </p>
    </div>
  )
}
