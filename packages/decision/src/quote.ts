/**
 * Quotes text that others chose (contract F, Names), so that nothing in the text looks like the end of the quotation. The
 * characters are listed here, because the table of Unicode is too large for pages. The test compares the list with the table.
 */

/** Characters that look like a single mark. Between two letters they are an apostrophe. */
const singleMarks = /['`´ʹʻʼʽʾʿˈˊˋ˴ʹ΄՚՝׳ߴߵ᾽᾿`´῾‘’‚‛′‵Ꞌꞌ＇｀❛❜❟]/gu

/** All other marks: initial, final and double marks, corner brackets, ditto marks, primes. */
const otherMarks = /(?!['‘’‚‛＇])[\p{Pi}\p{Pf}\p{Quotation_Mark}ʺ˝ˮ˶״᳓″‴‶‷⁗〃❝❞❠🙶-🙸]/gu

/** Combining marks that look like quotation marks, and marks without a letter. */
const strayMarks = /[\u030b\u030e\u0312-\u0315\u0343]|(?<![\p{L}\p{M}\p{N}\p{So}])\p{M}+/gu

/** Letters that look like marks (UTS #39). They are kept only in a word of their own script. */
const lookAlikeLetters = /[יײᑊᛌ\u{16f51}\u{16f52}]/gu
const scriptRuns = /\p{Script=Hebrew}+|\p{Script=Canadian_Aboriginal}+|\p{Script=Runic}+|\p{Script=Miao}+/gu

/** Invisible characters, and characters that change the direction of the text. */
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu

function keepWord(run: string): string {
  const plain = run.replace(lookAlikeLetters, '')
  return /\p{L}/u.test(plain) ? run : plain.replace(/\p{M}/gu, '')
}

/** Returns the text as one line without quotation marks and their look-alikes. Keeps the apostrophe in "O'Neill". */
export function quotable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(invisible, '')
    .replace(strayMarks, '')
    .replace(scriptRuns, keepWord)
    .replace(otherMarks, '')
    .replace(singleMarks, "'")
    .replace(/(?<![\p{L}\p{M}])'+|'+(?!\p{L})|'{2,}/gu, '')
    .replace(/ +/g, ' ')
    .trim()
}

/** Returns the name of an agent, or another name that somebody chose, in the quotation marks of pages. The name cannot close them. */
export const quotedName = (name: string): string => `“${quotable(name)}”`

/** Returns the text in double quotation marks. The text cannot close them. */
export function quoted(name: string): string {
  return `"${quotable(name)}"`
}
