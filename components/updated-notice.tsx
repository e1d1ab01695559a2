'use client'

/** Stands in the place of a part of the page that is no longer there after an update of Beak. The page and what was typed stay. */
export function UpdatedNotice() {
  return (
    <p role="alert" className="rounded-control bg-warn-wash px-4 py-3 text-sm text-warn">
      Beak was updated while this page was open. Copy what you typed, then{' '}
      <button type="button" onClick={() => window.location.reload()} className="font-semibold underline">
        reload the page
      </button>
      .
    </p>
  )
}
