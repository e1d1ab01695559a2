import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: {
    alias: {
      '@beak/client': fileURLToPath(new URL('clients/typescript/src', import.meta.url)),
      '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, ''),
    },
  },
  test: {
    pool: 'forks',
    // With PostgreSQL, the workers would share one outbox and read each other's mail.
    maxWorkers: process.env.TEST_DATABASE_URL ? 1 : 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['{app,clients,components,examples,lib}/**/*.test.ts'],
          globalSetup: ['./lib/fixtures/global-setup.ts'],
          setupFiles: ['./lib/fixtures/setup.ts'],
          // The files of one worker share one database, so each file makes its own ducklings and counts only those.
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      // Tests of the repository itself. They need no database, so they start fast.
      {
        extends: true,
        test: {
          name: 'repository',
          include: ['{scripts,bench}/**/*.test.ts'],
          testTimeout: 30_000,
          // Vitest sets BASE_URL to `/`, which is not valid for the service. An empty value counts as unset.
          env: { BASE_URL: '', BEAK_SECRET: 'a secret that only these tests know' },
        },
      },
    ],
  },
})
