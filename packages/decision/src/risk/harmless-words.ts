/**
 * The verbs and nouns of harmless actions, as single words. A noun stands in the list of what it is closest to: what everybody may know, what
 * belongs to the person, what a person changes every day. docs/risk.md explains the lists.
 */

import * as more from './harmless-families'
import { setOf } from './words'

/** What everybody may know: an agent of anybody may look it up. */
const public_ = `
  abbreviation activity actor air airline airport album allergen alphabet amenity amphitheatre anagram animal answer antonym aquarium architecture
  arena arrival art article artist astronomy attraction author autobahn availability aviation award bakery ballet band bar barbecue beach beer best
  bestseller bicycle bike bistro blog book bookshop boulder breed brewery bridge bus butcher cafe caffe calorie camping campsite capital carpark
  casino castle cathedral cave celebrity century charger chart chemist chess childcare cinema circus city climbing club cocktail coffee college
  comedy comic company composer concert congestion conjugation connection conversion country course cpi crossword cuisine culture currency cycling
  dance deal deals definition delay departure destination dialect dictionary direction discount disruption distance documentation doc economy
  election elevation encyclopedia english environment episode equinox escalator etymology euro event exchange exhibition expression fact fair faq
  fare farm fauna fee ferry festival fiction film fish flat flight flood flower food football forecast forest formula fountain fuel fx gallery game
  garden genre geography gig glossary golf grammar guide gym headline hike hiking holiday horoscope hospital hostel hotel hour house humidity iata
  idiom image inflation info information ingredient inn isbn jazz joke jpy kilometre kindergarten lake language law legend library lift line listing
  literature lyric magazine map marathon market markets math mathematics meaning measure menu meteo metro mile mileage monument moon mountain movie
  museum music musical musician mythology nation nature neighbourhood neighborhood news novel nursery nutrient nutrition ocean offer opening opera
  opinion origin outlook painter park parking parliament path peak pharmacist pharmacy phenomenon philosophy phrase physics pitch place plane planet
  plant platform playground plot podcast poem poet poetry pollen pollution pool population postcode postal pressure price product programme program
  pronunciation proverb pub public quality quiz radar radio railway rain rainfall ranking rate rating recipe recommendation recycling region
  regulation release rental resort restaurant result review river road roundabout route rule ruleset running sail salon sauna schedule school science
  score screening sea season series shop shopping show showtime shuttle sightseeing singer ski skiing snow soccer song speciality species
  specification speed spelling sport spot squash stadium standard standing station statistic stop store storm street subsidy suburb subway summit sun
  sunrise sunset supermarket supplier surf swim swimming symbol synonym syntax team television temperature tennis term theatre theater thesaurus tide
  time timetable timezone title topic tour tourism town tracklist traffic trail train tram translation transit transport travel trend trip trivia
  tutorial tv uv vacancy valley variety vat vegetable venue verb video village vineyard visa visibility vocabulary volcano walk waste water waterfall
  wave weather web webinar website wiki wikipedia wind wine word workshop world zip zoo zone api package manual reference stackoverflow unit deadline
  tariff hava durumu hours crate crates directions geocode aqi co2 scores league fixture fixtures standings pollutant wetter wettervorhersage
  vorhersage preis preise zug zuege fahrplan verbindung verbindungen abfahrt abfahrten oeffnungszeiten offnungszeiten feiertag feiertage rezept
  rezepte restaurants kino kinoprogramm apotheke apotheken prix recette recettes horaire horaires trein treinen weer tiempo clima precio precios
  receta recetas horario horarios farmacia prezzo prezzi ricetta ricette orario orari farmacie pharmacie vuelo vuelos vol vols voli`

