/**
 * More words of harmless actions, by what they are about: a household, a school, a doctor, travel, music, an office, software. They stand in
 * several languages, because tools are named in the language of those who made them. `harmless-words.ts` has the kinds that they extend.
 */

/** What everybody may look up. */
export const publicFamily = `
  actualites aeroport aeroporto aeropuerto apteka apteki aquariums atlas aurora ausstellung ausstellungen autobus autobuses avalanche bahn bahnen
  bahnhof bakeries biblioteca biblioteka bibliotheek bibliotheque bikes bikeshare buses busses cambio cantine cathedrals cena ceny chargers cine
  cinema cinemas cines cities clima comics companies countries crossing cuisines currencies defibrillator dictionaries dienstregeling discography
  districts dust earthquake earthquakes emoji emojis encyclopaedia fahrplanauskunft farmacias feriado feriados feries festivo festivos filme filmes
  films filmy fireworks fixture flora flyer galleries geology gezeiten gradient grids haltestelle haltestellen hashtag hoteis hotel hotele hoteles
  hydrology insect isochrone kiosk kiosks kurs kursy landmark landmarks laundromat libraries lightning locality lotnisko lyrics meteor meteorologia
  meteorologico metro moonrise moonset movies municipality musee museen musees museo museos museu mushroom mushrooms muzeum nameday nieuws noticia
  noticias notizie nouvelles onibus operators pelicula peliculas pharmacies pictogram playgrounds pociag pociagow pogoda pogody prayer prayers
  precipitation preco precos previsao previsione previsioni previsoes prix pronostico przepis przepisy pubs quotes receita receitas restauracja
  restauracje restaurante restaurantes rfc ristorante ristoranti routing rozklad rozklady schwimmbad showtimes sights skyline slang snowfall solstice
  spielplan stargazing stations stau sternwarte stops strasse strassen subtitles sudoku sunshine supermarkets swieta synonyms tarifas tariffs tarifs
  temple tempo territory tidal tides timezones toilets toponym trailers trailhead trails trams transits translations trem tren trenes treni treno
  trens umbrella viewpoints wechselkurs weersverwachting wetterbericht wiadomosci words
  arrivals departures grants lectures loadshedding mensa regulations regulation spots spot cafe repos rentals sitters prices`

