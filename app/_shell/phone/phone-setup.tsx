import { read } from '@/app/_web/page-read'
import { pushChannels } from '@/app/_web/phone'
import { PhoneChannel } from './phone-channel'

/** "Get requests on this device", for the page of the channels. */
export async function PhoneSetup() {
  const { public_key } = await read('GET /beak/channel/push-key')
  return <PhoneChannel publicKey={public_key} channelIds={(await pushChannels()) ?? []} />
}
