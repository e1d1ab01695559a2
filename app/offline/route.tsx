import { escapeXml } from '@/app/badge/badge-svg'
import { withBasePath } from '@/components/base-path'
import { shareColours } from '@/components/share-sheet'
import { m } from '@/lib/kernel/messages'
import { currentLanguage } from '@/lib/kernel/text/language'

const { accent, ground, ink, soft } = shareColours

/**
 * The page that the service worker keeps and shows while the service cannot be reached. It has its style in itself, because nothing else
 * loads then, and says nothing about an account. "Try again" opens the address of the page that failed.
 */
export function GET(): Response {
  const [title, lead, retry] = [
    m.problem_beak_cant_be_reached(),
    m.problem_offline_lead(),
    m.problem_try_again(),
  ].map(escapeXml)
  const html = `<!doctype html>
<html lang="${currentLanguage()}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Beak</title>
<style>
:root { color-scheme: light dark }
body { display: grid; place-content: center; justify-items: center; min-height: 100dvh; margin: 0; padding: 24px; box-sizing: border-box;
  background: light-dark(${ground}, #0f1514); color: light-dark(${ink}, #eef1ec); font: 1.0625rem/1.6 system-ui, sans-serif; text-align: center }
h1 { margin: 24px 0 8px; font-size: 1.75rem; line-height: 1.15 }
p { max-width: 28rem; margin: 0 0 24px; color: light-dark(${soft}, #a9b6b1) }
a { padding: 12px 20px; color: light-dark(${accent}, #ffb163); font-weight: 600 }
</style>
<main>
<img src="${withBasePath('/icon.svg')}" width="96" height="96" alt="">
<h1>${title}</h1>
<p>${lead}</p>
<a href="">${retry}</a>
</main>
`
  return new Response(html, {
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache' },
  })
}