/** What belongs to the person, and is not close to her. */
export const ownFamily = `
  advance appointments vat number chord profit loss dir dirs screenshots lesson mode
  abfallkalender abfuhr abfuhrtermine achievements afvalkalender aisle alert alerts allergies animation animations anrs apdex aquarium aquascape arc
  arpeggio arrangement arrangements artefact artifact artifacts arzttermine asset assets ast atom audience aula aulas ausgabe ausgaben babysitters
  backlogs bak bands baselines bass beat beats bedding beehive bees beleg belege bell bestand bestanden bibtex bilancio bins birdfeeder birds bitrate
  bits blocks bloom boards boilerplate boletim boletin boleto bolletta bollette bom boodschappen bookcases books bouquets bracket brackets branches
  branding breadcrumb breadcrumbs breakpoints brew brews buckets budzet bulbs bulletin burndown buttons bytes cadence cadences callees callers canopy
  capo carbon cashflow caterers cells channels chapters charts checksum chord chords chorus chunk chunks cijfers clase clases classes classifier
  classnames cleaners clip clips cloudwatch cm cocktails colis collar columns comments commits compilation components composition compromisso
  compromissos configurations consultas container containers contas contour contractors contrast conversione converter cookbooks coop copybook cork
  cours courses coverlet craft crash crashes crop crops crosswalk css cues curve cve cycles cyclic dag dags dashboards dataframe dataframes datagrid
  datasets datasource datasources deadlines deberes decks definitions delays deltas dentists dependabot depense depenses deployments deps descriptor
  despesas destinations devoirs deworming diagnostics dialog dietary digests dimensions directive disk disks djs docstring docstrings doctors doctype
  dokument dokumente dominoes dough drill drills duplicates duplication dx eggs electricians elements embeddings emulator emulators encoder encomenda
  encomendas engine entities entity enum enums envelopes envio envios epics errors essensplan evals evenement evenements exames excerpts excursion
  excursions expenditures expiry extrato extratos facets factor factors factura facturas facturen factures factuur faktur faktura faktury fattura
  fatture fatura faturas feeder feeds fermata fermentation fertiliser fertilizer fichier fichiers fields fieldtrip fiftytwo filament fingering fixme
  flamegraph fleece florists flowers fonts footage footprint footwear formats forms fortschritt foto fotos foundation fps frame frames fretboard
  frontmatter frost funnel funnels gaps gardeners garderie garments gasto gastos gems genealogy genres geometry gist gists glazing glossaries gpu
  gpus gradebook grades greenhouse groomers grooming grouping growth gst guesses guides gutters habits hairdressers hall harmonica harmony harvest
  hatching haushalt haushaltsbuch haushaltsplan heap heatmap heatmaps hedgehog helpdesk hen hens herb herbs herinneringen heuristics hierarchies
  hierarchy hints hive hives homeworks honey hoses huiswerk hydration hypotheses icons implementations imports incident indexes indices ingredients
  ingresses inlay instance instances intensity intervals invariants inventories invoices iterations itineraries iva jam jams jars jobs joints
  journals js kalendarza kennels kernel kernels keyframes knitting lambda lap laps layers layouts leash leaves legs lekcji lembretes lemma lessons
  lexicon lezione lezioni linking linting litter livestock livraison loaf locales lockerroom logcat logfile logic loops lore lunchbox lunches
  makefile makerspace makeup manifest manifests manuscript markers marks masks mastery materials maths meals measurements mechanics medicine
  medicines meetings melodies melody memes menus metrics migraine migrations milestones mise mockups modals models modules moisture mosaic movers mr
  mrs muell muellkalender muelltermine mulch musicxml namespaces nap naps narration narrative nest net nodes notas notatek notation notatka notatki
  notebooks noten notices notitie notities nutrients oats objectives ocen oceny octave offcuts okrs onion orbit orcamento orchestra ordner outages
  outputs pacchi pacco packages paczka paczki pagella pagespeed paint paket pakete pakket pakketten palette palettes panel panels paquete paquetes
  paragraphs parish parity parsing partials partitions passages patterns pcb pediatricians pedido pedidos peg pens percentile percentiles perf pests
  pets phase phases phonetics phrases physiotherapists pickling pieces pip pitches pixel pixels planets plik pliki plikow plot plots plumbers pod
  podcasts pods polygon ponds posture pots potting practise precision prefix prefixes preset presets pressures presupuesto previsione previsioni
  primes printer printers probability profiler profit progressions projection projections promemorie proofreading proofs property props prs przesylka
  przesylki przypomnienia pulse pulses punctuation putzplan qr qrcode quartet questions quickfixes quilt quittung quizzes quotas rachunki rag ragas
  rainwater ramp ranges ranks rappels rastreio ratios rdv reactions readings rebar recall rechnung rechnungen recital recitals recordatorios
  recording recordings reel reels references refinement refrain regions rehearsals releases releve remainder render renders repas replicasets
  resistor resistors resolutions resources responses retention retros reviewers rhymes rhythm ribbon ricevuta ricevute rides riff riffs roadmaps roi
  roofing rooster roosters roots rosters rota rotas routines rows rubrics runbook runbooks sankey scadenza scadenze scaffolding scale scales scatter
  scenario scenarios schemas schematic schematics scheme schemes scorecard scorecards scores scoring seedling seedlings selectors semesters services
  setlist setlists sewing shards sheep sheets shelves shifts shoots shot shots sightings silhouettes simulation simulations simulators sitemaps
  sizing sleep slo slos snippets soil solder solfege solutions solver sowing span spans spectrogram spedizione spedizioni speisekarte spellings spesa
  spese splines split splits sprints squads src stacktrace stacktraces stages stair starters statefulsets statements statistics stato stem stems
  stitch stitches stocktake stories storyboards streak streaks streams strings stubs styles stylesheet stylesheets subplots substitution
  substitutions substrate subtasks subtotal summaries sums suppliers svg swatch swatches swimlanes syllables syllabus symbols symptom symptoms
  tablature tablatures tabs takt tarefas targets tempos tenses tension terrarium testcase testcases testimonials themes thesis thumbs tiles timebox
  timelines timers timesheets timings titles tokenizer toml tones topology totals traceback traces trackers tracks trajectories transcripts treadmill
  trellis triage tuner tuning turni turno tutorials typography uitgaven uml undergrowth underlay units univariate usages utm utterance validity
  variables variance variants vector vectors vegetables veggies velocity vendors vent venues verbs verdict vets videos views viscosity vitals vm
  vocabularies voicing voicings volumes voti voto walking walks wallpaper wallpapers walls warranties waveform waveforms weaving weeds weekday weight
  widget widgets wireframe wireframes wishlists wochenmenu wool wordcount wordings workbooks workouts workpiece worksheet worksheets workshops
  wydarzen wydarzenia wydarzenie wydatki wydatkow yarn yarns yields zadan zadania zadanie zakupow zdjec zdjecia zending zendingen zeugnis zones
  blinds shutters design designs caption captions clue hint crossword insights leases maintenance silence loudness photos sound effects voicemail transcript pill pills prepaid electricity meter ups site studio sponsor sponsors courses lectures album albums build builds job jobs chats stats eggs weight feeding medication social foi request expenses expense vat return`

