import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { DeviceForm } from './device-steps'

export const generateMetadata = (): Metadata => ({
  title: m.device_connect_a_device(),
  robots: { index: false },
})

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
      <PageHead title={m.device_connect_a_device()} lead={m.device_page_intro()} />
      <div className="max-w-2xl">
        <DeviceForm code={code} />
      </div>
    </>
  )
})
