import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } },
  test: {
    pool: 'forks',
    // On a PostgreSQL the workers share one outbox, and would read each other's mail.
    maxWorkers: process.env.TEST_DATABASE_URL ? 1 : 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['{app,lib}/**/*.test.ts'],
          globalSetup: ['./lib/fixtures/global-setup.ts'],
          setupFiles: ['./lib/fixtures/setup.ts'],
          // The files of one worker share one database: each makes ducklings of its own, none counts what others made.
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      // Tests of the repository itself: no database, so they start at once.
      { extends: true, test: { name: 'repository', include: ['scripts/**/*.test.ts'] } },
    ],
  },
})