/** What belongs to the person, and is close to her: only her own agent reads it. */
export const closeFamily = `
  absences bank bill bills bloodwork chat conti conto cycle expenses extracto extractos farmaci glucose grades heart homework income insurances
  invoice invoices kolejka kontoauszug kontostand ledger leki lekow medicament medicamentos medicaments medication medications medicinali medicine
  medicines medikamente pantry payslip payslips pension pensions period rate receipts rekening rent saldi saldo saldos sleep solde statement
  statements steps taxes umsatze utilities utility vaccination vat warranty weight wishlists`

/** What a person changes back with a word. */
export const plannedFamily = `
  album albums boodschap boodschappen budget bullet chore chores column compromisso countdowns courses cycle deck einkauf einkaufsliste estimate
  estimates evenement evento eventos glucose itineraries itinerary lembretes lista listas liste measurement measurements metronome milestones mindmap
  moodboards nota notatka notatke notitie notizen odometer page pages palette pomodoro priority promemoria przypomnienie rappels reading readings
  recordatorios roster rota rotas scratch scratchpad setlist setlists sketch sowing spesa stopwatch subtasks symptom symptoms tarefas termin timeline
  timelines tracker trackers wydarzenie zadanie zakupow
  eggs weight feeding medication watering`

/** Things at home that guard nothing. */
export const deviceFamily = `
  acondicionado air aircon airconditioner aire ambience amplifier aquarium ar aspirador aspiradora aspirapolvere aspirateur bulb bulbs chandelier
  chromecast climatisation coffeemaker condicionado condition conditioner conditioners condizionatore cooker cortina cortinas dehumidifiers espresso
  feeder fountain garden geschirrspueler gordijnen hood hoover humidifiers iluminacion irrigation jukebox klimaanlage lamp lampara lavadora
  lavastoviglie lavatrice lavavajillas lave lawnmower led leds light lightstrip linge lounge luchtbevochtiger luci lumiere luz luzes metronome mood
  mop mopping mower night nightlight noise odkurzacz ogrzewanie persiana persianas plants pond projector purifiers radiators receiver rice roborock
  robot robovac rolety roomba saugroboter screens slow sonos soundbars speakers spotlight spotlights sprinklers spuelmaschine stofzuiger swiatla
  swiatlo tapparella toothbrush trockner turntable underfloor vaatwasser vacuums vaisselle ventilador ventilator ventola volet waschmaschine
  wasmachine white zaluzje zone zones
  blinds shutters curtains tv radio heater nest`

