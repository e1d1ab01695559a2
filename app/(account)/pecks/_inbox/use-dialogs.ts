'use client'

import { useEffect, useRef, useState } from 'react'
import type { Blockable } from '@/app/_shell/palette/commands'
import type { BulkDecision } from './bulk'
import type { InboxRow } from './row'

/** The question that the inbox asks in a dialog. */
export type Asked =
  | { kind: 'decide'; decision: BulkDecision; rows: InboxRow[] }
  | { kind: 'block'; duckling: Blockable }

/** The dialog of the inbox. `onClosed`: called after the dialog has gone. */
export function useDialogs(onClosed: () => void) {
  const [asked, ask] = useState<Asked | null>(null)
  const wasOpen = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once after each dialog
  useEffect(() => {
    if (wasOpen.current && asked === null) onClosed()
    wasOpen.current = asked !== null
  }, [asked])
  return { asked, ask, close: () => ask(null) }
}
