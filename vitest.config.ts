import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

const service = {
  globalSetup: ['./lib/fixtures/global-setup.ts'],
  setupFiles: ['./lib/fixtures/setup.ts'],
  // The files of one worker share one database, so each file makes its own ducklings and counts only those.
  isolate: false,
  // A test that changes each character of a receipt takes 30 seconds on a busy machine.
  testTimeout: 90_000,
  hookTimeout: 90_000,
}

/** `SLOW`: `only` runs the slow proofs (`*.slow.test.ts`), `too` runs them with the others. */
const { SLOW: slow = '' } = process.env
const suffix = slow === 'only' ? 'slow.test' : 'test'
const exclude = [...configDefaults.exclude, ...(slow === '' ? ['**/*.slow.test.ts'] : [])]

/** Tests of the embedded database itself, whatever database the service uses. */
const ofEmbedded = ['lib/db/embedded/**/*.test.ts', 'lib/db/lock-folder.test.ts']

/** What differs on the embedded database. The tests in `e2e/` run on it too. */
const onEmbedded = [
  'lib/db/**/*.test.ts',
  'lib/worker/start-pools.test.ts',
  'app/beak/peck/stream/route.test.ts',
]

// Without PostgreSQL, all of the service runs on the embedded database.
const hasBoth = process.env.TEST_DATABASE_URL !== 'none' && slow !== 'only'

export default defineConfig({
  resolve: {
    alias: {
      ...Object.fromEntries(
        ['client', 'decision', 'judge', 'proofs'].map((name) => [
          `@beak/${name}`,
          fileURLToPath(new URL(`packages/${name}/src`, import.meta.url)),
        ]),
      ),
      '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, ''),
    },
  },
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // A condition that comes is not a question of time: the default of one second fails on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    exclude,
    projects: [
      {
        extends: true,
        test: {
          ...service,
          name: 'service',
          include: [
            `{app,components,examples,lib,packages/{client,decision,judge,proofs}}/**/*.${suffix}.ts`,
          ],
          exclude: hasBoth ? ofEmbedded : [],
        },
      },
      ...(hasBoth
        ? [{ extends: true as const, test: { ...service, name: 'embedded', include: onEmbedded } }]
        : []),
      // Tests of the repository itself. They need no database, so they start fast.
      {
        extends: true,
        test: {
          name: 'repository',
          include: [`{lab,packages/{approver,dev},scripts}/**/*.${suffix}.ts`],
          testTimeout: 90_000,
          // Vitest sets BASE_URL to `/`, which is not valid for the service. An empty value counts as unset.
          env: { BASE_URL: '', BEAK_SECRET: 'a secret that only these tests know' },
        },
      },
    ],
  },
})
