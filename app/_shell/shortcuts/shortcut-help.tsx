'use client'

import { Modal } from '@/components/ui/modal'
import { useShortcutChoice } from './shortcut-choice'
import { goPages, inboxShortcuts, keysOf, pageShortcuts, type Shortcut } from './shortcuts'

/** Explains the shortcuts, and turns them off. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const { isOn, turn } = useShortcutChoice()
  return (
    <Modal title="Keyboard shortcuts" closeLabel="Close" onClose={onClose}>
      <label className="flex min-h-11 items-center gap-3 text-sm">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => turn(target.checked)}
          className="size-5 accent-accent"
        />
        <span>Use keys without Ctrl or ⌘ in this browser</span>
      </label>
      <Keys title="Inbox" rows={Object.values(inboxShortcuts).map(rowOf)} />
      <Keys
        title="All pages"
        rows={[
          { keys: 'Ctrl K, ⌘ K', words: 'Go to a page, an agent or a request, or do something' },
          ...Object.values(pageShortcuts).map(rowOf),
          ...goPages.map(({ letter, label }) => ({ keys: `g ${letter}`, words: label })),
        ]}
      />
    </Modal>
  )
}

const rowOf = (shortcut: Shortcut) => ({ keys: keysOf(shortcut), words: shortcut.words })

function Keys({ title, rows }: { title: string; rows: { keys: string; words: string }[] }) {
  return (
    <section>
      <h3 className="mb-2 font-sans text-sm font-semibold">{title}</h3>
      <dl className="grid grid-cols-[6.5rem_1fr] items-baseline gap-x-4 gap-y-2 text-sm">
        {rows.map(({ keys, words }) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="inline-grid min-w-7 place-items-center rounded-control border border-edge bg-sunken px-1.5 py-0.5 whitespace-nowrap">
                {keys}
              </kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
