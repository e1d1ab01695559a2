/** The code blocks of the README. */
import { readFileSync } from 'node:fs'

/** Returns the blocks of a language, in their order. */
export function readmeBlocks(language: string): string[] {
  const text = readFileSync('clients/typescript/README.md', 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  )
}