/** What belongs to the person, and is not close to her: her own agent may read it. */
const own = `
  abstract accessory acceptance agenda aggregate allotment analysis analytic annotation appliance appointment apprenticeship april aspect assignment
  attachment attendance audiobook august autocomplete autumn average baby babysitter backlog baggage bakery balcony ball bandwidth baseline basket
  bathroom battery bed bedroom bedtime benchmark bibliography bill bin birthday blocker board boat body bookcase booking bookmark bottleneck box
  branch brand breakfast brief briefing broadband brochure brother budget bug build builder building bundle business butter cable cabin cake calendar
  campaign canteen canvas capacity caption car carpool cart cartoon catalog catalogue category cell chain change changelog chapter character charging
  chart checklist cheese chemistry child children chore christmas ci citation class classroom client clause climate clock clothes clothing code
  codebase collection color colour column comment commit comparison competitor complexity component compost computation concept conference
  configuration conflict constraint consumption contents context contrast contributor conversation convention cookbook cooking corpus correspondence
  corridor cost costume count countdown coupon cousin cover coverage crash csv cupboard curriculum cut cv cycle daily dad dashboard data dataset date
  daughter day daycare days december decision declension decoration deck default deliverable delivery demo demography density dependency deployment
  description design desktop dessert detail development deviation diagram diary diaper diet diff difference digest digit dimension dinner directory
  discussion dish dishwasher distribution document documents dog draft drawer drawing dress drink dryer dua due duplicate duration duty earliest east
  ebook edge edition editor editorial education effort electricity elevator email emission endpoint energy entry envelope epic equation equipment
  error essay estate estimate estimation exam example exception excerpt excel exercise expenditure expense experience experiment extract fabric
  failure family fan feature february feed feedback field figure file filename files filter finding fireplace fit fitness flag flake flaky flashcard
  floor floorplan flow folder followup font footnote form format formatting formulas fragment framework freezer frequency fridge friday friend fruit
  function furniture future gantt gap gardening gas general gift git glass goal grade grandma grandpa graph grass grid grocery ground group
  groups growth guideline guitar gutter habit hallway handbook handover heading headings heating hedge height highlight hobby home homework html hub
  humour husband hypothesis icon idea ideas identifier importance improvement inbox index indicator initiative insight inspection instruction
  integration interface interior interval interview intro introduction inventory invite invoice issue item itinerary january job journal json july
  june kanban keyboard keyword kid kilo kilowatt kitchen label lamp landscape laptop last latency laundry lawn layout layer learning lecture leftover
  legislation length lesson letter level libraries light lights limit link lint list lists literal living load local locale log logbook logo logs
  loop luggage lunch magnet mail mailing main maintenance man march margin marker marketing markdown markup mat material matrix matter may mbps meal
  mean measurement media meeting memo memory message method metadata metric microwave midwife migration milestone milk minute mistake mix mobile mock
  mockup model module moment monday month monthly mood moodboard morning mother motif mp music my mum mom name naming navigation network newsletter
  night nominee note notebook notification november object objective october odometer office offline okr onboarding one open option order outage
  outcome outdoor outfit outline outstanding overview overtime pace packing pad page pages pantry paper paragraph parameter parcel part parts party
  pasta pattern percentage performance period persona pet photo photos piano picnic picture piece pipeline plan planner plans planting playlist
  plural poi point points poll pop portfolio position posts poster pr prep presentation preview prior priority prize problem procedure process
  produce progress project projects prompt proof proposal prototype prs pull puzzle python quantity quarter quarterly question questionnaire queue
  quota quotation quote rack radiator rainbow range rank readability reader reading readme reason receipt recap receipts redesign ref refactoring
  reflection refrigerator regex regression rehearsal relation reminder reminders remix renovation repetition repo repository report reports
  requirement research reservation resolution resource response restock resume retro retrospective revision rhyme roadmap roast room rooms roster
  rota routine row rss rubric salad sample sandwich saturday schema school schoolwork scope seating section segment semester sensor sentence
  sentiment september sequence service shade shape shed sheet shelf shift shipment shoe sibling sigma sister sitemap size sketch skill skills
  skeleton slide slides slot slots snack snippet socks sofa solar solution son soup source space spec specs sprint spreadsheet spring stack staging
  stakeholder stand standup starter stash state stats status step steps stock stockings storage story storyboard strategy stream stretch structure
  study stuff style subject subtask subtitle suffix suggestion suitcase summary summer sunday survey swimlane synopsis tab table tables tag tags talk
  task tasks taskboard taxonomy tea technology teenager template tense test tests text texts theme theory thermostat thing thread threads thumbnail
  thursday ticket tickets tidying tile timeline timer timesheet timeslot tip todo todos toc toddler toilet tomato tone topics total toy trace tracker
  training transcript transcription tree trends trouble tuesday tune tyre typo type types usage utilisation utilization unused uptime vacation
  variant variable vegan vegetarian version versions vet view viewpoint vitamin vocab volunteer vulnerability wall wardrobe warehouse warning
  warranty wash washing watchlist wax wedding wednesday week weekend weekly whiteboard width wife winter wish wishlist wood wording work workaround
  workbook workday workload workout works workspace writing xml yaml year yearly yield yoga request requests run runs workflow workflows refactor
  bench catalogs duplicates vaccination route routes safety care directories album albums head itineraries thumbnails gear missing alt
  exif content taxes tax senior smartphone cleaning profile apartment apartments villa villas cottage hostels flats use channel channels song songs
  states dermatologist specialist specialists clinic clinics practice nursery nurseries kindergartens university universities internship internships
  seat seats trailer cast director ranking leaderboard movies record records phone machine series query queries portal bookings anniversary birthdays
  gifts doctor dentist plumber electrician handyman hairdresser tutor nanny pediatrician paediatrician physiotherapist optician veterinarian mechanic
  tradesman craftsman cleaner gardener lawyer accountant notary translator photographer dj caterer mover kalender termin termine liste listen
  einkaufsliste aufgabe aufgaben notiz notizen dateien datei mails nachricht geburtstag geburtstage stundenplan speiseplan wochenplan hausaufgaben
  erinnerung erinnerungen calendrier rendez vous taches courrier anniversaire calendario lista listas tareas notas cumpleanos cita citas compiti
  appunti compleanno appuntamento appuntamenti boodschappenlijst taken afspraak afspraken verjaardag menu stroomverbruik stromverbrauch verbrauch
  consumo consommation`

