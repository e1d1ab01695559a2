import type { Metadata } from 'next'
import { Fragment } from 'react'
import { NotFoundPage } from '@/app/_shell/not-found-page'
import { withProblemPage } from '@/app/_shell/problem-page'
import { answerNotFound } from '@/app/_web/answer-not-found'
import { localPath } from '@/app/_web/local-path'
import { withBasePath } from '@/components/base-path'
import { Duck } from '@/components/duck'
import { PicturePage } from '@/components/picture-page'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy'
import { Card, Empty, PageHead, Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { readOutbox, type StoredMessage } from '@/lib/infrastructure/mail/read-outbox'
import { readClock } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { outboxAccess } from './outbox-access'

export const metadata: Metadata = { title: 'Outbox', robots: { index: false } }

const messagesMax = 50

/** Shown to a browser on this machine that has not opened the printed address. */
function Locked() {
  return (
    <PicturePage
      title="This browser cannot open the outbox"
      lead="Open the newest address in the server's terminal. It works once, for one browser."
      picture={(size) => <Duck id="lost" size={size} />}
    >
      <p>You can also read the messages as files in the outbox folder of the data folder.</p>
    </PicturePage>
  )
}

/** Shows the emails and text messages of a development server. Answers 404 on any other server. */
export default withProblemPage(async function OutboxPage() {
  const access = await outboxAccess()
  if (access !== 'open') {
    answerNotFound()
    return access === 'locked' ? <Locked /> : <NotFoundPage />
  }
  const messages = await readOutbox(messagesMax)
  const now = readClock()
  return (
    <>
      <PageHead
        title="Outbox"
        lead="This development server sends nothing. Its emails and text messages are here, newest first. Only this browser can open this page."
      >
        <form>
          <Button type="submit">Refresh</Button>
        </form>
      </PageHead>
      {messages.length === 0 ? (
        <Empty title="No messages yet">Sign up or request a code to see the message here.</Empty>
      ) : (
        <ul className="grid gap-4">
          {messages.map((message) => (
            <Message key={message.name} message={message} now={now} />
          ))}
        </ul>
      )}
    </>
  )
})

function Message({ message, now }: { message: StoredMessage; now: Date }) {
  const { to, subject, text, created_at } = message
  const code = /\b\d{6}\b/.exec(text)?.[0]
  return (
    <li>
      <Card className="grid gap-x-8 gap-y-5 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
            <Pill>{subject === null ? 'SMS' : 'Email'}</Pill>
            <span>
              to <strong className="font-semibold text-ink wrap-anywhere">{to}</strong>
            </span>
            <Time at={created_at} now={now} />
          </p>
          <h2 className="mt-3 text-lg">{subject ?? 'Text message'}</h2>
          {code === undefined ? (
            <Text text={text} />
          ) : (
            <details className="mt-1 text-sm">
              <summary className="inline-flex min-h-9 items-center text-soft underline decoration-line hover:decoration-ink">
                Show the whole message
              </summary>
              <Text text={text} />
            </details>
          )}
        </div>
        {code === undefined ? null : (
          <div className="flex flex-wrap items-center gap-4 sm:flex-col sm:items-end">
            <span className="font-mono text-2xl font-semibold tracking-[0.12em] tabular-nums">{code}</span>
            <CopyButton text={code} label="Copy code" />
          </div>
        )}
      </Card>
    </li>
  )
}

function Text({ text }: { text: string }) {
  return (
    <p className="mt-2 max-w-prose text-sm whitespace-pre-line text-soft wrap-anywhere">
      <WithLinks text={text.trim()} />
    </p>
  )
}

/** Turns addresses of our own pages into links. Other addresses stay text: messages can contain what strangers wrote. */
function WithLinks({ text }: { text: string }) {
  const { baseUrl } = config()
  return text.split(/(https?:\/\/\S+)/).map((part, n) => {
    const path = part.startsWith(`${baseUrl}/`) ? localPath(part.slice(baseUrl.length)) : null
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
    if (path === null) return <Fragment key={n}>{part}</Fragment>
    return (
      <a key={part} href={withBasePath(path)} className="text-ink underline">
        {part}
      </a>
    )
  })
}
