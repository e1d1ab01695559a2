/** The words of which the names of harmless params are made. A name with another word is not known to be harmless. */
import { remembered } from '../remembered'
import { namesFamily } from './harmless-families'
import { deviceNouns, modifierWords, ownNouns } from './harmless-words'
import { setOf, singular } from './words'

/** Which, when, where, how many, how it looks: in the languages of the pages and some more. */
const words = setOf(`${namesFamily}
  a accuracy acc adult adults after age agg aggregate aggregation air albumid alt altitude analyzer angle anchor any arrival arrive as asc aspect
  assignee at atomic author autostash aisle analysis ascending base based baseline basis bahncard bbox before begin below beside between billing
  birth block bold bool bound bounds brightness browser buffer buffers build bundle by bytes bcp47 c cache cached carrier case cell celsius channel
  char chars character check checkin checkout checks chunk classes cluster code codec color col cols column columns compact condition config
  confidence constraint constraints contains content context cookielang coord coordinates core count counts country countries coverage criteria cron
  ct currency current cursor cwd d data date dates datetime day days deep def default degree degrees delay delta depart departing departure depth
  desc descending description dest destination detail details device devices dialect diff difficulty dimension dir directory dirs direction discount
  display distance doc docs domain dpi dry due duration dueafter duebefore dev earliest edge editor element elevation encoding end ended ending ends
  endline entity entities entry environment env equals error errors event eventid events ex exact example examples exclude excluded exclusive
  existing expand expected expires expiry extract extension ext eur f facet fahrenheit false family fan features fee feed field fields file
  filename files filter filters find finish first fixed flexible floor focus folder folders for form format formatting fps framework freq frequency
  from full fuzzy gender geo glob grade grand granularity grep group groupby grouped guests gte gt gluten half head headed heading headless height
  high highlight hits hl home hour hourly hours html humidity hvac i icon id identifier ids image images in inc include included includes inclusive
  incremental indent index inline input inputs interval into is iso isbn isin item itemid items iata icao json jql key keyword keywords kelvin kid
  kids kind km keep l label labels lang language languages last lat latest latitude layout lead left len length level levels lib license like limit
  line lines list listid lng local locale location lon long longitude lookback lower lt lte m main major manager map mapping margin match matches
  matching max maximum meal means measure meta meter meters metric metrics mi mime min minimum minor minute minutes missing mode model module moment
  month months ms multiple mo n name named names nationality near nearby need needs nested new newer newest newline next nights no node nodes none
  not note notes now nr num number nullable namespace newstart newend object objects occasion occurrence of off offset ok older oldest on one oneline
  only op or order orderby orientation origin original other out outline output outdir over own p package packages pad page pageid pages pagesize
  pair params parent part parts party passengers path paths pattern per percent people perpage period person persons pet phase photo pick pickup
  place plain plan platform plus point points policy pool popular port portion portions position postal postcode posted power prec precision prefix
  preferences preferred presence preset previous price prices priority private problem product profile program programme progress project projects
  prompt property provider public published purpose plz q qty quality quantity query quick quiet quote r radius range rank rate rates ratio read
  readonly ready reason recent recipe recipes record recurring recurrence ref reference regex region related relative release remaining reminder
  reminders repeat repo report required resolution resource result results return returns returndate rev revision right room rooms route row rows
  rule ruleset runner running sample samples scale schedule schema score screen search season seat seats second seconds section segment select
  selected selection selector sensitivity sentences series service services servings severity sex shape short show shown shuffle side sides signal
  since single site size sizes slot slots small snippet snow sort sorting source sources space speaker spec species specs speed spoken sport stack
  staged stage start started starting startdate startline starts stat state status stay step steps stop stops store stores strategy street strict
  string strings style sub subject suction suffix suite sum summary symbol system t tab table tables tags tail target task tasks team temp
  temperature template tense term terms test tests text texts theme threads threshold thumbnail time timemax timemin timeout timerange times
  timestamp timezone title titles to today tolerance tone tool top topic topics total town tracking train transition translation transport travel
  traveler travelers traveller travellers trip true type types typing typecheck tz tva u uid unique unit units unread until up upcoming upper uri url
  urls usage use user uuid used v valid value values variant variants vat vehicle verbose version versions via view viewport visible visibility
  volume w watch weather week weekday weekdays weekend weeks weight when where which who width wind window with within without word words workdir
  workspace wrap x y year years z zone zones zip zoom yyyy all recursive specialty accepts kwh kw bullets ticker tsconfig district avoid salary rent
  balcony pets furnished bedrooms bathrooms square sqm mileage fuel gearbox horsepower urgent urgency assignees milestone reporter component
  components epic story sprint board swimlane sha job fn func function klass multiline dotall symlinks binary ast bail shard shards retries parallel
  parallelism prep cook protein carbs fat fiber sugar spicy course diners leftovers outdoor indoor smoking highchair accessible accessibility
  breakfast stars star reviews amenities bed beds baby cot stopover stopovers layover layovers luggage toll tolls highways ferries alternatives tempo
  mood decade explicit runtime grams kilograms ounces pounds litres liters cups tablespoons pascal bar mph kmh knots feet foot inch inches metre
  metres yard yards mile miles acre hectare ramp warmth nozzle soil moisture mowing cutting rinse load detergent eco economy night teacher teachers
  lesson lessons exam exams semester assignment assignments chapter chapters sentiment bullet paragraphs formality pronoun glossary dictionary
  alphabet transliterate percentile quantile resample trend comparison chart axis legend timesheet unbilled annual quarter fiscal household
  dependants dependents married marital deductible deductions allowances province working sound friendly drive bucket root headers accept what locked
  add sounds remote allergy allergies patch participant participants attendee attendees net gross amount principal income patient insurance clinic
  reverse account accounts sql db dsn database databases connection sensitive crate lockfile deny interests soc membership enabled disabled crates
  pod container deployment tid sid league pollutants pollutant situation wheelchair ignore rental dog cat diet child peer run pipeline snooze revs
  lens shutter portal fare basket dropoff leash breed goal ingredients cuisine menu vegetarian vegan restaurant hotel airline flight bus museum
  theatre cinema club court player game workload lint simulator ios android nocache crit album albums photos library catalog rating billable tarif
  heures numero client clients livraison battery odometer sensor sensors attribute attributes mop spin swing effect playlist track artist genre
  podcast episode episodes station 3d 2d i18n km2 m2 co2 pm25 h px pct rpm hz hex rgb rgba ai pdf svg png webp jpg jpeg wav mp3 mp4 srt tm vin pnr
  sku ean gtin lid ort stadt datum von bis anzahl woche tag tage monat jahr uhrzeit zeit personen sprache strasse hausnummer behoerde behorde
  anliegen bezirk ab nach quelle titel thema kategorie seite suche begriff zutaten portionen raum zimmer dauer ziel klasse fach ville jour semaine
  mois annee heure langue sujet ton gare sens eleve matiere matieres lieu nombre personnes rue titre recherche limite debut fin calendrier categorie
  pays duree piece classe niveau garde de du des le la ciudad fecha dia semana mes ano hora idioma titulo tema consulta busqueda porciones tiempo
  desde hasta personas pais categoria lugar calle lista citta giorno settimana mese anno ora lingua titolo persone luogo ricerca da al porzioni
  cidade pesquisa stad dag maand jaar tijd taal plaats zoekterm sehir gun dil miasto dzien jezyk`)

