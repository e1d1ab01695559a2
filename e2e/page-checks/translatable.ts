/** Finds what a translator of the page would change although a person must read it as it was sent. */
import type { Page } from '@playwright/test'

/** The people and agents of the demo world. */
export const demoNames =
  'Mallard|Eider|Teal|Pintail|Gadwall|Wigeon|Shoveler|Goldeneye|Smew|Garganey|Newcomer|Scout|Archivist|Fledgling|Night watch|Old herald|Lookout|Steward|Boathouse bell'

/** Ids, mail addresses, handles and hosts. */
const values = [
  String.raw`\b[A-Z]{2,8}-[0-9A-HJKMNP-TV-Z]{26}\b`,
  String.raw`[\w.+-]+@[\w-]+\.\w+`,
  String.raw`(?<![\w.])@(?!handle)[a-z][a-z0-9-]{2,}`,
  String.raw`\b[\w-]+(?:\.[\w-]+)*\.example\b`,
  String.raw`\b\d{1,3}(?:\.\d{1,3}){3}\b`,
]

/** Returns the texts of a page with a name, an id, an address or a host that a translator would change, and those with marks that nothing rendered. */
export function translatableNames(page: Page): Promise<string[]> {
  const kept = `${values.join('|')}|\\b(?:${demoNames})\\b`
  return page.evaluate((pattern) => {
    const found = new RegExp(pattern)
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: string[] = []
    while (walker.nextNode()) {
      const { parentElement: parent, nodeValue: text } = walker.currentNode
      if (parent === null || text === null || !(found.test(text) || /[\u2068\u2069]/.test(text))) continue
      if (parent.closest('script, style, noscript, textarea')) continue
      if (parent.closest('[translate]')?.getAttribute('translate') !== 'no') texts.push(text.trim())
    }
    return texts
  }, kept)
}
