'use client'

import { m } from '@/lib/kernel/messages'
/** Stands in the place of a part of the page that is no longer there after an update of Beak. The page and what was typed stay. */
export function UpdatedNotice() {
  return (
    <p role="alert" className="rounded-control bg-warn-wash px-4 py-3 text-sm text-warn">
      {m.common_updated_copy_draft_notice()}{' '}
      <button type="button" onClick={() => window.location.reload()} className="font-semibold underline">
        {m.common_reload_the_page()}
      </button>
      .
    </p>
  )
}
