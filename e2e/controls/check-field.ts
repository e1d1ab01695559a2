import type { Page } from '@playwright/test'

/** The one field of the check page. */
export const checkField = (page: Page) => page.getByLabel('What do you want to check?')
