import { PageProblem } from '@/app/_web/page-read'
import { readMarkdownPages } from '@/app/(site)/docs/_markdown/pages'

// The texts have the address of the service, which is known when it runs.
export const dynamic = 'force-dynamic'

/** Answers the Markdown versions of the pages below /docs. `next.config.mjs` sends `/docs/….md` here. */
export async function GET(
  _: Request,
  { params }: { params: Promise<{ path?: string[] }> },
): Promise<Response> {
  const { path = [] } = await params
  const page = (await readMarkdownPages()).find((each) => each.path === ['/docs', ...path].join('/'))
  if (page === undefined) return markdown('# Not found\n\nThe list of all pages is at /llms.txt.\n', 404)
  try {
    return markdown(`${(await page.text()).trimEnd()}\n`, 200)
  } catch (error) {
    if (error instanceof PageProblem) return Response.json(error.problem, { status: error.problem.status })
    throw error
  }
}

function markdown(text: string, status: number): Response {
  return new Response(text, { status, headers: { 'Content-Type': 'text/markdown; charset=utf-8' } })
}
