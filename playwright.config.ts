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

const phone = { viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true }

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  outputDir: 'test-results',
  workers: 2,
  // A test that passes only at the second try has a race, which the first try shows.
  retries: 0,
  timeout: 90_000,
  // Ends a run that hangs. A slow machine needs forty minutes.
  globalTimeout: 80 * 60_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  forbidOnly: true,
  use: {
    launchOptions: { ...(browser ? { executablePath: browser } : {}), args: flags },
    viewport: { width: 1280, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
  projects: [{ name: 'desktop' }, { name: 'phone', grep: /@look/, use: phone }],
})
