/**
 * Keeps the cookie with the time zone of the browser up to date, so that the server writes times in that zone. In a first view, and
 * after a journey, the server did not have the zone: then the script also changes the times of the page, before the browser
 * paints them. It is small, and runs before everything else, so it is part of the page. The first use of `Intl` took a
 * browser on a busy server 45 to 150 ms before the page could be used, so a view without times asks when somebody begins to use the page.
 */
import { headers } from 'next/headers'
import { zoneCookie } from '@/components/ui/zone'
import { config } from '@/lib/kernel/config'
import { day } from '@/lib/kernel/runtime/clock'
import { readersLocale } from '@/lib/kernel/text/time-words'

function script(attributes: string, locale: string): string {
  return `(()=>{const update=()=>{try{
const zone=Intl.DateTimeFormat().resolvedOptions().timeZone,pair=${JSON.stringify(`${zoneCookie}=`)}+zone;
if(!zone||document.cookie.split('; ').includes(pair))return;
document.cookie=pair+${JSON.stringify(attributes)};
if(zone==='UTC')return;
const styles={day:{dateStyle:'long'},full:{dateStyle:'medium',timeStyle:'short'}},made={};
for(const time of document.querySelectorAll('time[data-form]')){
const {form}=time.dataset,style=styles[form];
if(!style)continue;
made[form]??=new Intl.DateTimeFormat(${JSON.stringify(locale)},{...style,timeZone:zone});
time.textContent=made[form].format(new Date(time.dateTime));time.dataset.print=time.title
}
}catch{}};
const isSeen=time=>{const box=time.getBoundingClientRect();return box.height>0&&box.top<innerHeight};
if([...document.querySelectorAll('time[data-form]')].some(isSeen))update();
else for(const event of ['pointerdown','keydown','click','scroll','resize','beforeprint'])addEventListener(event,update,{once:true,capture:true})})()`
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
