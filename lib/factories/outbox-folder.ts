/** Reads the outbox folder of a service without a mail server: one JSON file per message. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface SentMessage {
  kind: string
  to: string
  subject: string | null
  text: string
  /** Null for an SMS. */
  html: string | null
  created_at: string
}

/** The messages by path. A file is complete when it gets its name and never changes, so each is read once. */
const messages = new Map<string, SentMessage>()

function readMessage(path: string): SentMessage {
  const known = messages.get(path)
  if (known) return known
  const message = JSON.parse(readFileSync(path, 'utf8')) as SentMessage
  messages.set(path, message)
  return message
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Returns every message in the outbox of a data folder, oldest first. Returns none when there is no outbox yet. */
export function messagesIn(dataDir: string): SentMessage[] {
  const folder = join(dataDir, 'outbox')
  // Names begin with the time, so they sort like the messages.
  return namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readMessage(join(folder, name)))
}
