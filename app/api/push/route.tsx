import { api } from '@/app/_web/api'
import { sameOriginRoute } from '@/app/_web/download'
import { parseObject } from '@/app/_web/form'
import { isMomentForPhone } from '@/app/_web/phone'
import type { BodyOf } from '@/app/beak/_api/lines'
import { m } from '@/lib/kernel/messages'
import { deviceWords } from '@/lib/kernel/request/device'
import { readLimited } from '@/lib/kernel/runtime/read-limited'

const bytesMax = 5_000

/** Returns the key to subscribe with when now is the moment to offer push messages, else null. */
export const GET = sameOriginRoute(async () => {
  const key = (await isMomentForPhone()) ? await api('GET /beak/channel/push-key') : null
  return Response.json({ publicKey: key?.ok ? key.data.public_key : null })
})

/**
 * Adds the subscription with which a browser has replaced an ended one. Its worker sends it, so nobody can confirm the change: a refusal
 * is answered with the notification to show, which leads to the page where it is switched on again.
 */
export const POST = sameOriginRoute(async (request) => {
  const text = await readLimited(request.body, bytesMax)
  const given = parseObject(text?.toString() ?? '') as Pick<BodyOf<'POST /beak/channel/add'>, 'subscription'>
  const name = deviceWords(request.headers.get('user-agent'))
  const added = await api('POST /beak/channel/add', {
    // The ended channel may have had no details, and nobody is there to choose them.
    body: { kind: 'push', name, subscription: given.subscription, details: false },
  })
  if (added.ok) return Response.json({})
  const notification = {
    title: m.phone_ended_title(),
    body: m.phone_ended_body(),
    navigate: 'notifications#phone',
  }
  return Response.json({ notification })
})
