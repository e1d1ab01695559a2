'use client'

import { type ChangeEvent, type DragEvent, Suspense, useEffect, useRef, useState } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { buttonClass } from '@/components/ui/button'
import { m } from '@/lib/kernel/messages'
import { takeHanded } from './handed-receipt'
import type { Judgement, OwnKeys, PastedKeys } from './judge'

/** Loads the check and its result together, when somebody starts to use them. After that, no connection is needed. */
const load = () => Promise.all([import('./judge'), import('./receipt-result')])

const Result = lazyPart(async () => (await load())[1])

/** Larger than any receipt. */
const bytesMax = 262_144

/** Takes a receipt as a file, dropped or pasted, and checks it in this browser. */
export function ReceiptCheck({ own }: { own: OwnKeys }) {
  const [text, setText] = useState('')
  const [judgement, setJudgement] = useState<Judgement | null>(null)
  const [used, setUsed] = useState<PastedKeys | null>(null)
  const [isDragOver, setIsDragOver] = useState(false)
  // Counts the checks. Only the result of the latest one is shown.
  const turn = useRef(0)

  /** Checks the receipt. Returns what is wrong with the pasted keys, or null. */
  async function check(receipt: string, pasted: PastedKeys | null = null): Promise<string | null> {
    const thisTurn = ++turn.current
    setText(receipt)
    // The verdict of another receipt must not stay while this one is checked, or when the check fails.
    if (pasted === null) setJudgement(null)
    const [{ judge, readGiven }] = await load()
    const given = pasted === null ? null : readGiven(pasted)
    if (typeof given === 'string') return given
    const next = await judge(receipt, own, given)
    if (thisTurn === turn.current) {
      setJudgement(next)
      setUsed(pasted)
    }
    return null
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    const handed = takeHanded()
    if (handed !== null) void check(handed)
  }, [])

  async function read(file: File | undefined): Promise<void> {
    if (file === undefined) return
    await check(file.size > bytesMax ? '' : await file.text())
  }

  function drop(event: DragEvent): void {
    event.preventDefault()
    setIsDragOver(false)
    void read(event.dataTransfer.files[0])
  }

  return (
    <div className="grid gap-10">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is optional; the fields inside work for everyone */}
      <div
        onFocusCapture={() => void load()}
        onPointerEnter={() => void load()}
        onDragOver={(event) => {
          event.preventDefault()
          setIsDragOver(true)
        }}
        onDragLeave={() => setIsDragOver(false)}
        onDrop={drop}
        className={`grid gap-6 rounded-card border border-dashed px-5 py-6 sm:px-8 ${isDragOver ? 'border-accent bg-accent-wash' : 'border-edge'}`}
      >
        <FileField onChange={(event) => void read(event.target.files?.[0])} />
        <form
          className="grid gap-1.5"
          onSubmit={(event) => {
            event.preventDefault()
            void check(String(new FormData(event.currentTarget).get('receipt') ?? ''))
          }}
        >
          <label htmlFor="receipt" className="text-sm font-semibold">
            {m.receipts_receipt_text()}
          </label>
          <textarea
            id="receipt"
            name="receipt"
            rows={4}
            required
            spellCheck={false}
            autoComplete="off"
            className="w-full rounded-control border border-edge bg-surface px-3 py-2 font-mono text-sm text-ink"
          />
          <button type="submit" className={buttonClass('primary', 'mt-2 justify-self-start')}>
            {m.receipts_check_receipt()}
          </button>
        </form>
      </div>
      <div aria-live="polite">
        {judgement === null ? null : (
          <Suspense fallback={null}>
            <Result
              key={turn.current}
              judgement={judgement}
              pasted={used}
              onKeys={(pasted) => check(text, pasted)}
              issuer={own.issuer}
            />
          </Suspense>
        )}
      </div>
    </div>
  )
}

function FileField({ onChange }: { onChange: (event: ChangeEvent<HTMLInputElement>) => void }) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor="receipt-file" className="text-sm font-semibold">
        {m.receipts_receipt_file()}
      </label>
      <p id="receipt-hint" className="text-sm text-soft">
        {m.receipts_file_field_hint()}
      </p>
      <input
        id="receipt-file"
        type="file"
        accept="application/json,.json"
        aria-describedby="receipt-hint"
        onChange={onChange}
        className="min-h-11 w-full text-sm file:me-4 file:min-h-11 file:cursor-pointer file:rounded-control file:border file:border-solid file:border-edge file:bg-surface file:px-4 file:font-semibold file:text-ink"
      />
    </div>
  )
}
