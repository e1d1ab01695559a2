/** Tests of the built server, over HTTP and in Chromium. `npm test` builds the server and finds the browser first. */
import { defineConfig } from '@playwright/test'
import { installedBrowser } from './scripts/browser.mjs'

// Playwright's own browser when there is no other.
const browser = installedBrowser()

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const { SLOW: slow } = process.env
/**
 * The tests with the tag `@changed` run a second time, with a translator and an extension that change every page: what people read before
 * they decide, sign or type, errors beside fields, and the lists that change by themselves. One test of each such change is enough, because
 * the same scripts keep every page working.
 */
const pageTests = ['decision', 'inbox', 'coming-in', 'rules', 'agents', 'own-pages', 'signed-approvals'].map(
  (name) => `**/${name}.test.ts`,
)

export default defineConfig<{ changesPages: boolean }>({
  testDir: 'e2e',
  // Proofs that are too slow for each run. `.ci/run` runs them with SLOW=only.
  projects: [
    {
      name: '',
      testMatch: slow === 'only' ? '**/*.slow.test.ts' : '**/*.test.ts',
      testIgnore: slow ? [] : ['**/*.slow.test.ts'],
    },
    ...(slow
      ? [{ name: 'changed pages', testMatch: pageTests, grep: /@changed/, use: { changesPages: true } }]
      : []),
  ],
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results',
  workers: 2,
  // A test that passes only at the second try has a race, which the first try shows.
  retries: 0,
  timeout: 150_000,
  // Ends a run that hangs. A busy machine can need several times as long as an idle one.
  globalTimeout: 60 * 60_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  forbidOnly: true,
  use: {
    launchOptions: { ...(browser ? { executablePath: browser } : {}), args: flags },
    viewport: { width: 1280, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 20_000,
    // A page took 30 seconds once, beside the slow proofs of a busy machine.
    navigationTimeout: 60_000,
    // Recording what each action saw takes as long as the test. `npm test -- e2e/a.test.ts --trace on` records that for a failed test.
    trace: process.env.CI ? { mode: 'retain-on-failure', snapshots: false, screenshots: false } : 'off',
    screenshot: 'only-on-failure',
  },
})
