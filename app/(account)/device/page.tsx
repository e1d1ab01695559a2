import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { PageHead } from '@/components/ui/surface'
import { DeviceForm } from './device-steps'

export const metadata: Metadata = { title: 'Connect a device', robots: { index: false } }

interface PageProps {
  /** `user_code`: the code of a link that a device showed. */
  searchParams: Promise<{ user_code?: string | string[] }>
}

/** Approves the sign-in of a command line or another device without a browser. */
export default withProblemPage(async function DevicePage({ searchParams }: PageProps) {
  const given = (await searchParams).user_code
  const code = typeof given === 'string' ? given.slice(0, 40) : ''
  await requireViewer(code === '' ? '/device' : `/device?${new URLSearchParams({ user_code: code })}`)
  return (
    <>
      <PageHead title="Connect a device" lead="Approve the sign-in of a command line or of another device." />
      <div className="max-w-2xl">
        <DeviceForm code={code} />
      </div>
    </>
  )
})
