import { Card } from '@/components/ui/surface'
import type { DecidingViewer } from '../_decision/peck-decision'
import { RequestView } from '../_decision/request-view'
import type { ShownPeck } from '../_peck/reads'

export interface DetailViewer extends DecidingViewer {
  hasPasskey: boolean
  /** The time zone of the browser. Null: unknown. */
  zone: string | null
}

interface RequestDetailProps {
  request: ShownPeck
  viewer: DetailViewer
  now: number
}

/**
 * The selected request with its facts and the decision. The server renders the first one. The browser renders the others, and loads this
 * module for them when the person begins to use the inbox.
 */
export default function RequestDetail({ request, viewer, now }: RequestDetailProps) {
  const { hasPasskey, zone } = viewer
  return (
    <Card>
      <RequestView {...request} viewer={viewer} hasPasskey={hasPasskey} zone={zone} now={new Date(now)} />
    </Card>
  )
}
