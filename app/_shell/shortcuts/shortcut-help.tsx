'use client'

import { Modal } from '@/components/ui/modal'
import { m } from '@/lib/kernel/messages'
import type { AccountPage } from '../account-pages'
import { useShortcutChoice } from './shortcut-choice'
import { inboxShortcuts, keysOf, pageShortcuts, type Shortcut } from './shortcuts'

/** Explains the shortcuts, and turns them off. */
export default function ShortcutHelp({ pages, onClose }: { pages: AccountPage[]; onClose: () => void }) {
  const { isOn, turn } = useShortcutChoice()
  return (
    <Modal title={m.keys_keyboard_shortcuts()} closeLabel={m.keys_close()} onClose={onClose}>
      <label className="flex min-h-11 items-center gap-3 text-sm">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => turn(target.checked)}
          className="size-5 accent-accent"
        />
        <span>{m.keys_bare_keys_switch_label()}</span>
      </label>
      <Keys title={m.keys_inbox()} rows={Object.values(inboxShortcuts).map(rowOf)} />
      <Keys
        title={m.keys_all_pages()}
        rows={[
          { keys: 'Ctrl K, ⌘ K', words: m.keys_go_anywhere() },
          ...Object.values(pageShortcuts).map(rowOf),
          ...pages.map(({ letter, label }) => ({ keys: `g ${letter}`, words: label() })),
        ]}
      />
    </Modal>
  )
}

const rowOf = (shortcut: Shortcut) => ({ keys: keysOf(shortcut), words: shortcut.words() })

function Keys({ title, rows }: { title: string; rows: { keys: string; words: string }[] }) {
  return (
    <section>
      <h3 className="mb-2 font-sans text-sm font-semibold">{title}</h3>
      <dl className="grid grid-cols-[6.5rem_1fr] items-baseline gap-x-4 gap-y-2 text-sm">
        {rows.map(({ keys, words }) => (
          <div key={keys} className="contents">
            <dt>
              <kbd
                translate="no"
                className="inline-grid min-w-7 place-items-center rounded-control border border-edge bg-sunken px-1.5 py-0.5 whitespace-nowrap"
              >
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
