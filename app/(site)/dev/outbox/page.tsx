import type { Metadata } from 'next'
import { Fragment } from 'react'
import { NotFoundPage } from '@/app/_shell/not-found-page'
import { withProblemPage } from '@/app/_shell/problem-page'
import { localPath } from '@/app/_web/local-path'
import { answerNotFound } from '@/app/_web/page-read'
import { withBasePath } from '@/components/base-path'
import { Duck } from '@/components/duck'
import { PicturePage } from '@/components/picture-page'
import { Sentence } from '@/components/sentence'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy'
import { Card, Empty, PageHead, Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { readOutbox, type StoredMessage } from '@/lib/infrastructure/mail/read-outbox'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { outboxAccess } from './outbox-hint'

export const generateMetadata = (): Metadata => ({ title: m.dev_outbox(), robots: { index: false } })

const messagesMax = 50

/** Shown to a browser on this machine that has not opened the printed address. */
function Locked() {
  return (
    <PicturePage
      title={m.dev_this_browser_cannot_open_the_outbox()}
      lead={m.dev_outbox_locked_hint()}
      picture={(size) => <Duck id="lost" size={size} />}
    >
      <p>{m.dev_outbox_folder_hint()}</p>
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
      <PageHead title={m.dev_outbox()} lead={m.dev_outbox_intro()}>
        <form>
          <Button type="submit">{m.dev_refresh()}</Button>
        </form>
      </PageHead>
      {messages.length === 0 ? (
        <Empty title={m.dev_no_messages_yet()}>{m.dev_outbox_empty_hint()}</Empty>
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
  const { to, subject, text, html, created_at } = message
  const code = /\b\d{6}\b/.exec(text)?.[0]
  return (
    <li>
      <Card className="grid gap-x-8 gap-y-5 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
            <Pill>{subject === null ? m.dev_sms() : m.dev_email()}</Pill>
            <span>
              <Sentence
                of={m.dev_to_to}
                with={{ to }}
                parts={{
                  strong: (children) => (
                    <strong translate="no" className="font-semibold text-ink wrap-anywhere">
                      {children}
                    </strong>
                  ),
                }}
              />
            </span>
            <Time at={created_at} now={now} />
          </p>
          <h2 translate="no" className="mt-3 text-lg">
            {subject ?? m.dev_text_message()}
          </h2>
          {code === undefined ? (
            <Text text={text} />
          ) : (
            <details className="mt-1 text-sm">
              <summary className="inline-flex min-h-9 items-center text-soft underline decoration-line hover:decoration-ink">
                {m.dev_show_the_whole_message()}
              </summary>
              <Text text={text} />
            </details>
          )}
          {html === null ? null : <Html html={html} subject={subject ?? ''} />}
        </div>
        {code === undefined ? null : (
          <div className="flex flex-wrap items-center gap-4 sm:flex-col sm:items-end">
            <span translate="no" className="font-mono text-2xl font-semibold tracking-[0.12em] tabular-nums">
              {code}
            </span>
            <CopyButton text={code} label={m.dev_copy_code()} />
          </div>
        )}
      </Card>
    </li>
  )
}

/** The mail as a mail program shows it. The frame runs no scripts and has no access to this page. */
function Html({ html, subject }: { html: string; subject: string }) {
  return (
    <details className="mt-1 text-sm">
      <summary className="inline-flex min-h-9 items-center text-soft underline decoration-line hover:decoration-ink">
        {m.dev_show_it_as_html()}
      </summary>
      <iframe
        title={subject}
        srcDoc={html}
        sandbox=""
        loading="lazy"
        className="mt-2 h-120 w-full rounded-card border border-line"
      />
    </details>
  )
}

function Text({ text }: { text: string }) {
  return (
    <p translate="no" className="mt-2 max-w-prose text-sm whitespace-pre-line text-soft wrap-anywhere">
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
