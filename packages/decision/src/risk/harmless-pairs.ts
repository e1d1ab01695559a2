/** Things and verbs that only go together: places to look something up, work on files, tools of developers. `harmless.ts` reads them. */
import { closeNouns, placeNouns } from './harmless-words'
import { setOf } from './words'

const both = (left: ReadonlySet<string>, right: ReadonlySet<string>) => new Set([...left, ...right])

/** Programs and services that say where something is looked up, before or after the verb. */
export const places = both(
  placeNouns,
  setOf(`
  hass s3 gcs aws gcp azure outlook office calendly zoom meet teamup ynab splitwise wolframalpha openweather tmdb imdb yelp maps places bing ddg duckduckgo kagi arxiv pubmed zotero calibre anki pocket raindrop feedly sonarqube codecov circleci travis buildkite datadog honeycomb newrelic loki tempo jaeger argocd argo bundler composer swift swiftlint gradle rustc ghc dotnet cmake ninja meson conda mamba poetry ollama huggingface jupyter pandas excel word powerpoint keynote numbers pages
  adb analyzer android app apple bash bazel bigquery bitbucket booking bq browser bun cargo cal caldav chrome chromium ci confluence css ctags dart datadog db deno doctolib docker dotnet drive dropbox duckdb elastic eslint evernote expo figma files firefox
  flutter fs gdrive gh git github gitlab gmail golang google gradle grafana grep gsheets helm hg homeassistant hubspot ical icloud imap ios jest jira js k8s kibana kubectl kubernetes lightroom linear lsp make maps maven mcp mongo mongodb mutt mysql nas netflix next nextcloud
  node notion npm npmjs nuget obsidian onedrive outlook pip pipenv playwright pnpm podman poetry postgres postgresql postman prettier prisma prom prometheus pronote psql pylint pypi pytest python redis ripgrep rg ruby rubygems rust rustfmt sentry sf sheets simulator sip slack smarthome sncf sonos spotify sql
  sqlite stackoverflow svn teams terraform todoist toggl trello ts tsc turbo typescript uv vercel vite vitest vscode webpack wikipedia wolfram xcode yarn youtube yaml deezer things ticktick crates crate kodi plex trakt letterboxd goodreads strava garmin fitbit pinterest tado hue shelly home house pet vet swim
  fridge oven washing lsp tm i18n ocr lighthouse exif png pdf url regex http https web page rss feed md markdown csv xlsx docx json toml xml latex html graph graphql openapi protobuf schema dns ssl whois ip db database dns databases parser hover outdated info top health healthcheck routes`),
)

/** What belongs to the person and only her own agent reads: her money, her contacts, her messages. */
export const close = both(
  closeNouns,
  setOf(
    'account accounts balance balances bank banking contact contacts transaction transactions spending saving savings subscription subscriptions sms chat chats inbox imap transcript contract contracts plan membership memberships loyalty points mileage trip loan loans cart basket sensor meter state device devices automation automations routine routines windows visa quota',
  ),
)

/** Things with verbs of their own, in the order of the alphabet. */
export const pairs = setOf(`
  alarm-arm alarm-arm-system car-preheat car-precool car-warm changes-commit change-commit commit-git commit-work cart-add basket-add add-cart-shopping cart-update basket-update photo-tag photos-tag album-tag photos-sort photo-rotate photo-favourite photo-favorite
  door-lock door-front-lock car-lock close-garage close-window close-gate count-steps stage-changes branch-create-git branch-git git-tag-list git-stash-list git-fetch fetch-git git-worktree-list add-git album-create browser-open open-page open-tab open-url open-website browser-screenshot screenshot-page screenshot-tab browser-screenshot-take
  email-label label-mail label-mails add-email-label add-label-mail emails-label gmail-label channel-set-tv plug-set plant-water plants-water garden-plants-water water-garden announce-speaker create-draft-gmail create-draft-mail create-draft-email draft-email-save create-draft-invoice draft-invoice create-draft-quote
  alarm-clock-set alarm-set set-timer set-tv-volume file-image-resize image-resize crop-image convert-image compress-image images-convert compress-pdf merge-pdf split-pdf rotate-pdf convert-pdf file-unzip ocr-scan build-project build-docker docker-ps git-show diff-git blame-git kubectl-logs docker-logs docker-images logcat-adb helm-template helm-lint launch-simulator
  doctor-expo describe-kubectl top-kubectl query-timetable audit-dependencies audit-dependency audit-npm bench-run bundle-size-check check-package-json tests-list fmt-terraform plan-route apply-preset call-schedule-video generate-test generate-tests storybook-build run-lighthouse check-links check-link ping-host subtitle-sync write-note write-notes loans-renew renew-loan book-library-renew
  edit-row-sheet print-preview write-journal export-calendar-pdf run-test test-run tests-run test-suite-run lint-run glob-files files-glob logs-tail tail-logs tail-log compose-logs-docker docker-compose-logs docker-compose-ps find-lost-phone locate-phone ring-phone budget-make-shopping reconcile-preview preview-reconcile draft-rsvp rsvp-draft bill-split-calculate split-bill-calculate calculate-split bill-share-calculate compare-phone-plans unit-tests-generate profile-app preview-site install-check-pod check-install-pod checkout-git create-page-notion save-draft-blog blog-draft-save add-row-sheet append-row-sheet update-cell-sheet storybook-start dev-server-start start-dev-server review-pull-request review-pr screenshot-simulator simulator-screenshot-take export-invoices export-timesheet-pdf tokens-estimate estimate-tokens count-tokens tokens-count playwright-navigate playwright-snapshot browser-snapshot navigate-browser
  hours-report report-time report-expenses explain-medical-term define-medical-term show-record record-programme pack-list packing-list create-branch calendar-event-create list-shopping-remove list-item-remove library-loans-renew library-loan-renew arm-system open-file-editor reservation-table-book`)