/** Words that only say which one, or how it is meant. They change no object. */
const modifiers = `
  about above active actual additional advanced after aged alternative annual any arrived available average bad basic before below better between big
  both breaking broken cheap cheapest closest common compact complete completed compressed conditional consistent correct current custom daily dead
  default deprecated detailed different digital direct done double draft due earlier early eastern easy electric ending equal estimated european even
  every exact existing expected expensive expired expiring extended extra fast fastest favorite favourite final fixed flexible for free fresh from
  full future german global good green half hot healthy historic historical hourly immediate important in inactive individual indoor initial inline
  inner installed internal international interesting italian french spanish dutch portuguese polish swedish chinese japanese large late latest left
  lightweight linked little long longest low lower major many matching max maximum medium merged min minimum minor missing mixed modern modified most
  multi multiple named native near nearby nearest nested new newest next nice normal of old older online optimal optional original other our outer
  outdated overall overdue own parallel partial past per planned popular possible potential previous primary public quick random ready real recent
  recurring regional regular related relative relevant remaining repeated required reusable right rough round scheduled secondary seasonal selected
  semantic short shortest similar simple single slow small smart soft sorted southern northern western special specific sports stale standup starred
  static sustainable technical temporary the third this tiny today todays tomorrow tonight top total typical unanswered unassigned undone unfinished
  unique unknown unpaid unread unresolved unused upcoming updated upstream urgent useful used usual valid vintage visual warm weak which whole wide
  with within without wrong yesterday young v1 v2 e2e i18n l10n a11y seo ux ui`

/** Things of every day that a person changes back with a word: her own calendar, lists and notes. */
const planned = `
  agenda bookmark calendar checklist chore countdown diary entry event events goal grocery groceries habit highlight hour hours idea item items
  journal kanban label labels list lists log meal meals milestone minute moodboard note notes packing playlist reading recipe reminder reminders
  routine shopping slot sprint study subtask tag task tasks time timelog timer timesheet todo todos training watchlist wishlist wish workout work
  worklog backlog board card plan song songs expense expenses mileage weight weights feeding mood sleep steps draft drafts outline outlines flashcard
  flashcards queue favorites favourites favorite favourite birthday anniversary appointment focus termin termine erinnerung aufgabe aufgaben
  einkaufsliste liste notiz rappel tache rendez recordatorio tarea lista nota promemoria attivita appunto lembrete tarefa herinnering taak
  boodschappenlijst afspraak cita evento evenement`

/** Things at home that make nobody poorer, hurt nobody and guard nothing. */
const devices = `
  aircon ac conditioner conditioning purifier ambient audio audiobook awning blind blinds brightness ceiling climate coffee machine maker color
  colour curtain curtains dehumidifier desk diffuser dimmer dishwasher display dryer fan floor heater heating hoover humidifier hvac irrigation
  jukebox kettle lamp lamps lawn mower light lighting lights music playback player playlist podcast projector radiator radio robot scene scenes
  screensaver shade shades shutter shutters song soundbar speaker speakers spotify sprinkler strip temperature thermostat toaster towel track tumble
  tv television underfloor vacuum ventilation volume washer washing watering wallbox charging livingroom bedroom hallway downstairs upstairs licht
  lichter heizung lampe lampen rollladen rollo jalousie staubsauger musik lumiere lumieres chauffage volets musique luz luces calefaccion musica luce
  luci riscaldamento tapparelle verlichting verwarming muziek thermostaat`

/** What is held for a person, and costs nothing before she comes. */
const bookable = `
  badminton basketball bowling class classes climbing collection court dance desk fitness football gym lane library meeting padel pickup pilates
  pitch restaurant sauna spin squash studio study book books swim swimming table tables tennis training viewing visit volunteering volunteer workout
  yoga zumba tisch mesa tavolo tafel bibliotheksbuch kurs cours clase corso les`

