const pages = [
  '/agents/new/key',
  '/security/approver',
  '/webhooks',
  '/sites',
  '/clients',
  '/docs/api',
  '/docs/errors',
  '/docs/hosts',
  '/docs/recipes',
  '/docs/sites',
  '/docs/try',
  '/docs/webhooks',
  '/docs/webhook-events',
]

/** Tells whether a page is for builders and hosts: who opens it signed in turns the switch "I build or host" on. */
export function isBuilderPage(path: string): boolean {
  return pages.some((page) => path === page || path.startsWith(`${page}/`))
}
