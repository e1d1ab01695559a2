/**
 * Records what other programs change from the end of the page on, until the scripts of the page have arrived (`early-changes.ts`). Only a
 * script in the page runs so early. Stands at the end of the page, where all of its elements are there.
 */
import { headers } from 'next/headers'

const script = `(()=>{const records=[],observer=new MutationObserver(more=>{records.push(...more)});
observer.observe(document.body,{childList:true,subtree:true});window.beakChanges={records,observer}})()`

export async function WatchScript() {
  return (
    <script
      // The browser hides the nonce from React.
      suppressHydrationWarning
      nonce={(await headers()).get('x-nonce') ?? undefined}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a fixed text
      dangerouslySetInnerHTML={{ __html: script }}
    />
  )
}
