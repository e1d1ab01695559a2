/** Gives loaded people push channels, and lets them know the agents that will ask them. */
import { createECDH, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { sealTarget, targetHashes } from '@/lib/domain/channels/send'
import { parseConfig } from '@/lib/kernel/config'
import { chunksOf } from '@/lib/kernel/runtime/chunks'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { newId } from '@/lib/kernel/secrets/ids'
import { benchSecret } from '../servers/beak'
import { fastHosts, slowHost } from './push-services'

/** The people that a scenario asks, by what their push service does. */
export interface Pools {
  without: string[]
  fast: string[]
  slow: string[]
  gone: string[]
}

const batchSize = 5_000
/** People of each pool that are asked. All other people with a subscription are only there. */
const poolSize = 2_000

/** Uses the secret of the server, with which the addresses of channels are encrypted. */
function takeSecretOfServer(dataDir: string): void {
  singleton('config', () =>
    parseConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: dataDir, BEAK_SECRET: benchSecret }),
  )
}

interface NewChannel {
  owner: string
  endpoint: string
}

/** All subscriptions have the same key, because nobody decrypts the messages. */
function subscriptionAt(endpoint: string, keys: { p256dh: string; auth: string }) {
  return { subscription: { endpoint, expirationTime: null, keys } }
}

async function insertChannels(client: pg.Client, channels: NewChannel[]): Promise<void> {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const keys = {
    p256dh: ecdh.getPublicKey().toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
  const now = new Date()
  for (const some of chunksOf(channels, batchSize)) {
    const rows = some.map(({ owner, endpoint }) => {
      const id = newId('channel', now)
      const target = subscriptionAt(endpoint, keys)
      return {
        id,
        owner,
        target: Buffer.from(sealTarget(target, id)),
        hash: Buffer.from(targetHashes(target)[0]),
        hint: new URL(endpoint).hostname,
      }
    })
    await client.query(
      `INSERT INTO "Channel" ("id", "ducklingId", "kind", "name", "target", "targetHash", "hint", "announces", "createdAt")
       SELECT id, owner, 'push', 'Phone', target, hash, hint, '{low,medium,high}', now()
       FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[], $5::text[]) AS c (id, owner, target, hash, hint)`,
      [
        rows.map(({ id }) => id),
        rows.map(({ owner }) => owner),
        rows.map(({ target }) => target),
        rows.map(({ hash }) => hash),
        rows.map(({ hint }) => hint),
      ],
    )
  }
}

/** Each person has approved something of each agent, so their requests are announced at once. */
export async function acquaintAll(client: pg.Client, people: string[], agents: string[]): Promise<void> {
  await client.query(
    `INSERT INTO "AskerHistory" ("targetDucklingId", "askerId", "action", "asked", "askedAt", "approved", "approvedAt", "approvedParams")
     SELECT p, a, 'read:acquaintance', 1, now(), 1, now(), '{}' FROM unnest($1::text[]) AS p CROSS JOIN unnest($2::text[]) AS a`,
    [people, agents],
  )
}

/** Fills the database of loaded people. Returns the people to ask. */
export async function fillChannels(
  client: pg.Client,
  options: { subscriptions: number; port: number; agents: string[]; dataDir: string },
): Promise<Pools> {
  takeSecretOfServer(options.dataDir)
  const { rows } = await client.query<{ id: string }>(
    `SELECT "id" FROM "Duckling" WHERE "emailVerifiedAt" IS NOT NULL AND "email" LIKE 'load%' ORDER BY "id" LIMIT $1`,
    [options.subscriptions + poolSize],
  )
  const ids = rows.map(({ id }) => id)
  const [without, slow, gone] = [0, 1, 2].map((turn) => ids.slice(turn * poolSize, (turn + 1) * poolSize))
  const rest = ids.slice(3 * poolSize)
  const pools = { without: without ?? [], slow: slow ?? [], gone: gone ?? [], fast: rest.slice(0, poolSize) }
  const at = (host: string, path: string) => `http://${host}:${options.port}/${path}`
  const fast = (id: string, index: number) => at(fastHosts[index % fastHosts.length] ?? '', `send/${id}`)
  await insertChannels(client, [
    ...pools.slow.map((owner) => ({ owner, endpoint: at(slowHost, `send/${owner}`) })),
    ...pools.gone.map((owner, index) => ({
      owner,
      endpoint: fast(owner, index).replace('/send/', '/gone/'),
    })),
    ...rest.map((owner, index) => ({ owner, endpoint: fast(owner, index) })),
  ])
  await acquaintAll(client, Object.values(pools).flat(), options.agents)
  await client.query('VACUUM (ANALYZE) "Channel", "AskerHistory"')
  return pools
}
