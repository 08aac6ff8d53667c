"""Tagalog: words for slots, follow-ups that lean on the last answer, and objects of fresh requests."""

from __future__ import annotations

from training.references.grammar.compose import lines, rules
from training.references.grammar.tagalog_negatives import NEGATIVES as NEGATIVES

VOCABULARY = rules("""
said_clause = (kailangan|hindi kailangan|kailangan muna) ng {papel} / (bawal|pwede|hindi pwede) (ang {ulam}|iyon|pumunta sa {lugar}|ang {mgatao}) (sa {mgatao}|{kailan2}|) / {halaga} lang (ang bayad|ang multa|ang pamasahe)
said_clause = (aabutin|umaabot) ng (dalawang|tatlong|limang) (araw|linggo|buwan) / (dapat|huwag) (munang |) (hugasan ang bigas|magpatingin sa doktor|isara ang gripo|bayaran ang upa) / mas (mura|ligtas|mabuti) (sa {lugar}|kung {kailan2}|ang bago)
said_clause = (sarado|bukas) ang {lugar2} {kailan2} / ang {gamit} ay (sira na|kailangang linisin|luma na) / (libre|may bayad) ang {papel} / walang (bayad|multa|pasok|byahe) {kailan2} / huli na ang asin / (una|huli) ang {tao} na (pipirma|magbabayad) / nakakagamot ng {sakit} ang luya / hanggang {kailan2} lang ang bayaran / dalawang ID lang ang kailangan
lugar = Cebu / Davao / Baguio / Maynila / Japan / Saudi / Dubai / probinsya / Makati / Cubao / Batangas / Iloilo / Canada / Singapore / Hong Kong / Amerika / Palawan / Bicol / Quiapo / Tagaytay / Laguna / Zamboanga / Qatar / Cavite / Bohol / Pampanga / Antipolo
lugar2 = palengke / opisina / ospital / paaralan / munisipyo / barangay / simbahan / airport / botika / bangko / embahada / terminal
tao = nanay ko / tatay ko / asawa ko / anak ko / boss ko / guro ko / kapitbahay ko / kaibigan ko / kapatid ko / biyenan ko / lola ko / pinsan ko / amo ko / doktor ko / kaklase ko / nobya ko / bunso ko
mgatao = bata / buntis / matanda / estudyante / baguhan / OFW / nars / dayuhan / senior / guro / magsasaka / drayber / maliit na negosyo / may diabetes
kailan2 = bukas / mamayang gabi / sa Linggo / tuwing tag-ulan / sa umaga / sa gabi / sa susunod na linggo / sa Pasko / ngayong Biyernes / tuwing hapon / sa susunod na buwan / kapag piyesta
gamit = cellphone / laptop / rice cooker / bentilador / motor / kotse / washing machine / refrigerator / kalan / aircon / telebisyon / gripo / makina / bisikleta / plantsa
ulam = adobo / sinigang / tinola / kare-kare / pansit / lumpia / bibingka / puto / leche flan / biko / ginataan / nilaga / menudo / daing / kaldereta / lugaw / sisig
paksa = potosintesis / implasyon / demokrasya / siklo ng tubig / Katipunan / diabetes / klima / ekonomiya / alamat ng pinya / pang-uri / pandiwa / globalisasyon / sistemang solar / dengue / SSS / kolonyalismo / bayanihan
papel = pasaporte / lisensya / birth certificate / NBI clearance / bisa / cedula / PhilHealth ID / TIN / sertipiko / barangay clearance / titulo ng lupa / marriage certificate / police clearance / diploma
bayani = Jose Rizal / Andres Bonifacio / Lapu-Lapu / Apolinario Mabini / Gabriela Silang / Melchora Aquino / Antonio Luna / Emilio Aguinaldo / Francisco Balagtas / Manny Pacquiao / Magellan / Cory Aquino
sakit = lagnat / sakit ng ulo / ubo / sakit ng ngipin / pagtatae / sipon / rayuma / sakit ng tiyan / pantal / hilo / pilay / sakit ng likod / sinat
sira = ayaw bumukas / laging namamatay / sobrang init / tumutulo / maingay / ayaw mag-charge / ang bagal / amoy sunog / basag ang screen / walang signal
kailandati = kahapon / noong isang linggo / dalawang linggo na ang nakalipas / noong isang buwan / kanina / kaninang umaga / noong Sabado / tatlong araw na ang nakaraan / noong bata pa ako / limang taon na ang nakalipas / kagabi / isang oras na ang nakalipas
panahon2 = linggo / buwan / taon / Sabado / Pasko / gabi / semestre
halaga = 500 piso / dalawang libo / isang daan / tatlong milyon / isang kilo / 20 mil / limampung piso
gawain = magluto / lumangoy / magmaneho / mag-ipon / sumayaw / magtahi / magtanim ng kamatis / mag-gitara / magsulat ng tula / magnegosyo / mag-Ingles / magpapayat / mag-aral nang mabuti
akda = Noli Me Tangere / El Filibusterismo / Florante at Laura / Ibong Adarna / Bibliya / Encantadia / Lupang Hinirang / Ang Probinsyano / Heneral Luna
ika = una / pangalawa / pangatlo / ikalawa / ikatlo / ikaapat / ikalima / pang-apat / ikasampu
ikang = unang / pangalawang / pangatlong / ikalawang / ikatlong / ikaapat na / ikalimang / ika-10 na
bansa = Pilipinas / Japan / Amerika / Espanya / Tsina / Pransiya / Korea / Brazil / India
ligtas = ligtas / masama / mahal / bawal / delikado / masustansya / libre / mahirap / pwede / normal / mabisa / legal
sipi = Maligayang kaarawan / Kita tayo bukas / Ingat ka palagi / Mahal kita / Salamat sa tulong mo kanina / Balik ka ulit / Pasensya na nahuli ako / Una sa lahat, salamat / Tatawagan ka namin ulit / Huli man daw at magaling, naihahabol din
balita = masama raw ang kape / kailangan daw ng dalawang ID / tataas daw ang presyo / wala raw pasok / nakakagamot daw ang bawang / bawal daw lumipad ang buntis / una raw dapat ang bayad / huli na raw ang aplikasyon
""")

