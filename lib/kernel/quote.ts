/**
 * Quoting text that others chose (contract F, Names): nothing in the text can be read as the end of the quotation. The characters are listed here and not looked up, so that pages can quote too; the test compares the
 * list with Unicode's table of confusables.
 */

/** Look like one single mark: an apostrophe where they stand between two letters. */
const singleMarks = /['`´ʹʻʼʽʾʿˈˊˋ˴ʹ΄՚՝׳ߴߵ᾽᾿`´῾‘’‚‛′‵Ꞌꞌ＇｀❛❜❟]/gu

/** All others, of any shape: initial, final and double marks, corner brackets, ditto marks, primes. */
const otherMarks = /(?!['‘’‚‛＇])[\p{Pi}\p{Pf}\p{Quotation_Mark}ʺ˝ˮ˶״᳓″‴‶‷⁗〃❝❞❠🙶-🙸]/gu

/** Combining marks that look like quotation marks, and marks that have no letter to stand on. */
const strayMarks = /[\u030b\u030e\u0312-\u0315\u0343]|(?<![\p{L}\p{M}\p{N}\p{So}])\p{M}+/gu

/** Letters that look like marks (UTS #39) are letters only in a word of their own script. */
const lookAlikeLetters = /[יײᑊᛌ\u{16f51}\u{16f52}]/gu
const scriptRuns = /\p{Script=Hebrew}+|\p{Script=Canadian_Aboriginal}+|\p{Script=Runic}+|\p{Script=Miao}+/gu

/** Not seen, or turning the direction of the text beside them. */
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu

function keepWord(run: string): string {
  const plain = run.replace(lookAlikeLetters, '')
  return /\p{L}/u.test(plain) ? run : plain.replace(/\p{M}/gu, '')
}

/** Returns the text as one line without anything that is, or looks like, a quotation mark. Keeps the apostrophe in "O'Neill". */
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

/** Returns the text in double quotation marks that it cannot close. */
export function quoted(name: string): string {
  return `"${quotable(name)}"`
}
