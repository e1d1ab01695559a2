/**
 * Prepares text that other people chose (names, devices) for mails (contract F, Mail): quoted, short and without links. Mail programs
 * make links from URLs, bare domains, email addresses and phone numbers, so all of these are removed.
 */

import { quotable } from '@/lib/kernel/text/quote'

/** Length of such a text in a mail. */
const foreignTextMax = 40
/** Characters that are processed. No name is that long. */
const readMax = 1000

const removedLink = '[link removed]'
const removedNumber = '[number removed]'

/** Control, format and other characters without a glyph. They can split a link so that no pattern matches it. */
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu
/** Full stops that browsers accept as the dot of a domain (UTS 46). NFKC maps the full-width form and the one-dot leader. */
const domainDots = /[\u3002\uff61]/gu

const links = [
  /[a-z0-9]:[/\\]/i,
  /(?:https?|ftp|mailto|tel|sms|callto|skype|facetime|javascript|data|file|geo|magnet|tg):\S/i,
  /www\d*\./i,
  // A bare domain: a dot, a letter and one more character of a label.
  /[^\s.]\.\p{L}[\p{L}\p{M}\p{N}-]/u,
  /[^\s@]@[^\s@]/,
  /\d{1,3}(?:\.\d{1,3}){3}/,
]
/**
 * Digits inside of a word, as in the ids of the service, are no phone number. libphonenumber, with which mail programs find numbers, ignores
 * them as well, unless they begin with a plus sign (PhoneNumberMatcher, `isLatinLetter`).
 */
const phoneNumber = /(?:\+|(?<![\p{L}\p{N}]))\d(?:[\s()./-]{0,3}\d){6,}/gu

/** Returns the text in compatibility form, on one line and without invisible characters. */
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

/** Replaces each word that a mail program could make a link from. */
function withoutLinks(text: string): string {
  return text
    .split(' ')
    .map((word) => (links.some((link) => link.test(word)) ? removedLink : word))
    .join(' ')
    .replaceAll(`${removedLink} ${removedLink}`, removedLink)
}

/** Returns the text in quotation marks, without links and phone numbers, shortened to 40 characters. It cannot close the quotation. */
export function foreignText(text: string): string {
  const shown = quotable(withoutLinks(plain(text.slice(0, readMax))).replace(phoneNumber, removedNumber))
  return `"${shorten(shown, foreignTextMax)}"`
}

/** Returns the name of a person without links and phone numbers. The characters of such a name are limited, so it needs no quotes. */
export function personText(name: string): string {
  return withoutLinks(name).replace(phoneNumber, removedNumber)
}

/**
 * Prepares a sentence of the service that contains text of others: quoted parts become `foreignText`. Outside of quotes, links are
 * removed and long words are shortened.
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
