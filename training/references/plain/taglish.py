"""Taglish plain mentions, and further ways to count and to date."""

from __future__ import annotations

from training.references.grammar.compose import lines, rules

RULES = rules("""
tuloy = gano katagal / may mas mura ba / pwede paikliin / ano pa need / free ba / sino kakausapin ko / pwede ba kahit walang ID / pwede online / alin mas ok / magkano lahat / safe ba / bakit ganun / may example ka / whats next / may limit ba / pwede bilisan / may iba pa bang way / pano simulan / enough na ba yun / pwede i-skip / sulit ba / san makikita / what time open / pwede sa bata / gawin mong simple / in english pls / di gumana sakin / dagdagan mo nga / palitan mo / ilan need / kelan deadline / kasama na ba tax / ok lang ba / need pa ba / worth it ba / pano pag late / pwede bang cash / legit ba / add mo name ko
kung = student ako / umuulan / late ako / nasa abroad ako / wala akong ID / may bata / senior na / walang budget / dalawa kami / taga province ako / luma phone ko / newbie ako / holiday / credit card gamit ko
anyo2 = mas maikli / shorter / mas formal / simple lang / mas detailed / funny / in English / in Tagalog / mas malinaw / pambata / pang IG / 1 page lang
q5 = ano / magkano / ilan / kelan / san / sino / alin / pano / bakit / gano katagal / anong oras / anong araw / how much / hm / what time / saan
uri = topic / concern / issue / request / problem / pinag-usapan / bagay / hiningi ko ng help / subject / task / inquiry
""")

SURE = lines("""
{q5} nga (ulit|uli|po ulit|pala ulit|pala|po|ult) (yung|ung|ang|) {topic.np}?
{q5} (na nga|na nga po|ulit|uli|nga|ult|again) (yung|ung|ang|) {topic.np}?
(yung|ung|'yung) {topic.np} nga (ulit|uli|pala|po|pls)
{topic.np} (ulit|nga ulit|nga pala|again|ult)?
(nakalimutan|nalimutan|di ko na maalala|na-forget|nawala sa isip) ko (na |) (yung|ung|kung ano yung) {topic.np}
(balikan|ulitin|ituloy|i-revisit|i-continue|daanan ulit) natin (yung|ung) {topic.np}
(pano|bakit) (nga|na nga|nga ulit|ulit) {ba} {topic.gerund}?
(remind mo|paki-remind|i-remind mo) (nga |) (ako |) (sa|about|dun sa) {topic.np}
(yung|ung) {topic.np} na (ginawa|nilista|sinulat|hinanap|inayos|cinompute|binigay|tinuro|prinepare|gawa) mo(, {tuloy}|)
(yung|ung) {topic.np} (kanina|dati|earlier|nung una|sa taas|above)(, {tuloy}|)
(dun|don|doon) (ulit |) (sa|tayo sa|muna sa) {topic.np}(, {tuloy}|)
bakit nga (ulit |po |) {topic.clause}?
(sino|alin|ano|which) nga (yung|ung) {topic.keyword}?
{q5} (yung|ung) {topic.np} (nga|ulit), (nakalimutan ko|sorry|di ko nasulat|na-close ko)
back (ako |tayo |) (sa|dun sa|to) {topic.np}
asan na tayo (sa|dun sa) {topic.np}?
ano (na |) (yung |) (napag-usapan|result|verdict|final|sagot|summary|details|price|name|date|reason|steps|total|advice) (natin |) (sa|dun sa|ng|about sa) {topic.np} (ulit|nga|kanina|)?
(pa-send|pakita|pasend|bigay mo) (ulit|uli|nga ulit|again) (yung|ung) {topic.np}
(tinuro|inexplain|kinwento) mo (sakin |) (yung|ung) {topic.np}
(same|kagaya|gaya) (ng|nung) ginawa mo sa {topic.np}
(gusto kong|want ko|gusto ko pang) (balikan|i-clarify|ituloy|malaman pa) (yung|ung) {topic.np}
(so|ibig sabihin|meaning) {topic.clause}, (gaya ng|like) sabi mo?
di (pa rin |) (malinaw|ko gets|clear) (sakin |) (yung|ung) {topic.np}
may (payo|sagot|list|example|number|tip|reco) ka (sa|for|about) {topic.np}, (ano yun|pa-repeat|ano nga ulit)
(yung|ung) {topic.bare} (mo |natin |) (ulit|again|nga)
what was (the |yung |) {topic.bare} (ulit|nga|again)?
(san|pano|ano) na nga (yung|ung) (sa|dun sa) {topic.np}?
""")

OPEN = lines("""
(yung|ung|'yung|yong) {topic.np}(,|) {tuloy}?
(yung|ung|'yung) sa {topic.np}(, {tuloy}?|?|)
sa {topic.np} naman, {tuloy}?
(about|abt|regarding|tungkol) (sa |dun sa |) {topic.np}, {tuloy}?
(gawin|gawan) mong {anyo2} (yung|ung) {topic.np}
(i-translate|itranslate|paikliin|ayusin|dagdagan|palitan|i-edit|i-revise|i-update|linawin) mo (nga |naman |) (yung|ung) {topic.np}
need (pa ba|rin ba|ba talaga|ba) (ng|yung|ung) {topic.np}?
(pwede|pde|ok) (ba|rin ba|pa ba) (yung|ung) {topic.np} (kung|kapag|pag|if) {kung}?
(more|dagdag|iba pang) (info|details|example) (about |) (sa |) {topic.np}
pano (kung|pag) {kung}, (yung|ung) {topic.np}?
(so|ibig sabihin|so ayun) {topic.clause}(, tama ba|, diba|, right|)?
bakit {topic.clause}?
(tinry|ginawa|sinunod) ko (na |) (yung|ung) {topic.np} (pero|kaso) (di gumana|di ko nakuha|may problem|wala nangyari)
{topic.gerund}, {tuloy}?
eh (yung|ung) {topic.np}, {tuloy}?
{topic.np}?
{topic.np} pls
""")

