/** The code blocks of the README. */
import { readFileSync } from 'node:fs'

/** Returns the blocks of a language in their order, also those with the word `shown`, which no test runs. */
export function readmeBlocks(language: string): string[] {
  const text = readFileSync('packages/client/README.md', 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}(?: shown)?\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  )
}
