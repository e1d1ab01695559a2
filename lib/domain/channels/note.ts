/** What a channel says about requests, in words of the service, and the same in the form of each target. */
import type { NoteTexts } from '@/lib/infrastructure/mail/notice'
import { config } from '@/lib/kernel/config'
import type { ChatFormat } from './schema'

export interface Note extends NoteTexts {
  /** The path of the page that it opens. */
  path: string
  /** A later note with the same tag replaces it, where a target can do that. */
  tag: string
  isHigh: boolean
}

export interface Post {
  url: string
  method: 'POST' | 'PUT'
  headers: Record<string, string>
  body: unknown
}

/** Invisible after a sign that begins a mention, so that no program recognizes the mention. */
const joiner = '\u2060'
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes
const unwanted = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2061-\u206f\ufeff]+/g

/** Returns text on one line, without characters that hide text or change its direction. The joiner stays: it keeps addresses from becoming links. */
const oneLine = (text: string) => text.replace(unwanted, ' ').replace(/ {2,}/g, ' ')

const linkOf = ({ path }: Note) => `${config().baseUrl}${path}`

/** Breaks mentions, tags, commands, links and names of stocks ("$TSLA") that chats find in plain text. */
const withoutMentions = (text: string) =>
  text.replace(/[@#~/:](?=[^\s\u2060])|\$(?=\p{L})/gu, (sign) => `${sign}${joiner}`)

/** Escapes every character with a meaning in Markdown, with a backslash. */
const withoutMarkdown = (text: string) => text.replace(/[\\`*_{}[\]()<>#+\-.!|~=:]/g, (sign) => `\\${sign}`)

const withoutHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Joins the lines of a note. Only the link stays as it is: it has no characters of others. */
const lines = (note: Note, escaped: (text: string) => string) =>
  [
    ...[note.firstLine ?? [], note.title, note.text].flat().map((text) => escaped(oneLine(text))),
    linkOf(note),
  ].join('\n')

/** Returns what stands below the title, where a channel shows titles. */
export const noteBody = ({ firstLine, text }: NoteTexts): string =>
  [firstLine ?? [], text].flat().map(oneLine).join('\n')

const json = { 'Content-Type': 'application/json' }
const post = (url: string, body: unknown): Post => ({ url, method: 'POST', headers: json, body })

const chats: Record<ChatFormat, (url: string, note: Note, messageId: string) => Post> = {
  slack: (url, note) =>
    post(url, {
      text: lines(note, (text) => withoutMentions(withoutHtml(text))),
      mrkdwn: false,
      parse: 'none',
      link_names: false,
      unfurl_links: false,
      unfurl_media: false,
    }),
  discord: (url, note) =>
    post(url, {
      content: lines(note, (text) => withoutMarkdown(withoutMentions(text))),
      allowed_mentions: { parse: [] },
      // Suppresses previews.
      flags: 4,
    }),
  mattermost: (url, note) =>
    post(url, { text: lines(note, (text) => withoutMarkdown(withoutMentions(text))) }),
  telegram: (text, note) => {
    const url = new URL(text)
    const chat = url.searchParams.get('chat_id')
    url.search = ''
    return post(url.href, {
      chat_id: chat,
      text: lines(note, withoutMentions),
      link_preview_options: { is_disabled: true },
    })
  },
  matrix: (text, note, messageId) => {
    const url = new URL(text)
    const token = url.searchParams.get('access_token')
    url.search = ''
    // The number of the transaction: a reminder with the number of the announcement would be ignored.
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(messageId)}`
    return {
      url: url.href,
      method: 'PUT',
      headers: { ...json, Authorization: `Bearer ${token}` },
      body: {
        msgtype: 'm.text',
        body: lines(note, withoutMentions),
        'm.mentions': {},
        'com.beeper.linkpreviews': [],
      },
    }
  },
}

/** Returns the request to a chat. `messageId`: the same for each attempt, and another one for a reminder. */
export const chatPost = (format: ChatFormat, url: string, note: Note, messageId: string): Post =>
  chats[format](url, note, messageId)

/** Returns the request to a server of ntfy, which takes JSON at the root of its topics. ntfy shows the text as it is. */
export function ntfyPost(address: string, note: Note): Post {
  const url = new URL(address)
  const topic = decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf('/') + 1))
  url.pathname = url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1)
  return post(url.href, {
    topic,
    title: oneLine(note.title),
    message: noteBody(note),
    priority: note.isHigh ? 5 : 3,
    click: linkOf(note),
  })
}

/** Returns what one's own webhook gets. */
export const webhookBody = (note: Note) => ({
  first_line: note.firstLine === null ? null : oneLine(note.firstLine),
  title: oneLine(note.title),
  text: oneLine(note.text),
  high_risk: note.isHigh,
  url: linkOf(note),
})