ORDINAL = lines("""
(yung|ung) {start.nth_ng} {uri} (natin|ko|) (ulit|nga|)
{start.nth_ng} (question|tanong|sagot|answer|msg) (ko|mo) (ulit|nga|po|pls|)
(yung|ung) {start.nth}(, pa-repeat|, pls| nga| ulit| po|)
(sa|dun sa) {start.nth_ng} (tanong|question|sagot|answer), {tuloy}?
(kunin|gamitin|open|i-explain|sagutin|piliin) mo (yung|ung) {start.nth} (ulit|nga|muna|pls|)
(i-compare|compare|pagsamahin|i-merge) mo (yung|ung) {start.nth} at {start.nth} (na sagot|na tanong|answers|)
(balik|back) (tayo |) (sa|to) {start.nth_ng} (tanong|topic|question)
ano (yung|ung) {start.nth} (kong |na |) (inask|tinanong|sinabi|hiningi) ko?
<end=1>(yung|ung) (pinakahuli|latest|last|most recent|pinaka-last na sagot) (ulit|nga|mo|ko|pls|)
<end=2>(yung|ung) (second to last|pangalawa sa huli|bago yung last|2nd to the last)
<start=1>(yung|ung) (pinakauna|very first|pinaka first|kauna-unahan) (kong tanong|nating usapan|dito|) (ulit|nga|)
(question|tanong|sagot|number|no.) {start.digit}(, {tuloy}?| ulit| nga| pls|)
last {tail.card} (questions|answers|tanong|sagot) (ko|mo|natin|) (ulit|nga|pls|)
first {head.card} (questions|answers|tanong) (ko|mo|) (ulit|nga|pls|)
""")

RELATIVE = lines("""
<ago=1>(yung|ung) (nauna|previous|bago) (nito|dito|to) (ulit|nga|pls|)
<ago=2>(yung|ung) (before the last|nauna sa last|bago yung last ko)
<offset=-1>(ano|yung|ung) (nauna|before|bago) (sa|ng|nung|) {topic.np}?
<offset=1>(ano|yung|ung) (kasunod|next|sumunod|after) (ng|sa|nung|) {topic.np}?
<offset=1>after (natin sa|ng|nung) {topic.np}, ano (yung |) (inask|sumunod|pinag-usapan) (ko|natin|)?
<offset=-1>before (natin pag-usapan |yung |nung ){topic.np}, ano (yung |) (inask|nauna|pinag-usapan) (ko|natin|)?
{ago.card} (questions|tanong|msgs|chats) (back|pataas|bago nito|ago)(, {tuloy}?|)
""")

TEMPORAL = lines("""
<time=just_now>(yung|ung) (kakasabi|kakasagot|kakabigay|kaka-explain|kakasend) mo (lang|pa lang)
<time=just_now>(yung|ung) (ngayon-ngayon|just now|kani-kanina|ngayon) lang (na sagot|na sinabi mo|)
<time=earlier>(yung|ung) (kanina|dati|kani-kanina|earlier|knina) (ulit|nga|pa|pls|)
<time=earlier>(kanina|dati|earlier) (natin|ko|mo) (yun|un) (sinabi|pinag-usapan|inask)(, {tuloy}?|)
<time=earlier>ano (nga |ba |) (yung|ung) (usapan|ginagawa|topic) natin (kanina|dati|earlier|before nito)?
<time=opening>(yung|ung|ano) (pinagsimulan|start|umpisa|pinaka pakay) (natin|ko|ng convo|nito)?
<time=opening>(nung|noong) (nag-start|nagsimula|nag-open) (tayo|ako|yung chat)(, ano yun|, ano inask ko|)
""")

NEGATIVES = lines("""
(nakalimutan|nawala|na-forget) ko (yung|ung) (wallet|susi|password|ID|phone) ko, (ano gagawin ko|pano to|help)
(yung|ung) (anak|aso|boss|kapitbahay|jowa|lola) ko (ayaw kumain|laging galit|may fever|di makatulog), (ano gagawin ko|normal ba yun|pano ba to)?
(about|tungkol) sa (kasal|utang|work|thesis) ko, (ano dapat kong gawin|sino kakausapin|san magstart)?
{q5} (ang|yung) (capital ng Japan|highest mountain|bagong tax law|presyo ng bigas ngayon|password ng wifi sa SM)?
(explain|kwento|gawan) mo (ako ng |yung |) (alamat ng pinya|life ni Rizal|gravity|history ng Manila|caption for my selfie)
bakit (umuulan|ang mahal ng kuryente|blue ang sky|sumasakit ulo ko|ang bagal ng net)?
need (ba|pa ba) ng (passport|resibo|reseta|permit) (para bumyahe|para magtinda|sa Cebu|this year)?
""")
