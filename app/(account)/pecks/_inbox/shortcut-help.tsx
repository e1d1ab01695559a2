'use client'

import { Modal } from '@/components/ui/modal'
import { useShortcutChoice } from './shortcut-choice'

const shortcuts = [
  ['j', 'Next request'],
  ['k', 'Previous request'],
  ['a', 'Approve. For a high risk, this only selects the Approve button: hold or confirm it'],
  ['r', 'Not now'],
  ['u', 'Undo the last approval, for ten seconds'],
  ['/', 'Search'],
  ['?', 'This help'],
] as const

/** Explains the shortcuts, and turns them off. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const { isOn, turn } = useShortcutChoice()
  return (
    <Modal title="Keyboard shortcuts" closeLabel="Close" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2 text-sm">
        {shortcuts.map(([key, words]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="inline-grid min-w-7 place-items-center rounded-control border border-edge bg-sunken px-1.5 py-0.5">
                {key}
              </kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
        <dt>
          <kbd className="rounded-control border border-edge bg-sunken px-1.5 py-0.5 whitespace-nowrap">
            Ctrl K, ⌘ K
          </kbd>
        </dt>
        <dd>Go to a page, an agent or a request</dd>
      </dl>
      <label className="flex min-h-11 items-center gap-3 text-sm">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => turn(target.checked)}
          className="size-5 accent-accent"
        />
        <span>
          Use the keys <kbd>j k a r u / ?</kbd> in this browser
        </span>
      </label>
    </Modal>
  )
}
