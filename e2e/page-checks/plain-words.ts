/** Finds words of the API on pages for people. */
import type { Page } from '@playwright/test'

/** Returns the trust tiers that a page shows as T0 to T3. People read what is confirmed; builders read tiers in the documentation. */
export async function shownTiers(page: Page): Promise<string[]> {
  // biome-ignore lint/performance/useDomNodeTextContent: only what is visible counts, and a closed part has the signed statement
  const text = await page.locator('body').innerText()
  return text.match(/\bT[0-3]\b/g) ?? []
}
