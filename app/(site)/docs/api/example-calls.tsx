import { m } from '@/lib/kernel/messages'
import { CodeFigure } from '../_content/code-figure'
import { highlight } from '../_content/highlight'
import { callLanguages, callsOf } from './calls'
import { answerOf } from './example'
import type { ListedOperation } from './reference'
import type { Components } from './schema'
import { responseOf } from './words'

interface Shown {
  calls: { language: string; html: string }[]
  /** Null for an answer that is not JSON. */
  answer: string | null
}

/** Coloured examples by operation. Its objects stay the same until the reference changes. */
const shownExamples = new WeakMap<object, Promise<Shown>>()

interface ExampleProps {
  listed: ListedOperation
  components: Components
  baseUrl: string
}

/** The example call of an operation in each language, and its answer. */
export async function ExampleCalls(props: ExampleProps) {
  const { listed } = props
  const making = shownExamples.get(listed) ?? makeShown(props)
  shownExamples.set(listed, making)
  const { calls, answer } = await making
  return (
    <>
      {callLanguages.map(({ name, title }) => (
        <CodeFigure
          key={name}
          title={title}
          choice={name}
          html={calls.find(({ language }) => language === name)?.html ?? ''}
          isNarrow
        />
      ))}
      {answer === null ? null : <CodeFigure title={m.docs_api_response()} html={answer} isNarrow />}
    </>
  )
}

async function makeShown({ listed, components, baseUrl }: ExampleProps): Promise<Shown> {
  const { media, schema } = responseOf(listed)
  const calls = callsOf(listed, components, baseUrl).map(async ({ language, text }) => ({
    language,
    html: await highlight(text, language),
  }))
  return {
    calls: await Promise.all(calls),
    answer:
      media === 'application/json'
        ? await highlight(JSON.stringify(answerOf(listed, schema, components), null, 2), 'json')
        : null,
  }
}