/** What is held for a person, and costs nothing before she comes. */
export const bookableFamily = `
  appuntamento arzttermin barber bici blood boisko campo cancha carrel cita coiffeur consulta coworking demo dentista evening eye friseur
  friseurtermin fryzjer fryzjera guitar hair hora hotdesk huisarts kapper kinderarzt lekarz lekarza lesson lessons manicure medecin medico miejsce
  nails oculista optician optometrist parent pediatra pediatrician pedicure peluqueria peluquero piano pista quadra rehearsal room sala salon
  slot stolik tandarts tasting teacher test tour trial turno webinar wizyta wizyte zahnarzt`

/** Verbs that only read. */
export const readingFamily = `
  abfragen acompanhar affiche affichez aggregate anzeigen auflisten bekijk bekijken benchmark berekenen busque calcula calcule catalogue chart cite
  collate compara compare consiglia consult consulta consulte consultez controleer controlla controllare correlate decode demonstrate derive diagnose
  differentiate disassemble discover elenca elencare encuentra enumerate erklaere erklare erklaren ermitteln ermittle examine extrapolate gather
  gauge glob head hover illustrate infer interpolate interpret introspect learn leggi ler lezen lijst lint lista listar liste map mira mirar mostrar
  mostrare mostre muestra nachschlagen navigate oblicz observe odczytaj peek plot podsumuj pokaz policz poll porownaj procure profile pruefen
  przeczytaj przetlumacz quantify quiz rastrear recall recap recognise recognize recomendar recomende recomienda reconstruct regarde report
  resuma resume resumen revisa revisar riassumere riassumi samenvatten schau schauen score scout seguir sketch skim sledz sprawdz stat status sugerir
  suggerisci sugira suivre survey szukaj tabulate tail tally tell tokenise tokenize traccia tracciare trace traduce traduis traduza trouve trouver
  typecheck uebersetzen vedere vedi veja ver verfolge verfolgen vergelijken verifica verificar verificare verifie verifier vertalen volg volgen
  whatis which wylistuj wyswietl wyszukaj zeig znajdz zobacz zoek zusammenfassen zusammenfassung`

/** Verbs that only compute from what they were given. */
export const computingFamily = `
  berechnen calcola calcule chart conjugate converter convertir convertire decline decode derive diff differentiate extrapolate harmonise harmonize
  illustrate infer interpolate oblicz plot podsumuj przelicz przetlumacz quantify quiz recap render resuma resume resumir riassumi score tabulate
  tally tokenise tokenize transcribe transpose umrechnen`

/** Verbs that change lists, notes and the calendar of the person. */
export const planningFamily = `
  aanmaken adicionar adicione agenda agendar aggiungere aggiungi ajoute ajouter anade anadir anlege anlegen annota annotare annotate anotar anote
  apunta apuntar begin bookmark crea creare cree creer criar crie dodaj eintrage erinnere erinnern favorite favourite herinner highlight hinzufuege
  jot lembrar maak marcar note noteer noter notiere notieren outline pianifica pianificare plan plane planen planificar planifie planifier prefill
  programar programme programmer przypomnij rappeler rappelle recordar recuerda registrar registre remind ricorda ricordare segna segnare shelve
  toevoegen utworz voeg zanotuj zapisz zaplanuj`

/** Verbs for devices at home. */
export const switchingFamily = `
  abbassa accendere accendi acenda acender ajusta ajustar ajuste allume allumer alza apagar apague baisse baisser bajar begin brighten cool darken
  dehumidify desligar desligue dim dimme dimmen einstellen encender enciende eteindre eteins humidify imposta impostare instellen irrigate ligar
  lighten ligue monte monter mop mow precool regel regle regler regola regolare shuffle spegnere spegni sprinkle starte stelle stoppe subir ustaw
  vacuum ventilate warm wlacz wylacz zapnij zet`