/** Local work of a developer that another command takes back. */
const testable = `
  test tests unit integration e2e spec specs suite lint linter lints linting type typecheck types build builds check checks benchmark benchmarks
  formatter code format formatting coverage project snapshot smoke dev storybook regression prettier eslint biome ruff mypy pytest jest vitest
  cypress playwright tsc clippy rustfmt gofmt black flake8 pylint typescript compile compilation compiler typing static doctest docs documentation
  a11y lighthouse`

export const publicNouns = setOf(public_, more.publicFamily)
export const ownNouns = setOf(public_, own, more.publicFamily, more.ownFamily)
export const closeNouns = setOf(more.closeFamily)
export const modifierWords = setOf(modifiers, more.modifierFamily)
export const plannedNouns = setOf(planned, more.plannedFamily)
export const deviceNouns = setOf(devices, more.deviceFamily)
export const bookableNouns = setOf(bookable, more.bookableFamily)
export const testableNouns = setOf(testable, more.testableFamily)
export const placeNouns = setOf(more.placesFamily)

/** Verbs that read, or compute from what they were given. */
export const readingVerbs = setOf(
  more.readingFamily,
  `
  analyse analyze ask audit autocomplete geocode browse calculate calc categorise categorize check classify cluster compare compute convert count crosscheck deduplicate define describe detect determine diff display estimate evaluate explain explore
  fetch filter find format forecast get grep group guess identify inspect list listen locate look lookup match measure monitor outline overview paraphrase parse plan predict preview profile proofread query rank rate-compare read recommend rephrase
  research retrieve review rewrite scan search see show simulate solve sort spellcheck spell structure suggest sum summarise summarize tell-time track transcribe translate transliterate validate verify view visualise visualize watch
  lies lese lesen suche suchen finde finden zeige zeigen pruefe prufe prufen vergleiche vergleichen uebersetze ubersetze berechne berechnen empfehle lire cherche chercher voir afficher lister traduire calculer comparer trouver recherche consulter verifier resumer
  busca buscar leer ver listar traducir calcular comparar consultar resumir encontrar leggi leggere cerca cercare mostra traduci tradurre calcola calcolare confronta trova ler procurar traduzir mostrar pokaz xem liste lister lees zoek zoeken toon vertaal bereken vergelijk bekijk`,
)
/** Verbs that only compute from what they were given, or think of something. */
export const computingVerbs = setOf(
  more.computingFamily,
  `
  analyse analyze brainstorm calculate calc categorise categorize classify compare compute convert count define describe draft estimate evaluate explain forecast format guess outline paraphrase parse plan predict prepare proofread rank recommend rephrase research
  rewrite simulate solve sort spellcheck structure suggest sum summarise summarize translate transliterate visualise visualize write compose sketch generate design propose
  uebersetze ubersetze berechne berechnen empfehle traduire calculer traducir calcular tradurre calcola traduzir vertaal bereken`,
)
/** Verbs that write a text for the person, and nobody else gets it. */
export const draftingVerbs = setOf(
  'draft outline plan prepare sketch write compose brainstorm generate design propose prefill summarise summarize rewrite rephrase entwerfe entwerfen rediger redactar redigir',
)
/** Verbs that change lists, notes and the calendar of the person. */
export const planningVerbs = setOf(
  more.planningFamily,
  `
  add append assign block categorise categorize change check complete create draft edit enter extend finish group insert label log make mark move new note organise organize pause pin plan postpone prioritise prioritize put record rename reorder reprioritise
  rearrange reschedule resume save schedule set snooze sort star start stop tag take tick toggle track uncheck unpin unstar update upsert queue hinzufuegen hinzufugen erstelle erstellen eintragen ajouter creer noter anadir agregar crear apuntar aggiungi aggiungere crea annota
  adicionar criar toevoegen maak noteer`,
)
/** Verbs for devices at home. */
export const switchingVerbs = setOf(
  more.switchingFamily,
  `
  activate adjust brighten change close continue cool decrease dim heat increase lower mute next off on open pause play precool preheat previous raise resume run schedule set shuffle skip start stop switch toggle turn unmute vacuum ventilate warm water tune queue clean
  allume allumer eteins eteindre enciende encender apaga apagar accendi spegni einschalten ausschalten schalte stelle aan uit zet`,
)
/** Verbs that hold or give back what costs nothing. */
export const bookingVerbs = setOf(
  more.bookingFamily,
  'book reserve hold cancel rebook reschedule move postpone renew extend confirm join leave reservieren reserviere buche buchen reserver reservar prenota prenotare reserveren',
)
/** Verbs that test, build or check code. */
export const testingVerbs = setOf(
  more.testingFamily,
  'run rerun start execute check watch repeat lint build compile format typecheck profile debug bench benchmark test reproduce analyze analyse measure',
)
