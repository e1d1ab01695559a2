import { Duck } from '@/components/duck'
import { PicturePage } from '@/components/picture-page'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'

/** Answers for unknown handles and for those of people whom the viewer may not see, with status 404. */
export default function NoSuchPerson() {
  return (
    <PicturePage
      title={m.people_no_such_handle()}
      lead={m.people_not_found_body()}
      picture={(size) => <Duck id="lost" size={size} />}
    >
      <p className="border-t border-line pt-4">
        <Link href="/directory" className="inline-flex min-h-11 items-center font-semibold underline">
          {m.people_search_the_directory()}
        </Link>
      </p>
    </PicturePage>
  )
}
