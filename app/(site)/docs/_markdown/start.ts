import { generatedPages } from '../_content/nav'
import type { Section } from '../_content/pages'
import { link } from './blocks'

/** Returns the start page: a list of the guides of each section. */
export function startText(sections: Section[]): string {
  return [
    '# Docs',
    'An agent asks, a person decides, and a site checks.',
    ...sections.flatMap(({ name, title, pages }) => [
      `## ${title}`,
      [
        ...pages.map(({ slug, title: page, lead }) => `- ${link(page, `/docs/${slug}`)}: ${lead}`),
        ...(name === 'reference' ? generatedPages : []).map(
          ({ slug, title: page }) => `- ${link(page, `/docs/${slug}`)}`,
        ),
      ].join('\n'),
    ]),
  ].join('\n\n')
}
