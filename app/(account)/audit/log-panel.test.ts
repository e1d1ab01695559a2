import { createElement } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { inPageRequest } from '@/lib/fixtures/page-request'
import { ContinuedLogNotice } from './continued-log-notice'
import { LogPanel, type PanelProof, panelProofOf } from './log-panel'

const entry = {
  index: 1203,
  kind: 'chain_head',
  digest: '',
  data: '',
  leaf_hash: '',
  duckling_id: '',
} as const
const proof: ResponseOf<'GET /beak/audit/proof'> = {
  origin: 'localhost:3000/.well-known/tlog',
  checkpoint: '',
  tree_size: 20_000,
  signed_at: '2026-11-21T20:00:00.000Z',
  cosignatures: 0,
  root_hash: '',
  vkeys: [],
  continues: null,
  entry: { ...entry, seq: 57, hash: '', passkey_id: null },
  inclusion: [],
  consistency: null,
}

/** Renders the panel as a part of a page, without the comments between texts. */
async function render(given: PanelProof): Promise<string> {
  const { result } = await inPageRequest({}, async () => {
    const stream = await renderToReadableStream(createElement(LogPanel, { proof: given }))
    return new Response(stream).text()
  })
  return result.replaceAll('<!-- -->', '')
}

describe('LogPanel', () => {
  it('shows the entry, the size, the time and a link to the proof', async () => {
    const html = await render(proof)
    expect(html).toContain('Index 1,203, covers your first 57 events')
    expect(html).toContain('20,000 entries')
    expect(html).toContain('21 Nov 2026')
    expect(html).toContain('href="/api/audit/proof"')
    expect(html).not.toContain('Witnesses')
  })

  it('lists the newest entries with the requests that they are about, and says what is left out', async () => {
    const own = (index: number) => ({
      index,
      kind: 'decided' as const,
      digest: '',
      passkey_id: null,
      subject_id: `PECK-${index}`,
      logged_at: proof.signed_at,
    })
    const html = await render({ ...proof, own_entries: [3, 2].map(own), has_more: false })
    expect(html).toContain('Decision')
    expect(html).toContain('href="/pecks/PECK-3"')
    expect(html).not.toContain('These are the newest')
    const many = Array.from({ length: 30 }, (_, index) => own(30 - index))
    const cut = await render({ ...proof, own_entries: many, has_more: false })
    expect(cut).toContain('These are the newest 20.')
    expect(cut).not.toContain('PECK-10"')
    expect(await render({ ...proof, own_entries: [], has_more: false })).not.toContain('Your entries')
  })

  it('counts the witnesses that cosigned', async () => {
    expect(await render({ ...proof, cosignatures: 1 })).toContain('Confirmed by 1 independent witness<')
    expect(await render({ ...proof, cosignatures: 2 })).toContain('Confirmed by 2 independent witnesses<')
  })

  it.each<PanelProof>(['pending', { ...proof, entry: null, inclusion: null }])(
    'says when the first entry comes and offers no proof before',
    async (given) => {
      const html = await render(given)
      expect(html).toContain('Your newest events are added within a minute.')
      expect(html).not.toContain('/api/audit/proof')
    },
  )

  it('reports a pending entry only when the log has no checkpoint yet', () => {
    const refused = (status: number) =>
      panelProofOf({
        ok: false,
        problem: { status, code: '', reason: 'invalid_request', detail: '', action: '' },
      })
    expect([404, 429, 500, 503].map(refused)).toEqual(['pending', 'failed', 'failed', 'failed'])
    expect(panelProofOf({ ok: true, data: proof })).toBe(proof)
  })

  it('says that the proof could not be read', async () => {
    const html = await render('failed')
    expect(html).toContain('read the transparency log just now. Reload this page to try again.')
    expect(html).not.toContain('within a minute')
    expect(html).not.toContain('/api/audit/proof')
  })
})

describe('ContinuedLogNotice', () => {
  it('names the old log, says when the new one began, and what to do', async () => {
    const continued = {
      origin: 'beak.example/.well-known/tlog',
      checkpoint: '',
      at: '2026-11-24T10:00:00.000Z',
    }
    const { result } = await inPageRequest({}, async () => {
      const stream = await renderToReadableStream(createElement(ContinuedLogNotice, { continued }))
      return new Response(stream).text()
    })
    expect(result).toContain('beak.example/.well-known/tlog')
    expect(result).toContain('2026-11-24T10:00:00.000Z')
    expect(result).toContain('Keep the proofs and exports that you saved before.')
  })
})
