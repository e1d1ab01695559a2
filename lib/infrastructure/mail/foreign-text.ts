/**
 * Prepares text that other people chose (names, devices) for mails (contract F, Mail): quoted, short and without links. Mail programs
 * make links from URLs, bare domains, email addresses and phone numbers, so all of these are removed.
 */

import { groupedIban } from '@beak/decision/iban'
import { quotable } from '@beak/decision/quote'
import { m } from '@/lib/kernel/messages'

/** Length of such a text in a mail. */
const foreignTextMax = 40
/** Characters that are processed. No name is that long. */
const readMax = 1000

const removedLink = m.mail_link_removed
const removedNumber = m.mail_number_removed

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
  const removed = removedLink()
  return text
    .split(' ')
    .map((word) => (links.some((link) => link.test(word)) ? removed : word))
    .join(' ')
    .replaceAll(`${removed} ${removed}`, removed)
}

const ipAddress = /^\d{1,3}(?:\.\d{1,3}){3}$/
/** Length of a value in a mail. */
const foreignValueMax = 60
/** A word that reads as a value in a sentence, also without quotation marks. */
const plainWord = /^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u
/** An amount as the service writes it. */
const plainAmount = /^[\p{Sc}A-Z$]{0,4} ?-?\d[\d.,]*(?: ?[\p{Sc}A-Z]{1,4})?$/u

/**
 * Nobody sees this character (U+2060, word joiner), and it has no width. Behind each sign that is part of an address, it leaves the text as it was
 * for people, and programs find no address: a domain then ends with a label that is no top-level domain, and "https:" has no "//" behind it.
 */
const joiner = '\u2060'

/** Writes a word so that a person reads it as it is and a mail program makes no link of it. */
function unlinked(word: string): string {
  return links.some((link) => link.test(word))
    ? word.replace(/[@.:/\\]/g, (sign) => `${sign}${joiner}`)
    : word
}

/** Returns a text without its middle when it is long: the end of an address says as much as its beginning. */
function withoutMiddle(text: string, max: number): string {
  const characters = [...text]
  if (characters.length <= max) return text
  const half = Math.floor((max - 1) / 2)
  return `${characters.slice(0, half).join('').trimEnd()}…${characters.slice(-half).join('').trimStart()}`
}

/**
 * Returns a value that the asker chose, such as an amount or an email address: readable, on one line, and so that mail programs make no link of it.
 * It is in quotation marks unless it is an amount or one plain word.
 */
export function foreignValue(text: string, max = foreignValueMax): string {
  const whole = plain(text.slice(0, readMax))
  // In one word, its digits are no phone number.
  const given = groupedIban(whole) === null ? whole : whole.replaceAll(' ', '')
  const shown = quotable(given).replace(phoneNumber, (number) =>
    ipAddress.test(number)
      ? number
      : m.mail_number_ending_in({ digits: number.replace(/\D/g, '').slice(-4) }),
  )
  const short = withoutMiddle(shown, max).split(' ').map(unlinked).join(' ')
  return plainWord.test(short) || plainAmount.test(short) ? short : `"${short}"`
}

/** Returns the text in quotation marks, without links and phone numbers, shortened to 40 characters. It cannot close the quotation. */
export function foreignText(text: string): string {
  const shown = quotable(withoutLinks(plain(text.slice(0, readMax))).replace(phoneNumber, removedNumber()))
  return `"${shorten(shown, foreignTextMax)}"`
}

/** Returns the name that a person chose for an agent: without quotation marks when it is one plain word. Names of other people's agents have them. */
export function foreignName(name: string): string {
  const shown = foreignText(name)
  return plainWord.test(shown.slice(1, -1)) ? shown.slice(1, -1) : shown
}

/** Returns the name of a person without links and phone numbers. The characters of such a name are limited, so it needs no quotes. */
export function personText(name: string): string {
  return withoutLinks(name).replace(phoneNumber, removedNumber())
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

/**
 * Prepares a sentence about a request. Words of the asker in it are in quotation marks: they stay in them, readable and without links. Names of
 * people stand outside of them.
 */
export function reasonText(sentence: string): string {
  return sentence
    .replaceAll(/[“”]/g, '"')
    .split(/"([^"]*)"/)
    .map((part, index) => (index % 2 === 1 ? alwaysQuoted(foreignValue(part)) : personText(part)))
    .join('')
}

const alwaysQuoted = (value: string) => (value.startsWith('"') ? value : `"${value}"`)

/** A part in quotation marks of the sentence of a rule. JSON has escaped what is in it. */
const quotedPart = /"((?:[^"\\]|\\.)*)"/

/** Prepares the sentence of a rule: quoted parts become `foreignValue`, and domains are readable without being links. */
export function ruleText(sentence: string): string {
  return sentence
    .split(quotedPart)
    .map((part, index) =>
      index % 2 === 1
        ? foreignValue(part)
        : part.replace(/\S+/g, (word) => unlinked(shorten(word, foreignValueMax))),
    )
    .join('')
}