/** Work on files and at home that makes a new copy, or prints one: verbs, and what they may be done to. */
export const crafts: readonly (readonly [ReadonlySet<string>, ReadonlySet<string>])[] = [
  [
    setOf('print imprimir imprimer drucken drucke stampa stampare drukuj afdrukken'),
    setOf(
      'document documents file page pages recipe recipes list worksheet worksheets label labels photo photos calendar plan timetable sheet homework template map ticket tickets crossword sudoku menu checklist documento documentos dokument arquivo fichier',
    ),
  ],
  [
    setOf(
      'resize crop rotate compress convert minify optimise optimize format prettify beautify thumbnail flip trim normalise normalize downscale upscale grayscale concat join split merge render export transcode sharpen denoise stitch',
    ),
    setOf(
      'image images photo photos picture pictures svg svgs css js html json yaml toml markdown audio video clip icon icons pdf pdfs screenshot screenshots code file thumbnail thumbnails chart csv gif png jpg webp wav mp3 preview subtitles',
    ),
  ],
  [
    setOf('rename label tag sort organise organize group favourite favorite rate arrange'),
    setOf(
      'photo photos picture pictures album albums playlist playlists song songs track tracks bookmark bookmarks note notes recipe recipes book books screenshot screenshots variable symbol function list lists',
    ),
  ],
  [
    setOf('create generate make render build plot draw'),
    setOf(
      'qr qrcode palette color colour chart histogram diagram timeline thumbnail thumbnails mockup wireframe icon icons favicon collage worksheet flashcard flashcards quiz crossword moodboard setlist setlists playlist playlists barcode infographic graph heatmap mindmap mind gantt sitemap slides outline template budget code invoice draft',
    ),
  ],
  [setOf('remind'), setOf('me myself')],
  [
    setOf('start stop pause resume begin restart'),
    setOf('timer tracker stopwatch pomodoro metronome countdown time clock focus workout'),
  ],
  [setOf('extend renew'), setOf('library loan loans book books bibliotheksbuch biblioteca')],
  [setOf('edit'), setOf('playlist note notes draft todo list recipe')],
]

/** Verbs of work on files, which only some things may have (`crafts`). */
export const craftVerbs = setOf(
  'print imprimir imprimer drucken drucke stampa stampare drukuj afdrukken resize crop rotate compress minify optimise optimize prettify beautify flip trim normalise normalize downscale upscale grayscale concat transcode sharpen denoise stitch remind renew extend',
)

/** What is known of a thing, as the last word of an action without a verb: `train:schedule`, `movies:showtimes`. */
export const facts = setOf(
  'schedule schedules timetable timetables showtimes showtime forecast forecasts hours prices price menu departures departure arrivals arrival status score scores standings fixtures results weather news stock times map route routes events reviews opening fahrplan wetter horaires horarios orari previsioni previsao rozklad',
)

/** What tools of developers do with a word of their own. Null: anything else that they do is not known. */
export const tools: Readonly<Record<string, ReadonlySet<string>>> = {
  git: setOf(
    'status log diff show blame fetch describe shortlog grep branches list-branches list_branches branch-list tag-list list-tags stash-list commit create-branch branch-create branch-current current-branch add stage reflog ls-files',
  ),
  gh: setOf(
    'get-issue list-issues pr-checks pr-list pr-view issue-list issue-view run-list run-view list-prs search-code get-pr',
  ),
  kubectl: setOf('get describe logs top explain version events'),
  k8s: setOf('get describe logs top explain list-pods get-pods events'),
  docker: setOf('ps images logs stats version list build compose-ps list-containers list-images'),
  helm: setOf('list status history lint template'),
  terraform: setOf('validate fmt version show-plan'),
  npm: setOf('view outdated ls list audit info search test run-test run-lint run-build'),
  cargo: setOf('check test clippy fmt tree doc build outdated audit'),
  psql: setOf('describe list-tables'),
  lsp: setOf('hover definition references symbols diagnostics'),
}

export const rooms = setOf(
  'kitchen living room bedroom bathroom hallway office garden balcony home house kids children climate media player wohnzimmer kuche bad schlafzimmer salon cuisine chambre',
)

export const drafted = setOf(
  'answer apology application card cover email invitation invite letter mail message offer post proposal quote quotation reply response report speech story tweet newsletter pitch invoice essay poem toast caption pr commit release readme changelog alt text bio slogan obituary complaint reminder estimate receipt agenda birthday gift gifts party quiz diagram code test tests component function summary cv resume',
)

export const computed = setOf(
  'vat tax taxes mortgage loan interest rent salary bmi percentage gift gifts present currency money budget cost costs area volume distance calories golden hour fraction equation age days duration unit units wedding outfit name names present presents term medical-term hours diagram',
)

export const appointments = setOf(
  'appointment appointments vet dentist doctor hairdresser barber haircut physio optician checkup check-up termin cita rendezvous orthodontist pediatrician paediatrician consultation slot viewing visit',
)

export const calendars = setOf(
  'calendar family work kanban shopping grocery todo list item school meal weekly',
)
