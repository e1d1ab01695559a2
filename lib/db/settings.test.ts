/** Settings that a pooler leaves out. Needs a PostgreSQL server. */
import { Pool } from 'pg'
import { expect, it } from 'vitest'
import { readSource } from '@/lib/fixtures/source-files'
import { databaseUrl, describeOnPostgres } from '@/lib/fixtures/suites'
import { databaseOn, db } from './client'
import { servingSettings } from './postgres'
import { settingsWarning } from './settings'

describeOnPostgres('the settings of connections', () => {
  it('arrive at the server without a pooler', async () => {
    expect(await settingsWarning(db())).toBeNull()
  })

  it('cause a warning with their names when they do not arrive', async () => {
    const bare = databaseOn(new Pool({ connectionString: databaseUrl ?? '', max: 1 }))
    try {
      const warning = await settingsWarning(bare.tx)
      for (const name of ['statement_timeout', 'enable_seqscan', 'plan_cache_mode'])
        expect(warning).toContain(name)
      for (const setting of servingSettings) {
        const [name = '', value = ''] = setting.split('=')
        await bare.tx.rows`SELECT set_config(${name}, ${value}, false)`
      }
      expect(await settingsWarning(bare.tx)).toBeNull()
    } finally {
      await bare.close()
    }
  })

  it('are on the page for hosts, for the database', () => {
    const page = readSource('content/docs/hosts/capacity.md')
    const set = [...page.matchAll(/^ALTER DATABASE beak SET (\w+) = '?([^';]+)'?;$/gm)].map(
      ([, name, value]) => `${name}=${value}`,
    )
    expect(set).toEqual(servingSettings)
  })
})
