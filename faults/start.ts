/** Starts the service in this process, on an empty database behind a proxy that can cut its statements. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '@/bench/cleanup'
import { closeDatabase, openDatabase } from '@/lib/db/client'
import { type DatabaseProxy, startDatabaseProxy } from '@/lib/fixtures/database-proxy'
import { copyTemplate, createTemplate, dropTemplate } from '@/lib/fixtures/postgres'
import { prepareKeys } from '@/lib/infrastructure/keys/signing-keys'
import { parseConfig } from '@/lib/kernel/config'
import { singleton } from '@/lib/kernel/singleton'
import { startServers } from '@/scripts/servers/start.mjs'

/** Returns the proxy. Throws without PostgreSQL, because the embedded database has no connection that can be cut. */
export async function startService(): Promise<DatabaseProxy> {
  const servers = await startServers()
  atEnd(servers.stop)
  const { TEST_DATABASE_URL: server = 'none' } = servers.env
  if (server === 'none') throw new Error(`The faults need PostgreSQL. ${servers.missing.join(', ')}`)
  const template = await createTemplate(server)
  atEnd(() => dropTemplate(server, template))
  const proxy = await startDatabaseProxy(await copyTemplate(server, template))
  atEnd(proxy.close)
  const dataDir = mkdtempSync(join(tmpdir(), 'beak-faults-'))
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }))
  const config = parseConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    DATA_DIR: dataDir,
    BEAK_SECRET: 'a secret that only the faults know',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    DATABASE_URL: proxy.url,
  })
  singleton('config', () => config)
  await openDatabase()
  atEnd(closeDatabase)
  await prepareKeys()
  return proxy
}
