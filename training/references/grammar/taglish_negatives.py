"""Taglish: fresh requests, many with a word that elsewhere points back."""

from __future__ import annotations

from training.references.grammar.compose import lines

NEGATIVES = lines("""
# ---- first, second, una …
sino {ba} (yung|ang|) {ikang} (president|vice president|king|Pinay na nanalo|tao sa moon|gold medalist|Filipino) (ng {bansa}|sa {bansa}|)?
ano {ba} (yung|ang|) {ikang} (pinakamalaking|largest|pinaka-mataas na|richest na) (island|city|mountain|building|country) (sa {bansa}|sa mundo)?
(first aid|first step|unang gagawin) (sa|pag|for) (may |) {sakit} (po|)?
first time ko (pupunta sa {lugar}|sumakay ng plane|mag-apply ng {papel}|magluto ng {ulam}|manganak|mag-solo travel), (any tips|ano dapat dalhin|ano gagawin|nakakakaba)
ano (ba |) (unang|first na) (gagawin|step|dapat unahin) (pag|kung|if) (nawala {papel} ko|{sira} yung {gamit}|may lindol|na-scam ako sa {app}|buntis ako|lilipat sa {lugar})?
(second|2nd|first|pangalawang) (dose|baby|job|year college|semester|offense) (ko na|na ng anak ko|namin), (need ba ng {papel}|magkano|may side effects ba|ano expect)?
(sino|ano) (ba |) (yung |ang |) (nauna|first|unang lumabas|mas nauna), (iPhone or Android|manok o itlog|{palabas} or {palabas}|Rizal o Bonifacio)?
may dalawa akong (offer|options|choices), sa {lugar} at sa {lugar}, (mas okay ba yung una|yung first ba|alin mas maganda|tama ba kunin yung second)?
(alin|which is) (mas |) better, {gamit} na (brand new o second hand|mura o mahal)? (yung una ba|)
(pili ka|choose ka|ano mas bet mo): 1. {ulam} 2. {ulam} 3. {ulam}
pano (kunin|i-get|i-delete) yung (first|last|second) (row|element|column|word|line) sa {app}?
(anong|what) floor (yung |ang |) {ikang} (clinic|office|branch) (sa {lugar}|)?
magandang (first date|first car|first phone|first job|first business) (idea|ideas|) sa {lugar}?
ano (yung |) (first|last|second) (song|track|episode|chapter|boss) (ng|sa) {palabas}?
sino (nag|) (first|second|third|champion|1st runner up) sa (Miss Universe|PBA finals|MPL|The Voice|UAAP)?
second hand na {gamit}, (ano dapat i-check|worth it ba|san makakabili)?
# ---- last, huli, previous, nakaraan
anong oras {ba} (yung|ang|) (last trip|huling biyahe|last bus|last full show|huling byahe ng MRT|last flight) (pa-|papuntang |to |ng ){lugar}?
kelan {ba} (yung|ang|) (last|huling) (day|araw|sweldo|bagyo|enrollment|filing|payment) (ng {papel}|sa {lugar}|ng taon|ng registration|this month)?
sino (yung |ang |) (last|huling) (nanalo|president|champion|hari|namatay) (sa|ng) ({palabas}|{bansa}|PBA|UAAP)?
last {panahon2} (bumili ako ng {gamit}|nag-apply ako ng {papel}|nagka-{sakit} ako|pumunta kami sa {lugar}), (may warranty pa ba|kelan makukuha|normal ba|refundable ba)?
magkano (nagastos|kinita|bill|sweldo) ko last {panahon2}?
(previous|dating|ex|last) (employer|landlord|boss|school|company) ko (ayaw magbigay ng|hinihingi yung|na-lost yung) {papel}, (ano gagawin ko|legal ba yun|pwede ba yun)?
yung (last|huling) (question|tanong) sa (exam|quiz|interview|board exam) (namin|ko) (kanina|kahapon|) is about {paksa@1}, ano ba yung {paksa@1}?
yung (last|previous) (question|tanong) ng (interviewer|prof|client|customer) (ko |) ay about {paksa}, pano (sagutin|ba i-explain)?
(huli|late|last minute) na ba (mag-apply ng {papel}|mag-enroll|mag-book sa {lugar}|magpabakuna)?
nahuli (ako|kami|sya) ng (MMDA|traffic enforcer|boss ko|guard), (magkano multa|ano gagawin|pano tubusin lisensya)?
pano (i-undo|i-delete|i-recover) yung (last|previous) (message|edit|version|commit|post) sa {app}?
gaano (katagal|kadalas) (mag-last|tumatagal|nag-la-last) (yung |ang |) ({gamit}|{sakit}|{ulam}|tattoo|hangover)?
last na {halaga} ko na to, pano (i-budget|pagkasyahin hanggang sweldo)?
nasaan (yung|ang) previous (version|page|level|chapter) sa {app}?
# ---- kanina, earlier, before, ago, dati
kanina pa (masakit|sumasakit) (ulo|tyan|ngipin|likod|dibdib) ko, (anong gamot|ano pwede inumin|need na ba magpa-ER)?
(kanina|earlier) (nahulog {gamit} ko|may lindol|pinagalitan ako ng {tao}|nag-away kami ng {tao}|na-scam ako sa {app}|nawala {papel} ko|na-flat kami), (ano gagawin ko|pano ayusin|pano mag-sorry|help)
{kailandati} (bumili ako ng {gamit}|nag-apply ako ng {papel}|nag-order ako sa {app}|kumain ako ng {ulam}|nagka-{sakit} ako), (pwede pa ba i-return|kelan dadating|ano gagawin ko|normal ba|ano gamot)?
(sabi|kwento|chika) (ng|ni) ({tao}|doktor|prof|kapitbahay|mama|HR) (kanina|kahapon|earlier|), {balita}, (totoo ba|legit ba|true ba yun)?
yung sinabi ng (doktor|prof|boss|teller|HR) (ko |) (kanina|kahapon|earlier) na "{sipi}", (ano ibig sabihin nun|okay lang ba|pano mag-reply)?
(tinanong|inask|tinatanong) ako ng {tao} (kanina|kahapon|) (about|tungkol sa) {paksa}, (pano ko sasagutin|ano magandang sagot|ano isasagot ko)?
(interviewer|prof|client|boss) ko (asked|nagtanong) (two|tatlong|ng dalawang) (questions|tanong) about {paksa}, pano (ba |) sagutin?
dati akong (nurse|OFW sa {lugar}|call center agent|teacher|rider), (pano bumalik sa work|anong work pwede|pwede pa ba mag-apply)?
magkano (po |ba |) (ang |yung |) ({gamit}|gas|bigas|pamasahe|dollar) (dati|noon|before|10 years ago|nung 2010)?
(ano|what) (dapat|need|kailangan) (gawin|dalhin|i-check|kainin) (before|bago) (mag-flight|magpa-blood test|bumili ng {gamit}|mag-workout|mag-sign ng contract|matulog|pumunta sa {lugar})?
(before|bago) (ako |) (bumili ng {gamit}|mag-resign|lumipat sa {lugar}|magpakasal), ano (ba |) dapat (i-check|alamin|i-consider)?
ano {ba} (nangyari|news|balita) (kanina|kahapon|last {panahon2}|earlier) sa {lugar}?
(napanood|nakita|nabasa) ko (kanina|kahapon|earlier) sa (TikTok|news|FB) na {balita}, totoo ba?
may tumawag (sakin |) kanina (from|galing) (bank|LBC|{app}|unknown number), scam ba yun?
# ---- again, ulit, balik, repeat, remind, sunod
pano (bumalik|pabalik|umuwi|mag-commute pabalik|makabalik) (sa|ng) {lugar} (galing|from|mula) {lugar}?
pano (ibalik|i-return|i-recover|mabawi|mabalik) (yung |ang |) (binili kong {gamit} sa {app}|na-delete na pics|pera ko sa {app}|account ko sa {app}|tiwala ng jowa ko)?
(pano|kelan) (ako |) (pwede |) (mag-apply|mag-take|mag-book|mag-try|mag-renew) ulit (ng|sa) ({papel}|boards|{lugar}|{app})?
{sira} (na naman|ulit|again) (yung |) {gamit} ko, (pano ayusin|ano gagawin|palitan ko na ba)
(remind mo ko|i-remind mo ako|paalala mo sakin|set reminder) (na |to |) (tawagan si mama|magbayad ng {app}|uminom ng gamot|i-message ulit {tao}|bumalik sa dentist) {kailan2}
(balik|back to) (school|office|trabaho) na {kailan2}, (ano dapat i-prepare|ano need dalhin|nakakatamad)
(gusto ko|plan ko|balak ko) (bumalik|mag-balik) (sa {lugar}|sa school|sa ex ko|sa gym|sa dati kong work), (ano need|tama ba|worth it ba|pano)?
(masakit|sumasakit) (yung |) likod ko, anong (exercise|gamot|stretching) (maganda|pwede)?
nag-text (ulit |) (yung ex ko|si crush|{tao}) (kanina|ulit|again), (replyan ko ba|ano ire-reply ko|bakit kaya)?
pano mag-(repeat|loop) ng (song|video|alarm) sa {app}?
(ilang|how many) (beses|times) (pwede|dapat) (i-retake|ulitin|mag-repeat) (yung |ang |) (boards|exam|{papel} exam|set sa gym)?
(ano|kelan) (yung |ang |) (next|sunod na|susunod na) (holiday|episode ng {palabas}|bagyo|sale sa {app}|step sa pagkuha ng {papel})?
ano {ba} (yung |) (title|name) nung (movie|song|series|anime) na (paulit-ulit yung araw|lumubog yung barko|may time travel|bumalik sya sa past|nakalimutan nya lahat)?
sino (yung |) (sumunod|pumalit|next) (kay|ni|after) {sikat}?
(pano|ano) (mag-reply|isasagot|ire-reply) (ko |) sa "{sipi}"?
(ano|anong) (meaning|ibig sabihin) ng "({sipi}|{salita})"?
(i-translate mo|pa-translate|pano sabihin) (yung |) "{sipi}" (sa|in|to) {lang2}
# ---- plain
pano (po |ba |) (magluto|gumawa|mag-bake) ng {ulam} (yung madali lang|na pang negosyo|without oven|for 5 people|)?
pano (po |ba |) {gawain} (for beginners|ng mabilis|kahit walang budget|sa {lugar}|while working|)?
ano (po |ba |) (ang |yung |) (requirements|need|kailangan|process) (sa|for|pag kukuha ng) {papel} (renewal|sa {lugar}|online|)?
(magkano|hm|how much) (po |ba |) (ang |yung |) ({gamit}|flight to {lugar}|renewal ng {papel}|{ulam} for 10 pax|rent sa {lugar}) (ngayon|sa {lugar}|)?
san (po |ba |) (may magandang {gamit}|pwede magpa-repair ng {gamit}|kumuha ng {papel}|masarap kumain ng {ulam}|pwede mag-date) sa {lugar}?
ano (po |ba |) (gamot|home remedy|mabisang gamot|pwedeng inumin) (sa|for) {sakit}?
(ano|what is) (ba |po |) (ang |yung |) {paksa} (at pano gumagana|in simple terms|for {mgatao}|)?
(explain mo|paki-explain|pa-explain) (nga |) (ano |yung |) {paksa} (in simple terms|para sa {mgatao}|)
sino (ba |) si {sikat}?
{sira} (yung |) {gamit} ko, (pano ayusin|ano gagawin|help pls|san magpagawa)
(gawa|gawan mo|write|gumawa) (ka |ako |) (ng|) (caption|tula|resignation letter|excuse letter|birthday greeting|cover letter|essay about {paksa}) (for|para sa|about) (kay |) {tao}
(recommend|suggest|pa-recommend) (ka |) (naman |) ng (kdrama|budget {gamit}|resto sa {lugar}|gift for {tao}|anime|skincare for {sakit}|side hustle)
(ano|kumusta|how's) (yung |ang |) (weather|traffic|panahon) sa {lugar} {kailan2}?
{adj} (ba|po ba) (mag-travel sa {lugar} {kailan2}|uminom ng coffee pag may {sakit}|bumili ng {gamit} sa {app}|kumain ng {ulam} sa gabi)?
pwede (ba|po ba) (sa {mgatao} yung {ulam}|mag-drive sa {lugar} pag {mgatao}|mag-work sa {lugar} ang {mgatao})?
(ano|anong) (pinagkaiba|difference) ng ({gamit} at {gamit}|{paksa} at {paksa}|{app} at {app})?
(hi|hello|hello po|good morning po|good eve|yow|uy|musta)
(kumusta|musta|kamusta) (ka|ka na|po|)?
(thanks|salamat|thank you po|tysm|ty) (ulit|again|sa help|sa tulong kanina|lods|haha|ang galing mo|)
(bye|sige bye|babush|good night|gn|ttyl|brb)
(sino gumawa sayo|ano kaya mong gawin|tao ka ba|ano name mo)?
(stressed|malungkot|pagod|bored|sad|kinakabahan) ako (ngayon|lately|ulit|today|sa work|kanina pa|huhu)
(taga-{lugar} ako|nurse ako sa {lugar}|student ako|may maliit akong online shop|OFW ako sa {lugar}), (pano mo ko matutulungan|can you help me|nice to meet you|)
(joke|bugtong|pick up line|fun fact|hugot) (nga |naman |) dyan
(convert|magkano|ilan) (mo |) (ang |) {halaga} (to|in|sa) {pera}
(compute|solve) mo (nga |) (15% of 2500|2x + 5 = 15|12 x 15|average ng 85 90 at 92)
(set|mag-set) (ka |) (ng |) (alarm|timer|reminder) {kailan2}
bakit (po |ba |) (ang init sa {lugar}|ang mahal ng {gamit}|laging {sira} yung {gamit}|ako laging puyat|may {sakit} ako lagi|nag-cra-crash {app})?
gaano kalayo (yung |) {lugar} (from|sa) {lugar}?
pano (po |ba |) (gamitin|i-install|mag-login|mag-register|mag-cash in|magbenta) (sa |ng |) {app}?
(ano|what) (ba |) (yung |ang |) {topic.np}?
(pano|san) (ba |po |) (mag-start|magsimula) (sa|ng) {topic.gerund}?
(gusto ko|want ko|interested ako) (matuto|malaman basics) (about|ng) {topic.np}
{papel} requirements
{ulam} recipe (pls|na madali|)
best {ulam} sa {lugar}
{gamit} {sira}
{lugar} to {lugar} (commute|pamasahe|bus schedule|how to go)
# ---- nearest to a pointer: questions, answers and messages that belong elsewhere
ano {ba} (yung |) (last|first|final|huling) (question|tanong) sa (Miss Universe|debate|PBB|Jeopardy|bar exam|Family Feud)?
ano {ba} (yung |) (tamang |) (sagot|answer) sa {ikang} (question|tanong|number|item) (ng module|sa page 10|sa quiz|ng assignment|sa exam)?
pano (ba |po |) sagutin (yung |) (first|last|second|unang|huling) (question|tanong) sa (interview|form ng {papel}|survey|embassy)?
(i-summarize|i-translate|pa-translate|replyan) mo (yung |) (last|previous|huling|first) (message|email|text|chat) (ng|ni|from) {tao}: "{sipi}"
yung (previous|last|first|naunang) (question|email|message) ko sa (HR|landlord|prof|seller|support) di sinagot, (i-follow up ko ba|ano gagawin|send ko ba ulit)?
(kinausap|nakausap|chinat) ko (kanina|kahapon|earlier) (si |yung |) {tao} about sa (utang|sweldo|rent|OT), (pano i-follow up|pano sabihin ulit|ano next step)?
nung nag-usap kami ng {tao} (kanina|kahapon|), (nagalit sya|na-seen lang ako|umiyak sya), ano gagawin ko?
ilan (ba |) (yung |) (questions|items|tanong) sa (civil service|LET|boards|driving exam)?
(gawa|bigyan mo|generate) (ka |ako |) (ng |) (5|10|sampung|limang) (questions|tanong) about {paksa} (with answers|pang quiz|)
(naaalala|remember) mo (ba |pa ba |) (yung |) (Friendster|90s|Nokia 3310|Flappy Bird|Wowowee)?
(nase-save|nakikita|natatandaan) mo ba (yung |) (old chats|mga convo ng ibang tao|previous conversations|mga dating chat ko sa Messenger)?
pano (i-scroll|bumalik|mag-back) sa (first|pinaka unang) (message|chat|post) sa {app}?
sabi ng first result sa Google {balita}, legit ba?
(sinabihan|sabi sakin) ako (kanina|kahapon|earlier) (ng guard|ng nurse|sa {lugar2}) na {balita}, (totoo ba|tama ba)?
(inask|tinanong) ko (si |) {tao} (kanina|kahapon) about {paksa@1} pero di nya alam, ano ba (yung |) {paksa@1}?
ang sagot ko sa (interview|exam|recit) kanina ay mali, (pano bumawi|okay lang ba|ano dapat)?
sino (yung |) (unang|first|huling|last) (nag-reply|nag-comment|nag-message|sumagot) sa (post ko|gc) sa {app}, pano makita?
(i-rank|i-arrange) mo from first to last: {lugar}, {lugar}, {lugar}
first come first serve ba sa {lugar2}?
""")