/** Names with a word that acts elsewhere. */
const wholeNames = setOf(`
  ignore run runs dry_run checkout
  open_now open_at open_only open_on opening_hours order_by orderby order_id order order_dir sort_order run_id run_at run_ids book_id book_title play_count check_in check_out checked_in check_in_date check_out_date end_line page_token next_page_token cursor max_tokens token_count
  share_count shared_drive shared_with_me include_shared include_deleted show_deleted include_trash include_archived include_completed exclude_archived only_unread include_spam is_unread sent_after sent_before received_after received_before
  post_id post_ids message_id message_ids email_id email_ids mail_id thread_id label_ids comment_id reply_to_id event_id drop_nulls drop_off dropoff move_date pick_up pickup_time pickup_location pickup_date dropoff_time dropoff_location
  created_after created_before updated_after updated_since modified_after modified_before modified_since due_by remind_at remind_before deposit fee_if_cancelled fee_if_cancelled cancellable free_cancellation set_point autostash booking_ref reservation_id booking_id tip_text
  delay_minutes fail_on_error max_fail keep_originals keep_layout no_emit only_if_dry allow_empty allow_partial virtual_copies user_agent_lang skip_weekends skip_holidays skip_ads skip_count skip hold_time stop_at start_at end_at resume_at read_only dry_run single_events
  is_private private visibility owner repo owner_name owner_id roles_count assignee author committer calendar_owner share_link_count include_logs dataset rate_per_word rate_per_hour price_per_night max_price_per_night pay_period payday paid_leave paid overdue_only unpaid_only is_paid
  color_temp color_temp_kelvin brightness_pct hvac_mode fan_mode include_trials ship_date shipping_country wait_for wait_until email_type message_type save_as reminder_minutes notify_before snooze_until repeat_until transfer_count max_transfers min_transfer_time transfers max_changes move_in move_in_date
  skip_if_rain skip_if_wet skip_if_raining skip_rain skip_intro skip_header skip_rows include_history include_declined include_hidden push_notifications_count bill_split drop_off_time delivery_note
  include_body include_content include_comments include_files include_snippet script_language command_history_count`)

const known = (word: string): boolean =>
  words.has(word) ||
  (word.length === 1 && /[a-z]/.test(word)) ||
  ownNouns.has(word) ||
  deviceNouns.has(word) ||
  modifierWords.has(word) ||
  ownNouns.has(singular(word)) ||
  words.has(singular(word)) ||
  /^\d{1,4}$/.test(word) ||
  (/\d$/.test(word) && words.has(word.replace(/\d+$/, '')))

/** Whether the name of a param is made of words that are known to do nothing. In snake case. */
export const isKnownName = remembered((name) => wholeNames.has(name) || name.split('_').every(known))

/** Whether a name as a whole says which one, also with a word that acts elsewhere. */
export const isWholeName = (name: string): boolean => wholeNames.has(name)
