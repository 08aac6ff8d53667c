"""Tagalog plain mentions, and further ways to count and to date."""

from __future__ import annotations

from training.references.grammar.compose import lines, rules

RULES = rules("""
tuloy = gaano katagal / may mas mura ba / pwede bang paikliin / ano pa ang kailangan / libre ba / sino ang lalapitan ko / pwede ba kahit wala akong ID / pwede ba online / alin ang mas maganda / magkano lahat / ligtas ba / bakit ganoon / may halimbawa ka ba / ano ang susunod / may hangganan ba / pwede bang bilisan / may iba pa bang paraan / paano magsimula / sapat na ba iyon / pwede bang laktawan / sulit ba / saan makikita / anong oras bukas / pwede ba sa bata / gawin mong mas simple / isulat mo sa Ingles / hindi gumana sa akin / dagdagan mo nga / palitan mo nga / ilan ang kailangan / kailan ang huling araw
kung = estudyante ako / umuulan / nahuli ako / nasa abroad ako / wala akong ID / may bata / matanda na / walang pera / dalawa kami / taga-probinsya ako / luma ang telepono ko / bago pa lang ako
anyo2 = mas maikli / mas pormal / mas simple / mas detalyado / mas nakakatawa / Ingles / Tagalog / mas malinaw / pambata
q5 = ano / magkano / ilan / kailan / saan / sino / alin / paano / bakit / gaano katagal / anong oras / anong araw
uri = paksa / usapin / bagay / pinag-usapan / hiling / problema / inihingi ko ng tulong / isyu / itinanong / pakiusap
""")

SURE = lines("""
{q5} nga (ulit|uli|po ulit|pala ulit|pala|po) (yung|ang|iyong) {topic.np}?
{q5} (na nga|na nga po|ulit|uli|nga) (yung|ang|iyong) {topic.np}?
(yung|ang) {topic.np} nga (ulit|uli|pala|po)
{topic.np} (ulit|nga ulit|nga pala|uli nga)?
(nakalimutan|nalimutan|hindi ko na maalala|nakaligtaan|nawala sa isip) ko (na |)(yung|ang|kung ano yung) {topic.np}
(balikan|ulitin|ituloy|pag-usapan ulit|daanan ulit) natin (yung|ang) {topic.np}
(paano|bakit) (nga|na nga|nga ulit|ulit) {ba} {topic.gerund}?
(ipaalala|pakipaalala) mo (nga |)(sa akin |)(yung|ang) {topic.np}
(yung|ang|iyong) {topic.np} na (ginawa|inilista|isinulat|hinanap|inayos|kinompyut|ibinigay|itinuro|inihanda) mo(, {tuloy}|)
(yung|ang|iyong) {topic.np} (kanina|dati|noong una|sa itaas)(, {tuloy}|)
(dun|doon) (ulit |)(sa|tayo sa|muna sa) {topic.np}(, {tuloy}|)
bakit nga (ulit |po |) {topic.clause}?
(sino|alin|ano) nga (yung|ang) {topic.keyword}?
{q5} (yung|ang) {topic.np} (nga|ulit), (nakalimutan ko|pasensya na|hindi ko naisulat)
(babalik|bumabalik) ako (sa|dun sa) {topic.np}
nasaan na tayo (sa|dun sa) {topic.np}?
ano (na |)(ang |)(napagkasunduan|kinalabasan|pasya|sagot|resulta|buod|detalye|presyo|pangalan|petsa|dahilan|hakbang) (natin |)(sa|dun sa|ng|tungkol sa) {topic.np} (ulit|nga|kanina|)?
(pakibigay|pakipakita|ibigay mo) (ulit|uli|nga ulit) (yung|ang) {topic.np}
(itinuro|ipinaliwanag|kinuwento) mo (sa akin |)(yung|ang) {topic.np}
(gaya|katulad|pareho) (ng|nung) ginawa mo sa {topic.np}
(gusto kong|gusto ko pang) (balikan|linawin|ipagpatuloy|malaman pa) (yung|ang) {topic.np}
(ibig sabihin|kung gayon|so) {topic.clause}, gaya ng sabi mo?
hindi pa (rin |)(malinaw|ko maintindihan) (sa akin |)(yung|ang) {topic.np}
may (payo|sagot|listahan|halimbawa|numero|babala) ka (sa|para sa|tungkol sa) {topic.np}, (ano iyon|pakiulit|ano nga ulit)
""")

OPEN = lines("""
(yung|ang|iyong|'yung) {topic.np}, {tuloy}?
(yung|iyong|'yung) sa {topic.np}(, {tuloy}?|?|)
sa {topic.np} naman, {tuloy}?
(tungkol|hinggil|patungkol) sa {topic.np}, {tuloy}?
(gawin|gawan) mong {anyo2} (yung|ang) {topic.np}
(isalin|paikliin|ayusin|dagdagan|palitan|baguhin|linawin|palawakin) mo (nga |naman |) (yung|ang) {topic.np}
kailangan (pa ba|rin ba|ba talaga|ba) (ng|yung|ang) {topic.np}?
(pwede|puwede) (ba|rin ba|pa ba) (yung|ang) {topic.np} (kung|kapag|pag) {kung}?
(dagdag na|iba pang|karagdagang) (detalye|impormasyon|halimbawa) (tungkol |) sa {topic.np}
paano kung {kung}, (yung|ang) {topic.np}?
(so|ibig sabihin|kung ganoon) {topic.clause}(, tama ba|, di ba|)?
bakit {topic.clause}?
(sinubukan|ginawa|sinunod) ko (na |) (yung|ang) {topic.np} (pero|kaso) (hindi gumana|hindi ko nakuha|may problema|walang nangyari)
{topic.gerund}, {tuloy}?
eh (yung|ang) {topic.np}, {tuloy}?
{topic.np}?
{topic.np} po
""")