/** Verbs that hold or give back what costs nothing. */
export const bookingFamily = `
  boek disdici hold inplannen marcar prenota prenotare reagendar remarcar reserva reservar reserve reserveer reserver umow vereinbaren vormerken
  waitlist zapisz zarezerwuj`

/** Verbs that test, build or check code. */
export const testingFamily = `
  assemble audit bundle check compile cover fmt fuzz lint measure minify prettify preview profile reproduce simulate transpile typecheck vet`

/** What is built and tested. */
export const testableFamily = `
  accessibility android app apps assets backend bundle chart components contrast cpu crate css dockerfile doctests emulator emulators example
  examples firmware fixtures fonts frontend fuzz gradle grammar html ios javascript js json latex layout less library links manuscript markdown
  memory mutation paper performance playground render sass schema scheme screens sim simulator site slides solution spelling startup svg target
  thesis toml ui wasm web workspace xcode yaml`

/** Services and programs in which something is looked up. */
export const placesFamily = `
  abn actionlint adsb airflow airtable algolia alltrails amplitude amtrak ansible appium applecalendar applehealth applemaps applemusic appstore
  appstoreconnect arc argo asana audible babyconnect backstage bamboo basecamp blender bluesky boardgamegeek bosch bugzilla bvg canvas citymapper
  ckan classdojo classroom clickup clockify cloudwatch clue cocoapods coda codeberg codepen confluence console copilot coverage craft crashlytics
  cron crunchbase cura cypress dagster datagrip dbt deutschebahn devtools dialog dirigera discogs discourse drawio dreame duolingo dyson ecobee
  ecovacs edupage edx elasticsearch electron eleventy enphase esphome espn evcc evernote fdroid ffmpeg ffprobe fhem fido firebase fitbit flightaware
  flightradar flixbus flo flux fly foodwise forecast foursquare freecad freshdesk ganttproject garageband gardena gcalendar gdocs gerrit ghidra gimp
  gitea gitk glitchtip goal godot googlecalendar googlefit googlemaps gps gpx grocy grype gsheet gslides hadolint hafas harvest haystack
  healthconnect healthkit hereapi heroku homebrew homeconnect homekit humble husqvarna ikea imagemagick immich influx influxdb inkscape insomnia
  instapaper intellij ios irobot istio iterm jellyfin jfrog joplin jupyterhub jupyterlab kaggle karma keynote kicad kobo komoot kubeconform kubeval
  kustomize lefthook libreoffice librus lidarr linkding linkerd logseq logstash looker luigi maestro magister mailpit mapbox mastodon mealie metabase
  miele miro mixpanel mkdocs mlflow moodle mqtt mta musescore musicbrainz navidrome neovim nest netatmo nominatim ns nx octopus openfoodfacts
  openlibrary opensky openstreetmap opentelemetry osm otel oura ourairports outline outlookcalendar pandas pandoc paperless parquet pdm petkit
  photoprism photoshop pinboard pkp plausible play player podman polar polars portainer posthog powerbi powerwall prefect ps puppeteer pyenv qgis
  rails readarr readwise reaper recipes redmine renfe renpy replicate roam rstudio rustup ryanair sbt schoolfox scikit scrivener seesaw selenium
  semgrep shazam shellcheck shortcut signoz sketch sketchup smartschool smartthings sncfconnect solaredge sonarr sourcegraph splunk spoonacular
  sqlfluff stackblitz starship storybook strapi streamlit superset suunto swagger swiftpm swr tableau tempo tensorboard terragrunt testflight tfl
  tflint tfsec tibber tmux tomtom toolbox tractive trainline trainpal transitland trenitalia trivy tuya tvdb typesense typst uni unity unreal untappd
  untis uptime uptimekuma v0 valgrind vbb vikunja vim vulcan wallbox wandb weblate webmaster webuntis wger whoop wikidata wiktionary winget withings
  wolframalpha xcrun xkcd yandexmaps zed zigbee zoho zulip zwave
  jenkins pihole momoyoga substack steam instagram whatsapp nest cta mqtt`

