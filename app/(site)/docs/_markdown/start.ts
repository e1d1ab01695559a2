import { config } from '@/lib/kernel/config'
import { prelude, recipes, steps } from '../steps'
import { codeBlock, link } from './blocks'

/** Returns the first steps and the recipes. */
export function startText(): string {
  const { baseUrl } = config()
  return [
    '# Start here',
    'Register an agent and let it ask for its first permission. Paste these five steps into a terminal.',
    'First, the address and two helpers:',
    codeBlock('sh', prelude(baseUrl)),
    ...steps.flatMap(({ title, text, code }, index) => [
      `## ${index + 1}. ${title}`,
      text,
      codeBlock('sh', code),
    ]),
    ...recipes(baseUrl).flatMap(({ title, text, link: { href, text: label }, label: what, code }) => [
      `## ${title}`,
      `${text} ${link(label, href)}.`,
      `${what}:`,
      codeBlock('', code),
    ]),
  ].join('\n\n')
}
