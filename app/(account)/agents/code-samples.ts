/**
 * How an agent asks for a permission, and how the service that it shows the permission to uses it: the same request in four languages.
 * Every value that is filled in is our own (the configured origin and ids), so none needs escaping.
 */

export type SampleLanguage = 'curl' | 'beak' | 'typescript' | 'python'

export interface Sample {
  language: SampleLanguage
  title: string
  /** Runs in the agent. `BEAK_KEY` holds its key. */
  ask: string
  /** Reads the token after the answer, in languages whose `ask` does not wait for it. The request is in `PECK_ID`. */
  wait?: string
  /** Runs on the service that performs the action. `GRANT_TOKEN` holds the token that the agent showed. */
  use: string
}

interface Facts {
  baseUrl: string
  agentId: string
  /** The duckling that is asked. */
  targetId: string
}

/** Returns the samples of an agent. */
export function samplesOf(facts: Facts): Sample[] {
  return [curl(facts), command(facts), typescript(facts), python(facts)]
}

function curl({ baseUrl, targetId }: Facts): Sample {
  return {
    language: 'curl',
    title: 'curl',
    ask: `curl -sS '${baseUrl}/beak/peck/request' \\
  -H "X-Beak-Key: $BEAK_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "target_duckling_id": "${targetId}",
    "action": "send:email",
    "scope": "limited",
    "params": {"to": "pond@example.com"}
  }'`,
    wait: `curl -sS -G '${baseUrl}/beak/peck/status' \\
  -H "X-Beak-Key: $BEAK_KEY" \\
  -d peck_id="$PECK_ID" -d wait=30`,
    use: `curl -sS '${baseUrl}/beak/peck/consume' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "grant_token": "'"$GRANT_TOKEN"'",
    "params": {"to": "pond@example.com"}
  }'`,
  }
}

function command({ baseUrl, targetId }: Facts): Sample {
  return {
    language: 'beak',
    title: 'beak',
    ask: `beak peck ask ${targetId} send:email \\
  --param to=pond@example.com \\
  --wait --url ${baseUrl}`,
    use: `beak api consumeGrant \\
  grant_token="$GRANT_TOKEN" \\
  params='{"to": "pond@example.com"}' \\
  --url ${baseUrl}`,
  }
}

function typescript({ baseUrl, agentId, targetId }: Facts): Sample {
  return {
    language: 'typescript',
    title: 'TypeScript',
    ask: `import { env } from 'node:process'
import { Beak } from '@beak/client'

const agent = new Beak({
  url: '${baseUrl}',
  key: env.BEAK_KEY,
})
const { permission, refusal } = await agent.requestPermission({
  target: '${targetId}',
  action: 'send:email',
  params: { to: 'pond@example.com' },
})
if (refusal) throw new Error(refusal.kind)
console.log(permission.grant_token)`,
    use: `import { env } from 'node:process'
import { Beak } from '@beak/client'

const service = new Beak({ url: '${baseUrl}' })
const use = await service.usePermission(
  env.GRANT_TOKEN,
  { to: 'pond@example.com' },
)
if (use.action !== 'send:email') throw new Error('other action')
if (use.claimed.agent_id !== '${agentId}')
  throw new Error('other agent')`,
  }
}

function python({ baseUrl, agentId, targetId }: Facts): Sample {
  return {
    language: 'python',
    title: 'Python',
    ask: `import os
from beak import Beak

with Beak("${baseUrl}", key=os.environ["BEAK_KEY"]) as agent:
    permission = agent.request_permission(
        target="${targetId}",
        action="send:email",
        params={"to": "pond@example.com"},
    )
    print(permission.grant_token)`,
    use: `import os
from beak import Beak

with Beak("${baseUrl}") as service:
    use = service.use_permission(
        os.environ["GRANT_TOKEN"], {"to": "pond@example.com"}
    )
if use["action"] != "send:email":
    raise PermissionError("other action")
if use["claimed"]["agent_id"] != "${agentId}":
    raise PermissionError("other agent")`,
  }
}