FOLLOWUP_OBJECTS = {
    "P": "(ito|iyan|yan|iyon|yun|ito|sagot mo|ang sagot mo|lahat ng iyan)",
    "Psa": "(dito|diyan|doon|rito|sa sagot mo)",
    "Png": "(nito|niyan|noon|ng sagot mo)",
}

FRESH_OBJECTS = lines("""
{paksa}
pagkakaiba ng {paksa} at {paksa}
{ikang} kabanata ng {akda}
huling kabanata ng {akda}
unang (hakbang|lunas) sa {sakit}
buhay ni {bayani}
kasaysayan ng {lugar}
kasaysayan ng {bansa}
kahulugan ng salitang "{salita}"
salitang "{salita}"
pangungusap na "{sipi}"
kasabihang "{sipi}"
tekstong ito: "{sipi}"
mga sanhi ng (digmaan|baha|kahirapan|{sakit}|implasyon)
mga kailangan sa pagkuha ng {papel}
proseso ng pagkuha ng {papel}
huling (bilin|habilin|sulat|tula) ni {bayani}
unang (pangulo|nobela|pelikula|digmaan) ng {bansa}
nakaraang (halalan|pamahalaan|pulong namin|sweldo ko|resulta ng pagsusulit ko)
huling sweldo ko
liham ng {tao}
alamat ng (pinya|saging|rosas|bulkang Mayon|durian)
recipe ng {ulam}
pangalawang saknong ng {akda}
pandaigdigang digmaan
una at huling (pahina|pantig|titik) ng (aklat|salita|tula)
mga tanong sa (pagsusulit|panayam) (namin|ko|) (bukas|noong isang linggo|)
sinabi ng (doktor|guro|pari|boss) (ko |namin |)(kanina|kahapon|)
""")

VOCABULARY |= rules("""
salita = gunita / bayanihan / una / huli / kanina / pag-ibig / ulit / kapalaran / balik / takipsilim / sunod / nauna
""")

