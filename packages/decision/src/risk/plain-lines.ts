/** Whether one line of the content, `name=value`, names nobody whom the request reaches and nothing that happens besides. */

/** Names that hold an address without reaching anybody: whose mail it is, or the page to look at. */
const sourceName =
  /^(?:from|sender|organi[sz]er|author|calendar|calendar_id|q|query|search|filter|keyword|keywords|thread|user|email|customer|client|requester|requested_by)$/
const pageName =
  /^(?:[^=]*_)?(?:url|uri|link|href|page|site|website|source|src|post|feed|repo|repository|docs|article|shop|image|video|product|listing)$/
const draftName = /^(?:to|cc|recipient|recipients|for|customer|client|attendees|an)$/
const prose = /^(?:title|name|text|note|notes|description|question|subject|content|item|items|options)$/
const address =
  /[^\s@]{1,64}@[^\s@]{1,80}\.[a-z]|\b[a-z][a-z0-9+.-]{1,20}:\/\/(?!localhost|127\.0)|(?:^|\s)\+\d[\d ()-]{7,}|\b[a-z]{2}\d{2}[a-z0-9]{11,30}\b|\b0x[0-9a-f]{8,}|(?:^|\s)(?![./~])(?:[\w-]{1,63}\.){1,8}(?:com|net|org|io|me|app|co|cc|ru|cn|tk|xyz|to|sh|ly|link|page|dev|tld|info|biz|ai)\/\S|(?:^|\s)@[a-z0-9_]{2,}/

/** Words in the names of params that make a request more than what its action says, whatever they do. */
const besides =
  /(?:^|_)(?:notify|notif\w*|invite\w*|guests_to|cc|auto\w*|buy\w*|purchas\w*|pay(?!ment_status)\w*|charge(?!r)\w*|deposit|tip|donat\w*|transfer\w*|refund\w*|checkout|place_order|order_now|subscribe\w*|book_now|confirm(?:ed)?|submit\w*|publish\w*|post_as|announce\w*|send\w*|share\w*|shared?_with|forward\w*|upload\w*|export\w*|sync\w*|mirror\w*|copy_?to|push\w*|deploy\w*|email_to|mail_to|message_to|reply\w*|run|exec\w*|eval\w*|script|js|javascript|hook\w*|webhook\w*|callback\w*|trigger\w*|then|after\w*action|on_(?!sale|time|board|date|stock|site|foot)\w+|cancel\w*|delet\w*|remov\w*|eras\w*|drop\w*|purg\w*|wip\w*|overwrit\w*|replac\w*|reset\w*|revok\w*|unlock\w*|open_(?!now|only|air|until|on)\w+|grant\w*|allow\w*|permit\w*|enable(?!d)\w*|disable(?!d)\w*|unattended\w*|access\w*|permission\w*|role|stealth\w*|hidden|silent\w*|reveal\w*|decrypt\w*|raw_\w*|include_?(?:content|body|secret|value|token|password|attachment|private)\w*|unmask\w*|show_?(?:secret|value|password|token)\w*|reboot|restart|shutdown|merge|accept(?!s_new|ed_only)\w*|sign(?:ature|_as)?|mark_(?:read|done|seen)|archive\w*|proxy|tunnel|viewer|spy|weiterleit\w*|senden|loeschen|loschen|zahlen|kaufen|teilen|envoyer|supprimer|payer|acheter|partager|enviar|borrar|eliminar|pagar|comprar|compartir|inviare|cancellare|pagare|comprare|condividere|verwijderen|betalen|kopen|delen|sturen)(?:_|$)/
const nothing = /^(?:false|no|0|none|null|never|off|nein|non|nee|)$/
/** When something happens, or how many take part: `send_at: "2026-12-01"`, `participants: 4`. */
const isTimeOrCount = (name: string, value: string) =>
  /^\d[\d:.t +z/-]*$/.test(value) &&
  /(?:_(?:at|date|on|by|before|after|since|count)|(?:^|_)(?:attendees|participants|run|reset|drop\w*))$/.test(
    name,
  )

/** A request that says it is no rehearsal, or changes something over HTTP. */
const isReal =
  /(?:^|_)(?:dry_?run|preview|simulat\w*|test_?mode|sandbox|draft|only_\w+)=(?:false|no|0|off)$|(?:^|_)(?:method|verb)=(?:post|put|patch|delete)$/

/** Whether a value says nothing that happens besides the action. `isDraft`: a text that nobody gets may name whom it is for. */
export function isPlainLine(line: string, isDraft: boolean, invites = true): boolean {
  if (isReal.test(line)) return false
  if (
    invites &&
    /^(?:[^=]*_)?(?:attendees?|participants?|members?|people)=(?!(?:self|me|\d*|false|\{)?$)[^=\n]*@/.test(
      line,
    )
  )
    return false
  if (/^dry_run=(?:true|yes|1)$|_ids?=[\w.-]*$/.test(line)) return true
  const at = line.indexOf('=')
  const [name, value] = [line.slice(0, at), line.slice(at + 1)]
  if (besides.test(name) && !nothing.test(value) && !isTimeOrCount(name, value))
    return isDraft && draftName.test(name)
  if (value === '{' || !address.test(value)) return true
  if (/^@[\w-]+\/[\w.-]+$|^[a-z]+\/[a-z.+-]+$/.test(value)) return true
  if (sourceName.test(name)) return !/:\/\//.test(value)
  if (pageName.test(name)) return true
  return (isDraft && draftName.test(name)) || (prose.test(name) && !/:\/\/|@/.test(value))
}