ORDINAL = lines("""
(yung|ang) {start.nth_ng} {uri} (natin|ko|) (ulit|nga|)
{start.nth_ng} (tanong|sagot|mensahe) (ko|mo) (ulit|nga|po|)
(yung|ang) {start.nth}(, pakiulit|, po| nga| ulit|)
(sa|doon sa|dun sa) {start.nth_ng} (tanong|sagot|mensahe), {tuloy}?
(kunin|gamitin|buksan|ipaliwanag|sagutin) mo (yung|ang) {start.nth} (ulit|nga|muna|)
(pagkumparahin|pagsamahin|ihambing) mo (yung|ang) {start.nth} at {start.nth} (na sagot|na tanong|)
(balik|bumalik) (tayo |)sa {start.nth_ng} (tanong|usapan|paksa)
ano (yung|ang) {start.nth} (kong |na |)(tinanong|itinanong|sinabi|hiningi) ko?
<end=1>(yung|ang) (pinakahuli|pinakabago|huli|pinakahuling sagot|pinakahuling tanong) (ulit|nga|mo|ko|)
<end=2>(yung|ang) (pangalawa sa huli|bago ang huli|bago yung huli|ikalawa mula sa huli)
<start=1>(yung|ang) (pinakauna|pinaka-una|kauna-unahan|kauna-unahang tanong) (ko|nating usapan|dito|) (ulit|nga|)
(tanong|sagot|bilang|numero) {start.digit}(, {tuloy}?| ulit| nga| po|)
(huling|nakaraang) {tail.card_ng} (tanong|sagot) (ko|mo|) (ulit|nga|)
(unang) {head.card_ng} (tanong|sagot) (ko|mo|) (ulit|nga|)
""")

RELATIVE = lines("""
<ago=1>(yung|ang) (nauna|sinundan|bago) (nito|dito|ito) (ulit|nga|)
<ago=2>(yung|ang) (bago ang huli|nauna sa huli|bago yung huli kong tanong)
<offset=-1>(ano|yung|ang) (nauna|bago|sinundan) (sa|ng|ang) {topic.np}?
<offset=1>(ano|yung|ang) (kasunod|sumunod|pagkatapos) (ng|sa|nung) {topic.np}?
<offset=1>pagkatapos (natin|ng|nung) {topic.np}, ano ang (tinanong|sumunod|pinag-usapan) (ko|natin|)?
<offset=-1>bago (natin pag-usapan |yung |ang ){topic.np}, ano ang (tinanong|nauna|pinag-usapan) (ko|natin|)?
{ago.card_ng} (tanong|sagot|mensahe) (pabalik|pataas|bago nito|ang nakararaan)(, {tuloy}?|)
""")

TEMPORAL = lines("""
<time=just_now>(yung|ang) (kasasabi|kasasagot|kabibigay|kapapaliwanag|kasusulat) mo (lang|pa lang)
<time=just_now>(yung|ang) (ngayon-ngayon|ngayon|kani-kanina|bago-bago) lang (na sagot|na sinabi mo|)
<time=earlier>(yung|ang) (kanina|dati|kani-kanina|noong nakaraan|mga kanina) (ulit|nga|pa|)
<time=earlier>(kanina|dati) (natin|ko|mo) (yun|iyon) (sinabi|pinag-usapan|tinanong)(, {tuloy}?|)
<time=earlier>ano (nga |ba |) (yung|ang) (usapan|ginagawa|tinatalakay) natin (kanina|dati|bago ito)?
<time=opening>(yung|ang|ano ang) (pinagsimulan|simula|umpisa|unang pakay) (natin|ko|ng usapan|nito)?
<time=opening>(nung|noong) (nagsimula|nag-umpisa|nagbukas) (tayo|ako|ang usapan)(, ano yun|, ano ang tinanong ko|)
""")

NEGATIVES = lines("""
(nakalimutan|nawala) ko (yung|ang) (pitaka|susi|password|ID|telepono) ko, (ano ang gagawin ko|paano ito|tulong)
(yung|ang) (anak|aso|boss|kapitbahay|asawa|lola) ko (ay |) (ayaw kumain|laging galit|may lagnat|hindi makatulog), (ano ang gagawin ko|normal ba iyon|paano ba ito)?
(tungkol|hinggil) sa (kasal|utang|trabaho|pag-aaral) ko, (ano ang dapat kong gawin|sino ang lalapitan|saan ako magsisimula)?
{q5} (ang|yung) (kabisera ng Hapon|pinakamataas na bundok|bagong batas sa buwis|presyo ng bigas ngayon|pambansang bulaklak)?
(ikuwento|ipaliwanag|isulat) mo (ang|yung) (alamat ng pinya|buhay ni Rizal|batas ng grabidad|kasaysayan ng Maynila)
bakit (umuulan|umiiyak ang sanggol|mahal ang kuryente|asul ang langit|sumasakit ang ulo ko)?
kailangan (ba|pa ba) ng (pasaporte|resibo|reseta|permiso) (para bumiyahe|para magtinda|sa Cebu|ngayong taon)?
""")
