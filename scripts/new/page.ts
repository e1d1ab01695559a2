/** docs/recipes/page.md: a page of the signed-in person, its place in the navigation, its visits and its test. */
import { type Edits, RecipeFault } from './edit'
import { camel, capital, checked } from './names'

export interface PageRecipe {
  /** The address without its first slash, such as `note`. */
  path: string
  /** The path below `/beak` of a POST that the form of the page calls. Without it, the page has no form. */
  form?: string | undefined
}

export function addPage(edits: Edits, recipe: PageRecipe): void {
  const path = checked(recipe.path, /^[a-z]+(?:-[a-z]+)*$/, 'the address of the page, for example note')
  const title = capital(path.replaceAll('-', ' '))
  const folder = `app/(account)/${path}`
  const { form } = recipe
  if (form !== undefined && !edits.has(`app/beak/${form}/route.ts`))
    throw new RecipeFault(`There is no endpoint /beak/${form}. Add it first: npm run new endpoint ${form}`)
  edits.create(`${folder}/page.tsx`, pageText(path, form))
  edits.addSentences(`${folder}/${area(path)}.en.json`, sentencesOf(title, form))
  if (form !== undefined) edits.create(`${folder}/actions.ts`, actionText(path, form))
  edits.create(`e2e/${path}.test.ts`, testText(path, title, form))
  edits.insertBefore(
    'app/_shell/account-pages.ts',
    /^ {2}\{ href: '\/account',/m,
    `  { href: '/${path}', label: () => '${title}', hint: () => 'Your ${title.toLowerCase()}', letter: '${freeLetter(edits, path)}' },\n`,
  )
  edits.insertBefore(
    'e2e/visits.ts',
    /^ {2}\{ path: '\/account', as: 'mallard' \},$/m,
    `  { path: '/${path}', as: 'mallard' },\n`,
  )
}

/** Returns the first letter of the address that no shortcut to a page has, or the first free one of the alphabet. */
function freeLetter(edits: Edits, path: string): string {
  const sources = ['app/_shell/account-pages.ts', 'app/_shell/shortcuts/shortcuts.ts'].map((file) =>
    edits.read(file),
  )
  const taken = new Set(
    sources.flatMap((text) => [...text.matchAll(/letter: '(\w)'/g)].map((match) => match[1])),
  )
  const free = [...path.replaceAll('-', ''), ...'abcdefghijklmnopqrstuvwxyz'].find(
    (letter) => !taken.has(letter),
  )
  if (free === undefined) throw new RecipeFault('Every letter leads to a page already.')
  return free
}

const actionName = (form: string) => camel(form.split('/').toReversed())
const buttonText = (form: string) => capital(form.split('/').toReversed().join(' ').replaceAll('-', ' '))

/** The first word of the names of the sentences. */
const area = (path: string) => path.replaceAll('-', '')

function sentencesOf(title: string, form: string | undefined): Record<string, string> {
  const own: Record<string, string> =
    form === undefined
      ? { empty_title: 'Nothing here yet', empty: 'This page shows what you have.' }
      : { submit: buttonText(form), done: 'Done.' }
  const lead = `Your ${title.toLowerCase()}. Only you can see this page, and what is on it.`
  return { title, lead, ...own }
}

function pageText(path: string, form: string | undefined): string {
  const name = capital(camel([path, 'page']))
  const sentence = (last: string) => `{m.${area(path)}_${last}()}`
  const content =
    form === undefined
      ? `<Empty title=${sentence('empty_title')}>${sentence('empty')}</Empty>`
      : `<ActionForm action={${actionName(form)}} className="max-w-xl">
          <SubmitButton>${sentence('submit')}</SubmitButton>
        </ActionForm>`
  const parts = form === undefined ? 'Empty, PageHead' : 'PageHead'
  return `import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
${form === undefined ? '' : `import { ActionForm, SubmitButton } from '@/components/ui/form'\n`}import { ${parts} } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
${form === undefined ? '' : `import { ${actionName(form)} } from './actions'\n`}
export const generateMetadata = (): Metadata => ({ title: m.${area(path)}_title(), robots: { index: false } })

export default withProblemPage(async function ${name}() {
  await requireViewer('/${path}')
  return (
    <>
      <PageHead title=${sentence('title')} lead=${sentence('lead')} />
      ${content}
    </>
  )
})
`
}

function actionText(path: string, form: string): string {
  return `'use server'

import { formAction } from '@/app/_web/form-action'
import { m } from '@/lib/kernel/messages'

export const ${actionName(form)} = formAction({
  call: 'POST /beak/${form}',
  input: () => ({}),
  page: '/${path}',
  done: () => m.${area(path)}_done(),
})
`
}

function testText(path: string, title: string, form: string | undefined): string {
  if (form === undefined)
    return `import { open } from './browser'
import { expect, test } from './fixtures'

test('the page has its title', async ({ ownPage: page }) => {
  await open(page, '/${path}')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('${title}')
})
`
  return `import { button, expectText, open } from './browser'
import { test } from './fixtures'

test('the form says that it has succeeded', async ({ ownPage: page }) => {
  await open(page, '/${path}')
  await button(page, '${buttonText(form)}').click()
  await expectText(page, 'Done.')
})
`
}
