/**
 * Text that somebody else chose (names, devices, addresses of programs) for use in our mails (contract F, Mail): quoted, short
 * and without links. Mail programs make links of URLs, bare domains, e-mail addresses and phone numbers, so all of these go.
 */

import { quotable } from '@/lib/kernel/quote'

/** Characters of such a text that a mail shows. */
const foreignTextMax = 40
/** Characters of it that are looked at. No name is that long. */
const readMax = 1000

const removedLink = '[link removed]'
const removedNumber = '[number removed]'

/** Controls, formatting characters and other characters without a glyph: they can split a link so that no pattern finds it. */
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu
/** Full stops that browsers read as the dot of a domain (UTS 46); NFKC maps the full-width one and the one-dot leader. */
const domainDots = /[\u3002\uff61]/gu

const links = [
  /[a-z0-9]:[/\\]/i,
  /(?:https?|ftp|mailto|tel|sms|callto|skype|facetime|javascript|data|file|geo|magnet|tg):\S/i,
  /www\d*\./i,
  // A bare domain: a dot with a letter and one more character of a label after it.
  /[^\s.]\.\p{L}[\p{L}\p{M}\p{N}-]/u,
  /[^\s@]@[^\s@]/,
  /\d{1,3}(?:\.\d{1,3}){3}/,
]
const phoneNumber = /\+?\d(?:[\s()./-]{0,3}\d){6,}/g

/** One spelling for what looks alike, on one line and without invisible characters. */
function plain(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(invisible, '')
    .normalize('NFKC')
    .replace(invisible, '')
    .replace(domainDots, '.')
}

function shorten(text: string, max: number): string {
  const characters = [...text]
  return characters.length <= max
    ? text
    : `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
}

/** Replaces each word that a mail program could make a link of. */
function withoutLinks(text: string): string {
  return text
    .split(' ')
    .map((word) => (links.some((link) => link.test(word)) ? removedLink : word))
    .join(' ')
    .replaceAll(`${removedLink} ${removedLink}`, removedLink)
}

/** Returns the text in quotes that it cannot close, shortened to 40 characters, with links and phone numbers removed. */
export function foreignText(text: string): string {
  const shown = quotable(withoutLinks(plain(text.slice(0, readMax))).replace(phoneNumber, removedNumber))
  return `"${shorten(shown, foreignTextMax)}"`
}

/**
 * Makes a sentence of ours safe that holds text of others: what stands in quotes becomes `foreignText`, and the words outside
 * lose their links and are shortened one by one.
 */
export function ownSentence(sentence: string): string {
  return sentence
    .split(/"([^"]*)"/)
    .map((part, index) => (index % 2 === 1 ? foreignText(part) : withoutLinks(part)))
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/\S+/g, (word) => shorten(word, foreignTextMax)),
    )
    .join('')
}
