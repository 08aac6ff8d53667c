"""Tagalog: fresh requests, many with a word that elsewhere points back."""

from __future__ import annotations

from training.references.grammar.compose import lines

NEGATIVES = lines("""
# ---- una, pangalawa, ikatlo …
sino {ba} (ang|yung) {ikang} (pangulo|bise presidente|hari|Pilipinong nanalo|babaeng pangulo|tao sa buwan|santo|reyna) (ng {bansa}|sa {bansa}|)?
ano {ba} (ang|yung) {ikang} (pinakamalaking|pinakamataas na|pinakamahabang|pinakamatandang) (isla|bundok|ilog|lungsod|gusali|simbahan) (sa {bansa}|sa mundo)?
kailan {ba} (ang|yung) (unang|kauna-unahang) (araw ng klase|sweldo|misa sa {bansa}|eleksyon|pelikulang Tagalog|Simbang Gabi|Olympics)?
ano {ba} (ang|) (unang lunas|paunang lunas|unang gagawin) (sa|kapag may) {sakit}?
ano (po |ba |) ang dapat (kong |) (unahin|unang gawin) (kapag|pag|kung) (may lindol|nawala ang {papel} ko|{sira} ang {gamit}|may {sakit} ang bata|lilipat ng bahay)?
unang beses ko(ng|) (pupunta sa {lugar}|mag-aaplay ng {papel}|sasakay ng eroplano|magluluto ng {ulam}|manganganak), ano (po |) ang (dapat kong dalhin|kailangan|tip ninyo)?
(ikalawang|pangalawang|unang) (dosis|bakuna|asawa|anak|trabaho) ko na, (kailangan ba ng {papel}|may epekto ba|ano ang dapat malaman)?
sino {ba} ang (unang|huling) (nakarating sa|umakyat sa|nanalo sa|umalis sa) {lugar}?
ano {ba} ang (unang|ikalawang|huling) (titik|saknong|kabanata|linya|taludtod) ng {akda}?
alin ang mas (mabuti|mura|matibay), {gamit} o {gamit}? (yung una ba|yung pangalawa ba|)
may dalawa akong pagpipilian, sa {lugar} at sa {lugar}; (mas maganda ba yung una|yung una ba ang dapat|alin ang pipiliin ko)?
sino ang mas (nauna|nauunang ipinanganak|matanda), si {bayani} o si {bayani}?
alin ang nauna, (manok o itlog|ang {paksa} o ang {paksa}|Rizal o Bonifacio)?
una sa lahat, (salamat|magandang araw), (paano|saan) (po |)(kumuha ng {papel}|pumunta sa {lugar})?
ilang segundo (ang|mayroon sa) isang (oras|araw|minuto)?
(ikatlong|ikalawang|unang) (baitang|taon|markahan) (na ang|na) anak ko, anong (libro|aralin) ang (maganda|kailangan)?
# ---- huli, nakaraan
anong oras {ba} (ang|yung) huling (biyahe|byahe|bus|tren|misa|barko|LRT|jeep) (papuntang|pa-|galing sa) {lugar}?
kailan {ba} (ang|yung) huling (sweldo|araw ng pasukan|araw ng bayaran|bagyo|lindol|eklipse|araw ng pagpaparehistro) (ng taon|sa {lugar}|ngayong buwan|)?
sino {ba} (ang|yung) huling (hari|Pilipinong|prinsesa|nanalo|pinuno|gobernador-heneral) (ng {bansa}|sa {bansa}|)?
ano {ba} (ang|yung) huling (sinabi|salita|habilin|tula|sulat) ni {bayani}?
huli na ba para (kumuha ng {papel}|magpabakuna|mag-aral|magtanim|magpatala)?
nahuli (ako|siya|ang {tao}) sa (klase|trabaho|biyahe|checkpoint), (ano ang gagawin|paano magpaliwanag|may multa ba)?
(paano|saan) (po |) (manghuli|nahuhuli|hulihin) ng (isda|daga|ibon|alimango|ahas)?
ano {ba} ang (nangyari|balita|panahon) noong nakaraang {panahon2} sa {lugar}?
noong nakaraang {panahon2}, (bumili ako ng {gamit}|kumuha ako ng {papel}|nagkaroon ako ng {sakit}), (may warranty pa ba|kailan ko makukuha|ano ang dapat gawin)?
(ang|yung) (dati|nauna|nakaraan) kong (amo|kumpanya|may-ari ng inuupahan|nobyo|guro) (ay ayaw magbigay ng|ay humihingi ng) {papel}, (ano ang gagawin ko|legal ba iyon)?
yung huling tanong sa (pagsusulit|quiz|panayam|board exam) (namin |ko |)ay tungkol sa {paksa@1}, ano ba (ang|yung) {paksa@1}?
(tatlong|dalawang|ilang) (araw|linggo) na (ang|yung) huling (regla|inom ng gamot|sahod|dumi) ko, normal ba iyon?
# ---- kanina, dati, noon, ulit, balik, sunod
kanina pa (masakit ang|sumasakit ang) (ulo|tiyan|ngipin|likod|dibdib) ko, (anong gamot|ano ang pwedeng inumin|kailangan na bang magpa-doktor)?
kanina (nahulog ang {gamit} ko|nakita ko si {bayani} sa TV|may lindol|nag-away kami ng {tao}|pinagalitan ako ng {tao}|nawala ang {papel} ko), (ano ang gagawin ko|paano ayusin|paano makipagbati)?
kaninang (umaga|tanghali|madaling araw) (nahilo ako|may {sakit} ako|umulan|nawalan ng kuryente), (normal ba iyon|bakit kaya|ano ang dapat gawin)?
{kailandati} (bumili ako ng {gamit}|nag-apply ako ng {papel}|kumain ako ng {ulam}|nagkaroon ako ng {sakit}), (pwede pa bang isauli|kailan ito makukuha|ano ang gagawin ko|ano ang gamot)?
(sabi|ayon sa|kuwento) (ng|kay|) (doktor|guro ko|tatay|kapitbahay|balita) (kanina|kahapon|noon|), {balita}, totoo ba (iyon|iyan|)?
ano (ang ibig sabihin|ang dapat gawin) (sa|noong) (yung |) sinabi ng (doktor|nars|guro|boss) ko kanina na "{sipi}"?
(tinanong|tinatanong) ako ng {tao} (kanina|kahapon|) tungkol sa {paksa}, (paano ko sasagutin|ano ang magandang sagot)?
(dati|noon|noong araw), (paano|ano) (po |ba |) (nagluluto|ang pera|nakikipag-usap|nabubuhay) ang mga (tao|ninuno natin|Pilipino)?
dati akong (nars|guro|OFW sa {lugar}|drayber), (paano mag-apply ulit|ano ang pwedeng trabaho|may pensyon ba ako)?
magkano (po |ba |)(ang {gamit}|ang bigas|ang pamasahe|ang ginto) (noon|dati|noong 1990|limang taon na ang nakalipas)?
paano (po |ba |) (bumalik|pabalik|umuwi|makabalik) (sa {lugar}|ng {lugar}|sa trabaho|sa dating timbang|sa pag-aaral) (mula|galing) (sa |){lugar}?
(paano|pwede bang) (ibalik|isauli|bawiin|maibalik) (ang|yung) (biniling {gamit}|pera ko|nawalang {papel}|tiwala ng {tao})?
(paano|kailan) (po |)(ako |)(kukuha|mag-aaplay|susubok|magpapatingin) ulit (ng|sa) ({papel}|{lugar2}|board exam)?
(ipaalala|paalalahanan) mo (ako|sa akin) (na |)(tawagan ulit|bayaran|bisitahin|batiin) (si nanay|ang kuryente|si lola|ang {tao}) {kailan2}
{sira} (na naman|ulit) (ang|yung) {gamit} (ko|namin), (paano ayusin|ano ang sira|saan magpagawa)?
(ilang|gaano kadalas) (beses|) (po |)(pwedeng |dapat |)(umulit|ulitin|inumin|magpa-check) (ng|ang) (board exam|gamot|bakuna|pagsusulit)?
ano {ba} (ang|) sunod na (pista|bagyo|bakasyon|hakbang sa pagkuha ng {papel}|pangulo)?
(sunod-sunod|paulit-ulit) (ang|na) (panaginip|{sakit}|utot|sipon) ko, (bakit kaya|normal ba|ano ang lunas)?
sino {ba} ang (sumunod|pumalit|sinundan) (kay|ni) {bayani}?
ano {ba} ang (dapat|kailangang) (gawin|kainin|dalhin|inumin) bago (matulog|maglakbay|operahan|magpa-blood test|kumuha ng {papel}|mag-ehersisyo|manganak)?
bago (po |) ako (bumili ng {gamit}|pumunta sa {lugar}|magpakasal|lumipat), ano {ba} (ang|) (dapat kong malaman|dapat tingnan|ihahanda)?
(bago|bagong) (ako sa {lugar}|lipat kami sa {lugar}|ang {gamit} ko|kasal kami), (ano ang unang gagawin|paano magparehistro|saan maganda)?
ano {ba} ang ibig sabihin ng "({sipi}|{salita})"?
(isalin|paano sabihin) (mo |) (sa |) {wika} (ang|yung) "{sipi}"
paano (po |) sumagot sa (mensaheng|text na|email na) "{sipi}"?
# ---- plain
paano {ba} (magluto|gumawa) ng {ulam} (na masarap|nang mabilis|para sa negosyo|para sa {mgatao}|)?
paano (po |ba |) {gawain} (nang mabilis|sa bahay|nang walang puhunan|kung baguhan|)?
ano (po |ba |) (ang |) mga (kailangan|hinihingi|requirements) sa (pagkuha|pag-renew) ng {papel}?
saan (po |ba |) (pwedeng |) (kumuha ng {papel}|bumili ng {gamit}|magpagawa ng {gamit}|magpatingin ng {sakit}) sa {lugar}?
magkano (po |ba |) (ang |) (pamasahe papuntang {lugar}|{gamit}|kilo ng bigas|bayad sa {papel}|isang order ng {ulam}) (ngayon|sa {lugar}|)?
ano (po |ba |) (ang |) (gamot|mabisang gamot|halamang gamot|pagkain) (sa|para sa) {sakit}?
ano {ba} ang {paksa}?
(ipaliwanag|ilarawan|talakayin) (mo |) ang {paksa} (sa simpleng salita|para sa {mgatao}|)
sino {ba} si {bayani}?
kailan (ipinanganak|namatay|nabuhay) si {bayani}?
(gumawa|gawan mo ako|sumulat) (ka |) ng (tula|liham|talumpati|kuwento|panalangin|awit) (para sa|tungkol sa) ({tao}|{paksa}|pag-ibig|kalikasan)
(gisingin|paalalahanan) mo ako (nang|ng) alas (sais|singko|otso|siyete) {kailan2}
{sira} (ang|yung) {gamit} ko, (paano ayusin|ano ang gagawin|saan magpagawa)?
(ano|anong) (ang |) (panahon|lagay ng panahon|oras|trapiko) sa {lugar} {kailan2}?
(ligtas|{ligtas}) (ba|po ba) (ang |) (uminom ng kape|kumain ng {ulam}|maglakbay sa {lugar}|mag-ehersisyo) (ang {mgatao}|{kailan2}|)?
(magandang|magandang) (umaga|hapon|gabi|araw) (po|sa iyo|sa inyo|)!
(kumusta|kamusta) (ka|po kayo|ka na|)?
(salamat|maraming salamat|salamat po) (ulit|sa tulong|sa tulong mo kanina|at ingat|nang marami|)
(paalam|sige, alis na ako|hanggang sa muli|ingat|sa uulitin)!
(sino ka|ano ang pangalan mo|ano ang kaya mong gawin|tao ka ba)?
(malungkot|pagod|kinakabahan|masaya|naiinip) ako (ngayon|ulit|nitong mga araw|kanina pa|)
ako (po |) (si|ay si) (Ana|Jun|Mang Tomas|Liza|Carlo), (taga-{lugar}|isang guro|isang nars|may maliit na tindahan) (ako|po|)
(magkuwento|magbigay) ka (nga |) ng (biro|bugtong|salawikain|alamat|nakakatawang kuwento)
gaano kalayo (ang|) {lugar} sa {lugar}?
anong magandang (regalo sa {tao}|pangalan ng sanggol|negosyo sa {lugar}|pelikula|ulam {kailan2})?
ilan (po |ba |) (ang |) (lalawigan ng {bansa}|buto ng tao|isla sa {bansa}|planeta|kabanata ng {akda})?
ano {ba} (ang|) kabisera ng {bansa}?
(ano|paano) {ba} (ang|yung) {topic.np}?
(gusto ko pong|gusto kong|nais kong) (matuto|malaman ang mga pangunahing bagay|magtanong) tungkol sa {topic.np}
(paano|saan) (po |ba |) (magsisimula|nagsisimula) (sa|ng) {topic.gerund}?
bakit (po |ba |) (maalat ang dagat|bughaw ang langit|laging {sira} ang {gamit}|umuulan|tayo nananaginip|mahal ang bigas)?
(ilang|magkano) {halaga} (ang|kung) (gawing|ipalit sa) (dolyar|piso|yen|gramo)?
# ---- nearest to a pointer: questions, answers and messages that belong elsewhere
ano {ba} (ang|yung) (huling|unang) tanong (sa Miss Universe|sa debate|sa panayam kay {bayani}|sa bugtungan)?
ano {ba} (ang|) (tamang |) sagot sa {ikang} (tanong|bilang|aytem) (sa pahina 10|ng modyul|sa pagsusulit|ng takdang-aralin)?
paano {ba} sagutin (ang|yung) (unang|huling|pangalawang) tanong sa (panayam|form ng {papel}|eksamen)?
(ibuod|isalin|sagutin) mo (ang|yung) (huling|nakaraang|unang) (mensahe|sulat|text) ng {tao}: "{sipi}"
(yung|ang) (nauna|nakaraan|huli) kong (tanong|sulat|mensahe) sa (guro|boss|kapitan|HR) ay hindi sinagot, (ano ang gagawin ko|uulitin ko ba)?
ano (ang sinabi|ang naisagot|ang sabi) ni {bayani} (noong una siyang|bago siya|noong huli siyang) (namatay|nahuli|nagtalumpati|bumalik sa {bansa})?
ilan {ba} (ang|) (tanong|aytem) sa (pagsusulit|civil service|board exam)?
(gumawa|magbigay) ka ng (limang|sampung|tatlong) tanong (tungkol sa|ukol sa) {paksa}
(kinausap|nakausap) ko (kanina|kahapon) (ang|yung) {tao} tungkol sa (utang|sweldo|kasal|lupa), (paano ko sasabihin ulit|ano ang magandang gawin)?
nung nag-usap kami ng {tao} (kanina|kahapon|), (nagalit siya|umiyak siya|hindi siya sumagot), ano ang gagawin ko?
(sabi|nabasa ko) sa unang lumabas sa Google, {balita}, tama ba (iyon|)?
(naaalala|natatandaan) mo ba (ang|yung) (dekada nobenta|EDSA|lumang piso|mga laruan noon)?
(naitatago|natatandaan|nakikita) mo ba (ang|) (mga dating usapan|mga sinasabi ng tao|mga lumang mensahe ko sa Messenger)?
isa-isahin mo mula una hanggang huli (ang|yung) (mga pangulo ng {bansa}|mga planeta|mga kabanata ng {akda})
kung sino ang huling dumating, siya ang taya - anong laro iyon?
(pinakauna|kauna-unahan|pinakahuli) (bang|ba) (siyudad|lungsod|paaralan|simbahan) sa {bansa} ang {lugar}?
""")