FOLLOWUPS = lines("""
bakit (po|naman|ganoon|ganun|nga|hindi|)?
(bakit|paano|papaano) (po |)(ganoon|ganun|nangyari iyon|naging ganyan)?
paano (po |naman |) kung (sa {lugar}|{kailan2}|dalawa|tatlo|wala akong pera|hindi pwede|maulan|gabi|matanda na|buntis|nasa {lugar} ako|walang ID)?
(eh |e |) (kung|paano kung|pag) (sa {lugar}|{kailan2}|sa gabi|tatlo kami|wala ako noon|ayaw nila|sarado|naubos na|hindi gumana|bata pa|walang kuryente)?
(eh |e |) (sa|yung sa|kumusta naman sa) {lugar}?
(sa|at sa|pati sa) {lugar} (po|naman|ba|kaya|)?
(para sa|pati|kasama ba) (mga |ang mga |){mgatao} (ba|po ba|rin ba|)?
(kailan|saan|sino|magkano|ilan|gaano katagal|gaano kalayo|alin) (po|naman|ba|nga|daw|)?
magkano (po |ba |naman |)(iyon|iyan|ito|lahat|ang bayad|ang isa|ang bawat isa|aabutin)?
(gaano|ga'no) (po |ba |)(katagal|kalaki|kalayo|kahirap|kamahal|kadalas) (iyon|iyan|ito|)?
{ligtas} (ba|po ba|ba talaga) (iyon|iyan|ito|yan|yun) (sa {mgatao}|para sa {mgatao}|)?
(totoo|sigurado|talaga|seryoso) (ka ba|ba|ba iyan|po ba|)?
(pwede|puwede) (ba|po ba) (iyon|iyan|ito) (sa {mgatao}|{kailan2}|sa {lugar}|online|araw-araw|sa bahay)?
(pwede|puwede) (bang|po bang) (iba|bukas na lang|hulugan|palitan|ibalik|kalahati lang|wala na lang asukal|tubig na lang)?
(ano|alin|sino) (po |ba |) (ang |) (mas mura|mas mabilis|mas maganda|pinakamura|mas ligtas|mas malapit|pinakamadali) (doon|diyan|sa dalawa|)?
(ano|may) (pa|pa ba|iba pa ba|iba pa|pang iba)?
(magbigay|bigyan mo ako) (ka |) (pa |) ng (isa pa|halimbawa|lima pa|iba pa|mas mura)
(dagdagan|paikliin|habaan|bawasan|ulitin|ayusin|palitan|ituloy|linawin) mo (pa|nga|naman|po|)
(mas maikli|mas simple|mas mahaba|mas pormal|isa pa|mas malinaw) (po|naman|nga|pa|)
(isalin|isalin mo|pakisalin) (ito |iyan |) sa {wika}
sa {wika} (naman|po|nga|)
(hindi ko|di ko|hindi ko pa rin) (maintindihan|gets|makuha|masundan) (po|iyan|)
(ano|anong) (po |) (ang |) ibig (mong |) sabihin (niyan|nito|noon|)?
(tapos|pagkatapos|at pagkatapos|saka|tapos po) (ano na|ano po|ano ang gagawin|ano ang susunod|)?
(ano|anong) (na |po |) (ang |)(susunod|gagawin ko|kailangan ko|dadalhin ko|isusuot ko)?
(kailangan|dapat|pwede) (ko |) (ba|po ba|pa ba) (noon|niyan|iyon|iyan|silang bayaran|nito)?
saan (po |ba |) (ako |) (makakabili|makakakuha|pupunta|bibili|magbabayad) (noon|niyan|nito|)?
(sino|kanino|ano) (po |ba |)(siya|iyon|sila|ang may-ari|ang gumawa noon)?
(ilang|anong) (taon|oras|araw|kulay|petsa|piraso|kilo) (po|ba|naman|nga|iyon|)?
anong oras (po |ba |) (sila |) (nagbubukas|nagsasara|nagsisimula|natatapos)?
(may|meron) (ba|bang|po bang) (bayad|multa|limitasyon|mas mura|ibang paraan|epekto|kapalit|deadline)?
(halimbawa|tulad ng ano|gaya ng ano|gaya ng)?
(kahit|pati) (sa {lugar}|{mgatao}|{kailan2}|Linggo|walang resibo)?
(oo|opo|sige|sige po|okay|hindi|ayoko), (ituloy mo|gawin mo|sige na|yung mura|isa pa|huwag na)
(mali|hindi tama|hindi iyan|parang mali) (yata|ata|po|) (iyan|ang sagot|)
(sinubukan|ginawa) ko na (pero ayaw|pero mali|at ayaw gumana|pero ganun pa rin|), (ano na|bakit kaya|paano na)?
(nang|kung|kapag) wala(ng|ng) (asukal|oven|gata|sasakyan|bisa|pera|sibuyas|toyo), (ano ang kapalit|pwede ba|paano)?
(at|eh) (ang|yung) (presyo|bayad|sangkap|kailangan|petsa|oras|epekto|oras ng byahe)?
(gumagana|umaabot|nalalapat|kasya|umuubra) (ba|po ba) (iyon|ito|iyan) (sa {lugar}|sa {mgatao}|{kailan2})?
(kung|kapag) (oo|hindi|ganoon|gayon), (paano|saan|ano ang gagawin ko|magkano)?
""")
