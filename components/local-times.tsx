/**
 * Keeps the cookie with the time zone of the browser up to date, so that the server writes times in that zone. In a first view, and
 * after a journey, the server did not have the zone: then the script also changes the times of the page, before the browser
 * paints it and before React starts. It is small, and runs before everything else, so it is part of the page.
 */
import { headers } from 'next/headers'
import { readersLocale } from '@/components/ui/time-words'
import { zoneCookie } from '@/components/ui/zone'
import { day } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'

function script(attributes: string, locale: string): string {
  return `(()=>{try{
const zone=Intl.DateTimeFormat().resolvedOptions().timeZone,pair=${JSON.stringify(`${zoneCookie}=`)}+zone;
if(!zone||document.cookie.split('; ').includes(pair))return;
document.cookie=pair+${JSON.stringify(attributes)};
if(zone==='UTC')return;
const make=o=>new Intl.DateTimeFormat(${JSON.stringify(locale)},{...o,timeZone:zone});
const forms={day:make({dateStyle:'long'}),full:make({dateStyle:'medium',timeStyle:'short'})};
for(const time of document.querySelectorAll('time[data-form]')){
const form=forms[time.dataset.form];
if(form){time.textContent=form.format(new Date(time.dateTime));time.dataset.print=time.title}
}
}catch{}})()`
}

/** The script, at the end of the page. */
export async function LocalTimes() {
  const { basePath, baseUrl } = config()
  const attributes = [
    `; Path=${basePath || '/'}`,
    `Max-Age=${365 * day}`,
    'SameSite=Lax',
    ...(baseUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ')
  return (
    <script
      // The browser hides the nonce from React.
      suppressHydrationWarning
      nonce={(await headers()).get('x-nonce') ?? undefined}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a fixed text with values of the configuration
      dangerouslySetInnerHTML={{ __html: script(attributes, readersLocale()) }}
    />
  )
}