/** Words that only say which one. */
export const modifierFamily = `
  estimated overdue unpaid
  abandoned absolute academic accurate adjacent affordable alphabetical amateur ambient animated asian autumnal backward balanced baroque beginner
  bilingual bitesize blank blue blurred bold brown budgetary bundled busiest calm canonical capped casual centered chronological classic classical
  clean closed cloudy coastal cold colorful coloured comparable concise confirmed congested connected consecutive constant contemporary continuous
  convenient corrected creative crispy cross da das daytime decent deep degli della delle dem den dense dependent der des diagonal die do dos
  downstream dry dull duplicate dynamic e eastbound eco edible effective efficient eighth el elementary eligible et evergreen everyday failed failing
  fake familiar fancy fifth filtered fine fit flat floating focused foggy folded foreign forgotten formal fourth fractional fragile frequent friendly
  frozen fuer fun fur further gentle genuine gli golden gradual gray green grey grouped handmade hard hardest harmonic heaviest heavy highest humid i
  icy ideal il illustrated inclusive incoming incomplete independent informal inside instrumental intermediate invalid joint junior known la las
  latent leafy legacy lesser lightest likely linear liquid live livelier lively lo logical loose los lost loud lowest lunar mature mechanical merry
  mild minimal misspelled moist monochrome mutual na narrow neutral newborn no noisy nominal northbound numeric nutritional o occasional odd one
  opposite orphan orphaned outgoing outstanding oval paperback para passing pastel peak pending perennial phonetic plain playful polite por portable
  positive pour pre predicted preferred prerecorded prior procedural prompt proper proposed purple queued quiet quieter rainy ranked rare recently
  recommended red redundant refined reliable remote rented requested residual resolved retro reverse rich ripe romantic rotating rural safe sandy
  saved scenic second senior separate serial seventh shady shallow sharp sixth sleepy slim slower slowest smooth snowy solid solo southbound sparse
  spicy spotless square stable staged standard steep sticky strong structured sunny surrounding sweet symmetric tall tasty tentative tenth textual
  thick thin tidy timed topmost tough traditional transient trending tricky two ugly ultra uncommitted und uneven unfiled unlabeled unlabelled
  unplayed unreconciled unreleased unsaved unscheduled unsorted unstable unstaged untagged untested untracked unwatched upper urban vacant vague van
  vertical virtual vivid voor w walkable warmer warmest watched waterproof weatherproof westbound wet white wild wooden worst y yellow z
  dinner laundry font workshop student second hand prepaid pets van building material mobile outdated`

