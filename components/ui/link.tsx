import NextLink from 'next/link'
import type { ComponentProps } from 'react'

/**
 * A link to a page of the site. It loads nothing before the click: each page depends on its viewer, so the router could prefetch only
 * frames, with two requests for each link in sight, 20 for one page.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />
}
