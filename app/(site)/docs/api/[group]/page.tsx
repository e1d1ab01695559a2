import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { PageHead } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { LanguageChoice } from '../../_content/language-choice'
import { callLanguages } from '../calls'
import { DocsNav } from '../nav'
import { OperationEntry } from '../operation'
import { OperationList } from '../operation-list'
import { listed, readReference } from '../reference'

interface PageProps {
  params: Promise<{ group: string }>
}

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: PageProps): Promise<Metadata> {
  const { groups } = await readReference()
  const { group: name } = await params
  const group = groups.find((each) => each.name === name)
  return group
    ? { title: m.docs_api_group_title({ group: group.title }), description: group.lead }
    : { title: m.docs_api_not_found() }
})

/** One group of the API reference. */
export default withProblemPage(async function GroupPage({ params }: PageProps) {
  const { document, groups } = await readReference()
  const { group: name } = await params
  const group = groups.find((each) => each.name === name)
  if (group === undefined) notFound()
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[11rem_minmax(0,1fr)]">
      <DocsNav groups={groups} current={name} />
      <div className="min-w-0">
        <PageHead title={group.title} lead={group.lead} />
        <div className="mb-12">
          <OperationList operations={listed(group)} page="" />
        </div>
        <div className="docs-article">
          <LanguageChoice languages={[...callLanguages]} />
          {group.operations.map((listed) => (
            <OperationEntry
              key={listed.id}
              listed={listed}
              groups={groups}
              components={document.components.schemas}
              responses={document.components.responses}
              baseUrl={config().baseUrl}
            />
          ))}
        </div>
      </div>
    </div>
  )
})
