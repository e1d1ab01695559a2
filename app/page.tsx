import { Duck } from '@/components/duck'
import { config } from '@/lib/kernel/config'

export const dynamic = 'force-dynamic'

export default function Landing() {
  const { baseUrl, smtp } = config()
  return (
    <main>
      <Duck />
      <h1>Beak is running.</h1>
      <p className="lead">
        Identity, trust and permission for people and the agents that act for them. People sign up and earn
        trust; agents ask before they do something that matters; anyone can check what was allowed.
      </p>
      <dl>
        <dt>API</dt>
        <dd>
          <a href="/beak/">{baseUrl}/beak/</a>
        </dd>
        <dt>Reference</dt>
        <dd>
          <a href="/beak/openapi.json">OpenAPI 3.1</a>
        </dd>
        <dt>State</dt>
        <dd>
          <a href="/beak/system/status">status</a>, <a href="/beak/metrics">numbers</a>
        </dd>
        <dt>Mail</dt>
        <dd>
          {smtp === null ? 'one file a message in the outbox folder of the data directory' : 'over SMTP'}
        </dd>
      </dl>
      <h2>Say hello</h2>
      <pre>
        <code>{`curl ${baseUrl}/beak/signup \\
  -H 'Content-Type: application/json' \\
  -d '{"email": "you@example.com", "display_name": "Mallard"}'`}</code>
      </pre>
      <p>The README walks on from there: verify, certificate, agent, bond, peck.</p>
    </main>
  )
}
