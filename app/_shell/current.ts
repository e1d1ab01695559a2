const isAtOrBelow = (path: string, page: string) => path === page || path.startsWith(`${page}/`)

interface Target {
  href: string
  /** The addresses that the link stands for. Pages below them belong to it too. */
  pages: string[]
}

/** Returns the value of `aria-current` for a link: `page` on its own page, `true` on the other pages that it stands for. */
export function currentOf(path: string, { href, pages }: Target): 'page' | 'true' | undefined {
  if (path === href) return 'page'
  return isIn(path, pages) ? 'true' : undefined
}

/** Whether a page is one of these, or below one of them. */
export const isIn = (path: string, pages: string[]): boolean => pages.some((page) => isAtOrBelow(path, page))
