/**
 * Documents of the repository that are pages too, made from the same files. Links between them become addresses of pages, and
 * links to files that are no pages become text.
 */
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { headingsIn } from './headings'

interface Published {
  /** The path of the page below `/docs`. */
  slug: string
  /** What the page is about, in a sentence. */
  lead: string
}

const documents: Record<string, Published> = {
  'docs/receipts/format.md': {
    slug: 'receipts',
    lead: 'What a receipt has, byte for byte, and how a program of your own verifies it.',
  },
  'docs/audit/format.md': {
    slug: 'audit',
    lead: 'How the audit log is chained, signed and entered in the transparency log, and how to verify it without our code.',
  },
  'docs/audit/witness.md': {
    slug: 'witness',
    lead: 'How somebody outside confirms the transparency log, so nobody is shown another one.',
  },
  'docs/contract.md': {
    slug: 'contract',
    lead: 'Every rule that programs can rely on, beyond the API reference.',
  },
  'docs/risk.md': {
    slug: 'risk',
    lead: 'The rules that decide whether a request is shown as a low, medium or high risk.',
  },
  'docs/rules.md': {
    slug: 'rules',
    lead: 'How a rule that you signed answers requests, how its budget counts, and what it proves.',
  },
  'docs/security.md': {
    slug: 'threat-model',
    lead: 'Who may attack, what protects against them, and what does not.',
  },
  'docs/privacy.md': {
    slug: 'privacy',
    lead: 'What is stored about whom, who sees it, and how long it stays.',
  },
  'docs/approver.md': {
    slug: 'approver',
    lead: 'A page on a site of your own that shows and signs your decisions, so the host cannot show you another request.',
  },
  'docs/versioning.md': {
    slug: 'versions',
    lead: 'What can change at any time, what is a breaking change, and how it is announced.',
  },
  'docs/releases/0.3.0.md': {
    slug: 'release-0-3',
    lead: 'What 0.3.0 gives to people, builders and hosts, what breaks, and how to update.',
  },
  'CHANGELOG.md': {
    slug: 'changelog',
    lead: 'What changed in each version, the newest first, and in each what breaks first.',
  },
}

export interface PublishedPage extends Published {
  title: string
  body: string
}

const readDocument = (file: string) => readFile(join(/* turbopackIgnore: true */ process.cwd(), file), 'utf8')

/** Returns the pages in the order of the navigation. */
export async function readPublished(): Promise<PublishedPage[]> {
  const texts = new Map(
    await Promise.all(Object.keys(documents).map(async (file) => [file, await readDocument(file)] as const)),
  )
  return Object.entries(documents).map(([file, page]) => {
    const { title, body } = splitTitle(texts.get(file) ?? '')
    return { ...page, title, body: withPageLinks(file, body, texts) }
  })
}

function splitTitle(text: string): { title: string; body: string } {
  const [, title = '', body = ''] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? []
  return { title, body: body.replace(/^<!--.*?-->\n/gm, '') }
}

/** Code, which stays as it is, or a link. */
const codeOrLink = /^```[\s\S]*?^```|`(?:[^`\n]|\n(?!\n))+`|\[([^\]]+)\]\(([^)\s]+)\)/gm

const isFileName = /^[\w/]+\.md$/

/** Returns the title of a document, which readers know instead of its file. */
const titleOf = (text: string | undefined, file: string) =>
  text === undefined ? file : splitTitle(text).title

/** Rewrites the links in the text of a document. */
function withPageLinks(file: string, body: string, texts: Map<string, string>): string {
  return body.replace(codeOrLink, (found, words?: string, to = '') => {
    if (words === undefined || /^[a-z]+:/.test(to)) return found
    const [path = '', anchor] = to.split('#')
    const target = path === '' ? file : posix.join(posix.dirname(file), path)
    const address = addressOf(target)
    if (address === null) return words
    const id = anchor === undefined ? undefined : idOf(anchor, texts.get(target))
    const shown = isFileName.test(words) ? titleOf(texts.get(target), words) : words
    return `[${shown}](${target === file ? '' : address}${id === undefined ? '' : `#${id}`})`
  })
}

/** Returns the address of the page that is made from a file, or null when the file is no page. */
function addressOf(file: string): string | null {
  const page = documents[file]?.slug ?? /^docs\/pages\/(?:reference\/)?(.+)\.md$/.exec(file)?.[1]
  return page === undefined ? null : `/docs/${page}`
}

/** Returns the id that a page gives to a heading, from the anchor that GitHub gives to it. */
function idOf(anchor: string, text = ''): string {
  return headingsIn(text).find(({ text: words }) => gitHubAnchor(words) === anchor)?.id ?? anchor
}

const gitHubAnchor = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