/** Which, when, where, how many, how it looks: in names of params. */
export const namesFamily = `
  area safe verbosity sort copies sourcemap follow failed bitrate kbps
  aankomst aantal abfahrt able accent accidentals across additive adjusted adv advanced ageing agents airlines alerts aligned alignment aliquota
  allergen alliance alphabetical alternates alumno ampm analysers angles animal ankunft annotate answers antecedencia apertura aperture app approx
  apps archetype areas arg args armv array arret arrivals arrivee artifact asignatura assigned assume assumed atmosphere attrs authors autonomy
  backend background backlinks bag bags bairro baked balance banco band bands bank bare barrio bathroom beat beats bench benches benchmark bg biggest
  bills bin bins birthdate bitdepth bitrate bkg blank blocks boards border bpm brand brands breadth breaks brief buildargs builds built bulletpoints
  burst busiest button cables calc calorie camp campus candidates cantidad canvas cap caps card cardapio cards carriers cases cassa cats center
  centre centro certificate charset chat chatroom checkpoint children choice choices chord chords chroma chromosome cidades citation citations cities
  cli clock cloud cloudy clubs cm coarse colegio colormap colors colour colours colspan comarca combine comma common communal commune company
  compared competition compile complete completion complexity composer comune comuni concat concepts concise concurrency condensed console constants
  consumption contain containers contest continent contrast converted cooking corner corners corpus correct corriere cost coste costs couleur courses
  crf crop crops crosswind cultivar curr curso customer customers cut cycles cylinder dagen dash dashboard datasets datasource dbt deadline deadlines
  deal decimal decimals deck defaults define delimiter denominator density departments deps derived desk desktop destino detailed detected dettagli
  dettaglio diagonal diagram diagrams dialog diameter diapason dias diets digest digits dimensions dinner disability disciplina discipline dish
  dishes dislikes distances distinct districts dni doctype dogs domestic dominant dots draft drafts dried dubbed duplex duplicates dur dynamics each
  ears ease easiest east ecole edad editable edition editions einheit elements emoji emojis encoded energy enfant enfants engines enhancement enum
  envelope epoch epochs era escola especialidad estimated estimates eta etag evening everywhere excerpt exchange exclusions exercises exhibit
  experience experiment expertise exponent exposure exts fabric facets fachrichtung facility fact factor factors facts fade fahr failed fall farbe
  fares fatal fav favorites favourites feeder feeding feels fg fiat filament filiale film films filtered fine fire firm fish fit fixtures flag flat
  flatmates flavor flavour flights flow fluency fmt focal fold font fonts fontsize foods footnotes footprint forma formato forms fotos fraction
  fragment frame frames framing freeform frete front frost fullpage functions fund fy galleries games gap garden gauge gears genus geometry gerund
  gewicht giorni glance glasses goals godzina godziny golden gps gpu gpus graph grayscale greater greenhouse greeting grid grind groesse grootte
  growth guide guidelines habitacion habitat habits hall halte handedness handicap handle harmony harvest hashtags hat haul hay headline headlines
  heads health heart heat heating helligkeit helmet hemisphere herbs highlights hints hit hoeveelheid holiday horas horizons hot hotels housing http
  hub humid hybrid hypothesis icons idea ideas idle ilosc imagery imponibile importance imports incl indexes indicator indicators individual indoors
  infer infos ingredient ingredientes inicio init inlets inner inset insights instance instances instrument instruments integer intensity intent
  interior intermediate intl inverse inverter invoice invoices isnull issue issuer issues itens iteration iterations jars jobs journal journey
  jurisdiction kalendarz kana kategoria kernels keyboard kiln kilometers kilometres kitchen kits klasa kleur kolor kpi labelled labs lagoon lamp
  lanes langs lap laps lastest latencies latitudes lawn layers leaders leading leaf leerling legs lemma lenses letter letters lexicon libraries
  liczba light lights ligne lijn limits lineheight lineup lists live livestock llegada loads loc locales locate lod loop loose lot lots loudness
  lounge lufs lunch lure magnitude maintainer maintainers makes male mandatory manifest manual manuals manufacturer maps mare margins marke marker
  marketplace markets marks markup marque mask mass matcher material materials matrix matters maturity mealplan meals mealtime measures medecin media
  median medium melody memory men menge mentions menus merged merk microns mid midday miejsce mild milestones milk mins minuti minutos mm mobile
  mobility models moderate modes modifiers modules monitor monitors moods morning most motif motivo motor mountain movement movie movies mulch multi
  multiplayer music musical mutual nap native nazwa nearest needed negative neighborhood neighbourhood network nip nm nodeids nome nominal nonempty
  noon normalize normalized norms north nota notation notebook notebooks noun nouns npm nth numbers numresults nutrients nutrition oauthless obs
  occupancy octave octaves od odd office offices offsets okres omit onboard online open24h opened operator operators opis opt optional options ore
  org organic organisation organization organizer orient oriented origen oss outage outages outgoing outlets overall overlap overlays overview oz
  paciente packaged padding pads pagination pairs palette pan pane panels paper papers para paragraph parameter parameters parish park parks parser
  partition partitions pasajeros passage passages passive past pastry patterns paused paved peak peaks pedal pen pence pending percentages
  percentiles perennial performance performer periodo periods personality phases philosophy phonetic phrase phrases pieces pins pioggia pitch pixel
  pixels plane plant plants plates platforms plays plot plots podcasts pods poet poids pollen polygon pond pooling popularity porcoes positive
  possible pot potential pots ppm practice precio predicate predicted prefer prefixes premise preposition pressure prev previews prima prime
  principles print prior prioritise probability procedure produce products profession proficiency profiles profit progression prominence prompts
  pronouns proof proofs props prose protocol provincia proximity przedmiot przystanek ptz pub publisher publishers punctuation pupil purity quad
  quando quantite quarterly quarters questions queue quiz quotes radii raga rainfall raised ram random randomize ranges ranking raster rated ratings
  ratios reach reactions readability reader readiness reading readings rear reasoning recall receipt receipts recency recommended references refine
  regards regime regione regions reisende reizigers rel relevance remarks render repeats repetitions reports repos representation requirements
  resampled reserved respectively resting retina reviewers revisions rhyme rhythm ribbon ride riders rip risk ritenuta river robot robots roof
  rotated rotation rough round rounding rounds routes rozmiar rpe rps rti rua rules runtimes runway safe salida salinity salutation satellite
  saturation scales scenario scenarios scenes scheme schemes school schools schueler schule sci scores scoring screenshot sea seasonality seasons
  secs sections secular seedlings segments semantic semver senior sentence separator sequence serial serving setlist settimane severities shade
  shapes sharpness sheet sheets shelf shelves shift shifts shirt shoe shop shops should shows siblings sight signoff simplified simulation sitting
  skills skirt slant sleep slices slider slides slope slopes slug smoothing snippets solar solo solution solver songs sorts soups south spaces span
  spans spare specialite specialties specific speech speeds spelling spice spine splits sportsman spot spots spread spreadsheet springs sprints sr
  stages stand standard stanza stanzas starred starter statements stations stats statuses stemming stitches stock stories straight strain streams
  strecke strength strengths stretch strip strokes student students studio styles subdivision subgenre subregion substitutes subtitles subtopics
  suburb success suffixes suggest suggestions suites summaries summit sun sunlight supplier suppliers supports surface surname surroundings svc
  swatch swatches sweet swell syllables symptom symptoms syn synonyms syntax systems szkola tablet tabs tagged taille takeaways talk tall tannins
  targets taste taxa taxes taxon teaser technique techniques techs temperatur temperatures tempi tension terrace terrain territory testers textbook
  texto textures therm thesis thickness things thirds thresholds throttle thumb tide ties tiles timbre timeframe timeline timesteps timing timings
  tires toast toilets tokenizer tonality tones tonic tooling tools tooth topk tops torque touch tour tours trace traceback traces tracked trackers
  trade trail trails training trait traits transit transitions translator transliteration transpose transposition tread tree trees trends tries trips
  tropical tunes tuning turma turnaround turns tutor tweak two typeface uczen uf uhrzeiten ui umbrella unfinished uni uniform uptime uren usable
  usecase usual utm vacancies vacation vak vale valencia validity vantage variables variance variation variations varietals vars vector veg vehicles
  velocity vendor vendors vento venue venues venv verb verbs verses versus vertical vertrek vessel video videos views vineyard vintage vis vitamins
  voices voltage volumes votes vowels voyageurs waist waiting walks wall walls warm watering waves weave weighted weightings weights wet wheels
  whisky wholegrain widths wikis wildcard windspeed wine wines winter wires women wood wool wording work workdays workers workflows workouts
  worksheet world wrapped writing written xaxis xlabel xmax xmin yarn yaxis ylabel ymax ymin yoga zoomlevel
  agency band biome boards break chairs checked claims clue detach diarize dockerfile ecosystem ects expanded expr forks gb hardware hint hops host hosts hutch interface kerf kg g
  logger mailbox members newer norm older pantry peak pellets pkg plate pose pool proto race redact reviewer sales seed speakers sponsor statute tb than unheard verify_no_changes voice warmup warn
  alcaldia bleed cert council estacion linea nobetci pax resolver surgery teen teens terraza`
