/**
 * Pages that have moved, and where they are now. next.config.mjs redirects to them for good, with the base path and the query.
 *
 * @type {{ from: string, to: string }[]}
 */
export const movedPages = [
  { from: '/agents', to: '/allowed#agents' },
  { from: '/rules', to: '/allowed#rules' },
  { from: '/pecks/grants', to: '/allowed#permissions' },
  { from: '/docs/versioning', to: '/docs/versions' },
  { from: '/docs/people/phone', to: '/docs/people/channels' },
  { from: '/docs/people/risk', to: '/docs/people/answer-requests' },
  { from: '/docs/versioning.md', to: '/docs/versions.md' },
]
