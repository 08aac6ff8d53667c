"""Tagalog: how people point back at a turn of the conversation."""

from __future__ import annotations

from training.references.grammar.compose import lines, rules
from training.references.grammar.language import Grammar
from training.references.grammar.tagalog_fresh import FOLLOWUP_OBJECTS, FOLLOWUPS, FRESH_OBJECTS, NEGATIVES, VOCABULARY

RULES = (
    rules("""
ang = yung / yung / yung / 'yung / ang / ang / iyong / yong
sa = sa / sa / dun sa / doon sa / don sa / dun po sa
ng = ng / nung / noong / nang
po = po / _ / _ / _
nga = nga / naman / _ / _ / po / nga po
ba = ba / _ / po ba / nga ba / po / nga
yata = yata / ata / pala / _ / _ / po
t = tanong / tanong / tanong / katanungan / mensahe / itinanong / tinanong
s = sagot / sagot / tugon / paliwanag / sinagot / isinagot / sinabi
ts = tanong / sagot / mensahe / tugon / usapan / paksa / napag-usapan
tinanong = tinanong ko / itinanong ko / naitanong ko / tanong ko / inusisa ko / pinadala ko / sinabi ko / nabanggit ko / hiningi ko
sinabi = sinabi mo / sinagot mo / isinagot mo / naisagot mo / binanggit mo / nabanggit mo / ipinaliwanag mo / sagot mo / payo mo / ibinigay mo / isinulat mo
usapan = usapan / usapan natin / kuwentuhan / chat na ito / pag-uusap / pag-uusap natin / chat natin / usapang ito
ulitin = pakiulit / paki-ulit / pakiulit nga / ulitin mo / ulitin mo nga / ulitin mo naman / pwede bang ulitin / puwede po bang ulitin / paki ulit
ipakita = ipakita mo / pakipakita / pakihanap / hanapin mo / ilabas mo / ibigay mo ulit / pakibigay ulit / pakita mo nga / pakibalik / ipadala mo ulit
ipaliwanag = ipaliwanag mo / pakipaliwanag / paliwanag mo nga / pwede mo bang ipaliwanag / pakilinaw / linawin mo / himayin mo / palawakin mo / pakipaliwanag po
wika = Ingles / Tagalog / Cebuano / Ilokano / Espanyol / Filipino / Hapon / simpleng Tagalog / Bisaya
anyo = listahan / talata / talahanayan / email / sulat / buod / tula / liham / mensahe sa text / isang pangungusap
kanino = nanay ko / asawa ko / boss ko / guro ko / kliyente ko / anak ko / kapatid ko / mga kasama ko / lola ko
paano2 = sa isang pangungusap / nang mas maikli / nang dahan-dahan / nang isa-isa / sa simpleng salita / na may halimbawa / nang mas detalyado / para maintindihan ng bata / nang buo / ulit / muli
dahilan = nakalimutan ko na / hindi ko nasundan / hindi ko naintindihan / nawala sa screen ko / kailangan ko sa trabaho / tinatanong ng boss ko / hindi ko nakopya / na-lowbat ako / hinahanap ng asawa ko / ipapakita ko sa guro ko / isusulat ko kasi / hindi ako nakinig
karugtong = magkano nga ulit / totoo ba talaga / pwede bang dagdagan / ano ang ibig mong sabihin / hindi ko pa rin maintindihan / sigurado ka ba / saan galing iyon / may iba pa bang paraan / hindi gumana / sinubukan ko na / gaano katagal / saan ako magsisimula / ano ang susunod / pwede bang palitan / may itatanong lang ako / may linaw lang ako / bakit ganoon / ano nga ulit / pakilinaw / paano kung hindi pwede / kasama ba ako doon / alin ang mas mura / tama ba
""")
    | VOCABULARY
)

TASKS = lines("""
{ipaliwanag} {po} {P} {paano2}
{ipaliwanag} {P}
(ibuod|buodin|paikliin|paiikliin) mo {nga} {P} {paano2}
(pakibuod|pakiikli|pakisumaryo) {nga} {P}
(isalin|pakisalin|isalin mo|pakitranslate) {nga} {P} sa {wika}
(gawin|gawan) mo {nga} (ng|) {anyo} {P}
(gawing|gawin mong) {anyo} {P}
(isulat|isulat mo|pakisulat) (ulit|muli|) {P} sa mas (simpleng|pormal na|malinaw na|magalang na) paraan
(ipadala|pakipadala|ipasa) {nga} {P} kay {kanino2}
(i-save|itago|tandaan|ilista|isulat) mo {P} {para2}
hindi ko (maintindihan|naintindihan|nagets|masundan|makuha) {P}
(naguguluhan|nalilito|nalito|naguluhan) ako {Psa}
(ano|ano po) (ang|ba ang) (ibig sabihin|kahulugan|buod|punto|mahalaga|pinakamahalaga) {Png}?
(totoo|tama|sigurado|tumpak) (ba|po ba|ba talaga) {P}?
(suriin|pakisuri|tingnan|icheck|pakitingnan) mo {nga} {P} kung (tama|may mali|totoo|kumpleto)
(dagdagan|bawasan|ayusin|itama|baguhin|palitan) mo {nga} {P}
(magbigay ka {nga}|bigyan mo {nga} ako) ng (halimbawa|detalye|dagdag na impormasyon|patunay) {Psa}
(bakit|paano naging) (ganoon|ganun|mahalaga|ganyan) {P}?
(basahin mo|pakibasa) {nga} {P} (nang malakas|nang dahan-dahan|)
(gamitin mo|gawing batayan|gawin mong basehan) {P} (sa|para sa) (sulat|report|takdang-aralin|presentasyon) ko
(burahin mo|kalimutan mo|huwag mo nang pansinin|laktawan mo|balewalain mo) (na lang|) {P}
(paghambingin|ihambing|ikumpara) mo {P} sa (opisyal na sagot|iba|nakita ko sa internet|mas murang opsyon)
(ilista|isa-isahin|ilahad) mo (ang mga hakbang|ang mga punto|ang mahahalagang bahagi) {Png}
(may|meron) (ba|bang) (mas simple|mas maikli|ibang) bersyon {Png}?
gusto ko (pang|) (malaman|maintindihan|pag-aralan) {P}
""")

RECALLS = lines("""
ano {ba} (ulit|) {P}?
ano {ba} {P} (ulit|nga ulit|kamo|)?
{ulitin} {po} {P}
{ulitin} {P}(, {dahilan}|)
{ipakita} {P} {po}
(balikan|balikan nga|balikan po|pag-usapan ulit|tingnan ulit) natin {P}
(balik|bumalik|balik muna|bumalik muna|babalik lang|balik po) (tayo|ako) {Psa}
(pwede|puwede|maaari) (bang|po bang|ba tayong|po ba tayong) bumalik {Psa}?
{P} {po}
{P}, {ulitin}
{P}, {karugtong}
{P} (ulit|nga ulit|nga|naman|po ulit)
(tungkol|ukol|hinggil) {Psa}, {karugtong}
{Psa}, {karugtong}
ang (tinutukoy|ibig kong sabihin|gusto kong sabihin|hinahanap) ko (ay |po ay |){P}
{P} (ang|po ang|yung) (tinutukoy|ibig kong sabihin|kailangan|hinahanap|gusto) ko
hindi (iyan|yan|iyon|yun|po iyan), {P} (po|)
(hindi|di) (iyan|yan) ang (tanong|tinutukoy) ko, kundi {P}
(ay mali|mali pala|teka|sandali|ay hindi pala), {P} (pala|po pala|)
(naaalala|natatandaan) mo (pa|pa ba|ba|pa po ba) {P}?
(nakalimutan|nalimutan|hindi ko na maalala|hindi ko na matandaan) ko (na|) {P}
(hindi ko makita|nawala|hindi ko mahanap) {P}, {ulitin}
(may|meron) (tanong|paglilinaw|karugtong na tanong|dagdag na tanong|idadagdag) (lang |pa |) (ako|po ako) {Psa}
(sagutin|sagutin mo|pakisagot|ituloy mo|ipagpatuloy mo|tapusin mo) (ulit|nga|na|) {P}
ano (ang|ba ang|po ang|nga ang) (sagot|sinabi|sinagot|naging sagot|tugon) mo {Psa}?
paano mo (sinagot|ipinaliwanag|tinugunan) {P}?
(ayon|base|batay) {Psa}, {karugtong}
{dahilan}, (kaya |)(pwede bang|pakisuyong) ulitin {P}
(kopyahin|pakikopya|sipiin) mo {P} (nang buo|dito|)
(pareho|kapareho|iba|magkaiba) (ba|po ba) (ito|iyan) {Psa}?
(salamat|sige|okay|ah okay|opo), (ngayon |tapos |ngayon naman |){P} (naman|po|)
(mas gusto|nagustuhan|ayaw) ko {P}
{P} (ang|yung) (gamitin|sundin|piliin|ituloy) (mo|natin)
eh {P}?
paano {P}?
ipaalala mo {nga} (sa akin |) {P}
pakipaalala {nga} {P}
(ipagpatuloy|ituloy) natin {P}
(gusto|nais) ko (pong|) (balikan|makita ulit|mabasa ulit|marinig ulit) {P}
(alin|ano) (po|nga|) (ba|) {P}?
""")

CASE_RULES = rules("""
kanino2 = nanay / boss / misis / mister / guro / kliyente / Ana / Jun / ate / kuya
para2 = para mamaya / para sa akin / sa talaan ko / po / _
""")

ORDINAL = lines("""
{start.nth_ng} {t} ko
{start.nth_ng} {s} mo
{start.nth_ng} {ts}
{start.nth_ng} (bagay na |bagay |){tinanong}
{start.nth_ng} (bagay na |){sinabi}
{start.nth_ng} (tanong|sagot|mensahe) (sa {usapan}|natin dito|)
(tanong|sagot|mensahe) (bilang|numero|blg.|numero) {start.digit}
{start.nth}
{start.nth} (kong|ko na|ko pong) (tanong|itinanong|naitanong|tinanong)
{start.nth} (mong|mo na|mo pong) (sagot|sinabi|isinagot|nabanggit)
tanong ko na {start.nth}
sagot mo sa {start.nth_ng} (tanong|tanong ko|katanungan ko|mensahe ko)
sagot mo sa {start.nth}
(sagot|tugon) sa (tanong numero|numero|tanong bilang) {start.digit}
numero {start.card}
(tanong|sagot) #{start.digit}
#{start.digit}
{start.nth} at {start.nth}
{start.nth} at {start.nth_ng} (tanong ko|sagot mo|tanong|mensahe)
(tanong|sagot|numero) {start.digit} at {start.digit}
(tanong|sagot|numero) {start.digit}, {start.digit} at {start.digit}
unang {head.card_ng} (tanong ko|sagot mo|tanong|mensahe|sagot)
{head.card_ng} unang (tanong ko|sagot mo|tanong)
huling {tail.card_ng} (tanong ko|sagot mo|tanong|mensahe|sagot)
{tail.card_ng} huling (tanong ko|sagot mo|sagot)
(tanong|sagot|numero) {from.digit} hanggang {to.digit}
<end=1>huling (tanong ko|sagot mo|tanong|sagot|mensahe|sinabi mo|itinanong ko|tinanong ko|bagay na tinanong ko)
<end=1>huli (kong|ko pong) (tanong|itinanong|tinanong|mensahe)
<end=1>huli (mong|mo pong) (sagot|sinabi|isinagot|tugon)
<end=1>(pinakahuli|pinakahuling tanong ko|pinakahuling sagot mo|kahuli-hulihang tanong ko|pinakabagong tanong ko|huli)
{end.nth} (sa|mula sa|buhat sa) (huli|dulo|hulihan)
{end.nth_ng} (tanong|sagot|mensahe) (mula sa|sa|buhat sa) (huli|dulo|hulihan|ibaba)
{end.nth} sa (pinakahuli|huling tanong)
<end=1>{start1.nth} at (huli|huling tanong ko|huling sagot mo|pinakahuli)
<end=1>{start.nth} at huli
(({start1=pinakaunang}|{start1=kauna-unahang}|{start1=pinaka-unang}) (tanong ko|sagot mo|sinabi ko|itinanong ko)|{start1=pinakauna} kong (tanong|itinanong|sinabi))
(tanong|mensahe) kong (<start=1>nauna sa lahat|{start1=pinakauna})
({start1=pinakauna}|<start=1>orihinal kong tanong|<start=1>orihinal na tanong|{start1=kauna-unahan} kong tanong)
(una|pangalawa|huli)(, ay mali|, ay hindi|, mali pala|... teka), {start.nth} pala
{start.nth_ng} tanong (mula sa|buhat sa|galing sa) (simula|itaas|umpisa)
{start.nth} mula sa (simula|umpisa|itaas)
{start.nth} sa mga (tanong ko|tinanong ko|itinanong ko|sagot mo|sinabi mo)
{start.nth} sa listahan ng mga tanong ko
(sinabi|isinagot) mo (sa|para sa) {start.nth_ng} tanong (ko|)
{start.nth_ng} (hiling|hinihingi|pakiusap|usisa) ko
tanong ko (noong|nung) {start.nth_ng} (beses|pagkakataon)
{start.nth} sa (lahat ng|) (itinanong|tinanong) ko (sa iyo|)
huling {tail.card_ng} (napag-usapan|pinag-usapan) natin
<end=1>(pinakabago|pinakahuli) (kong tanong|mong sagot|nating pinag-usapan)
({end2=ikalawa}|{end2=pangalawa}) sa huling (tanong ko|sagot mo)
<one_of=1>(isa|alinman|kahit alin) sa unang {head.card_ng} (tanong ko|sagot mo|tanong|sagot)
<one_of=1>(isa|alinman) sa huling {tail.card_ng} (tanong ko|sagot mo|tanong|sagot)
<one_of=1>{start.nth} (yata |ata |)o (baka |yung |ang |){start.nth}
<one_of=1>{start.nth} o {start.nth_ng} (tanong ko|sagot mo|tanong|sagot|mensahe)
<one_of=1>(tanong|sagot|numero) {start.digit} o {start.digit}
<one_of=1>alin man sa {start.nth} (o|at) {start.nth}
<one_of=1><start=1><start=2><start=3>isa sa mga (una|nauna|pinakauna|naunang) (kong tinanong|kong tanong|mong sagot|nating napag-usapan)
<one_of=1><end=1><end=2><end=3>isa sa mga (huli|pinakahuli) (kong tinanong|kong tanong|mong sagot|nating napag-usapan)
<end=1>(panghuli|panghuling tanong ko|panghuling sagot mo|panghuli kong tanong|panghuli mong sagot|panghuli sa lahat)
<end=1>(nasa hulihan|nasa pinakadulo|nasa dulo|nasa pinakahulihan|sa hulihan|sa dulo|sa pinakadulo)
<end=1>(hulihang|pangwakas na|pinakadulong|dulong|pinakahuling) (tanong ko|sagot mo|tanong|sagot|mensahe)
<end=1>(hulihan|pinakahulihan|kahuli-hulihan) (ng|sa) (mga tanong ko|mga sagot mo|usapan)
<end=1>(tanong|sagot) (na nasa dulo|na nasa hulihan|sa bandang dulo|sa pinakababa)
""")

ORDINAL_SENTENCES = lines("""
ano {ba} (ang|yung) {start.nth_ng} (tinanong|itinanong|naitanong) ko (sa iyo|sayo|kanina|)?
ano {ba} ang {start1=una} kong (tinanong|itinanong|sinabi|naitanong) (sa iyo|dito|sayo|)?
ano {ba} ang {start.nth} kong (tinanong|itinanong|naitanong)?
ano {ba} ang (isinagot|sinagot|sinabi|sagot) mo sa {start.nth_ng} (tanong|tanong ko|katanungan)?
ano {ba} ang (isinagot|sinagot|sagot) mo sa {start.nth}?
<end=1>ano {ba} (ang|yung) huli kong (tinanong|itinanong|sinabi|tanong)?
<end=1>ano {ba} (ang|yung) huli mong (sinabi|sinagot|sagot)?
<end=1>ano {ba} ang (huling|pinakahuling) (sinabi|sinagot|isinagot) mo?
{start.nth_ng} tanong {nga} {po}
{start.nth_ng} sagot, {ulitin}
(bumalik|balik) {nga} (tayo|) sa {start.nth}
(pagsamahin|ihambing|paghambingin|pag-isahin) mo (ang|yung) {start.nth} at {start.nth_ng} sagot (mo|)
(ibuod|ulitin|isalin) mo (ang|yung) unang {head.card_ng} (tanong ko|sagot mo)
(ibuod|ulitin|isalin) mo (ang|yung) huling {tail.card_ng} (tanong ko|sagot mo|mensahe)
hindi (yung|ang) (una|huli|pangalawa), (yung|ang) {start.nth}
(marami|ang dami|ilan) (akong|ko nang) (tinanong|itinanong), (sagutin|ulitin|balikan) mo (yung|ang) {start.nth}
sa (lahat ng|mga) (tanong|tinanong) ko, (yung|ang) {start.nth} (ang|yung) (kailangan|gusto|mahalaga|tinutukoy) ko
kung (bibilangin|magbibilang) (mula|buhat) sa (simula|umpisa), (yung|ang) {start.nth}, {karugtong}
kung (bibilangin|magbibilang) (mula|buhat) sa (dulo|huli), (yung|ang) {end.nth}, {karugtong}
(uulitin|inuulit|ipauulit) ko lang (po |)(yung|ang) {start.nth_ng} tanong ko
{start.nth}. (ulitin mo|pakiulit|iyon ang gusto ko)
(sagutin|sagutin mo) (muna|) (yung|ang) {start.nth} bago (ang|yung) iba
ano-ano {ba} (ang|yung) huling {tail.card_ng} (tinanong|itinanong) ko?
ano-ano {ba} (ang|yung) unang {head.card_ng} (tinanong|itinanong) ko?
<one_of=1>(isa|isa yata) sa unang {head.card_ng} (tanong ko|sagot mo)(, hindi ko na tanda kung alin|, nalimutan ko kung alin|), {karugtong}
<one_of=1>{start.nth} (yata |ata |)o {start.nth}(, hindi ako sigurado|, isa roon|, isa sa dalawa|), {karugtong}
<one_of=1>(baka|siguro|parang) (sa |yung |){start.nth} o (sa |yung |){start.nth}, {karugtong}
<end=1>(yung|ang) (panghuli|nasa hulihan|nasa dulo), {karugtong}
<end=1>sa (panghuli|hulihan|dulo|pinakadulo|hulihang tanong ko|panghuling sagot mo), {karugtong}
<end=1>(panghuli|panghuli po|hulihan|pinakadulo), {karugtong}
""")

RELATIVE = lines("""
{ago.card_ng} (tanong|mensahe|sagot) (ang nakaraan|ang nakalipas|na ang nakaraan|na ang nakalipas|pabalik|paatras|pataas)
(tanong ko|sagot mo|sinabi mo|tinanong ko) {ago.card_ng} (tanong|mensahe|sagot) (ang nakaraan|ang nakalipas|pabalik|na ang nakalipas)
(tanong ko|sagot mo|mensahe) na {ago.card_ng} (tanong|mensahe|hakbang) (pabalik|paatras|na ang nakalipas)
<ago=1>(nakaraang|naunang|sinundang|nakaraan kong|nauna kong) (tanong|tanong ko|katanungan|mensahe ko)
<ago=1>(nakaraang|naunang|nakaraan mong|nauna mong) (sagot|sagot mo|tugon|paliwanag)
<ago=1>(bago nito|bago ito|bago rito|nauna rito)
<ago=1>(tanong|sagot|mensahe|sinabi mo|tinanong ko) bago (nito|ito|ang tanong na ito)
<ago=1>(nasa itaas nito|nasa itaas|tanong sa itaas nito|sagot sa itaas nito)
<ago=1>sinundan (nito|ng tanong na ito)
<ago=1>isang tanong (ang nakaraan|pabalik|ang nakalipas)
<ago=2>(bago ang huli|bago yung huli|bago ang huling tanong|bago sa huli|sinundan ng huli)
<ago=2>(tanong ko|sagot mo|tanong|sinabi mo|mensahe) bago (ang huli|yung huli|yung huling tanong|ang huling tanong ko|yung huling sagot mo)
<ago=2>(bago pa|tanong bago|sagot bago) (niyan|noon|iyon)
<offset=-1>(tanong ko|sinabi mo|sagot mo|tanong|sagot|) bago (yung|ang) tungkol sa {topic.np}
<offset=-1>(tanong ko|sinabi mo|sagot mo|tanong|sagot|) bago (yung|ang) (tanong ko |tanong |sagot mo |)(sa|tungkol sa|hinggil sa) {topic.np}
<offset=1>(tanong ko|sinabi mo|sagot mo|tanong|sagot|) (pagkatapos ng|kasunod ng|sunod sa|kasunod sa|matapos ang) (tanong ko tungkol sa|tanong tungkol sa|tungkol sa|usapan natin sa|tanong sa) {topic.np}
<offset=1>(sumunod|kasunod|sunod|sumunod na tanong|sumunod kong tanong) sa (tanong ko tungkol sa|tungkol sa|tanong sa|usapang) {topic.np}
<offset=-1>(nauna|naunang tanong|sinundan|nauna kong tanong) sa (tanong ko tungkol sa|tungkol sa|tanong sa) {topic.np}
<offset=-1>(tinanong ko|sinabi mo|napag-usapan natin) bago (natin pag-usapan|ko itanong|mapunta sa|ko inusisa) (ang|yung) {topic.np}
<offset=1>(tinanong ko|sinabi mo|napag-usapan natin) (pagkatapos|matapos) (nating pag-usapan|kong itanong) (ang|yung) {topic.np}
{before.card_ng} tanong bago (yung|ang) (tungkol sa|tanong ko sa) {topic.np}
{after.card_ng} tanong (pagkatapos ng|matapos ang) (tungkol sa|tanong ko sa) {topic.np}
<offset=1>(sumunod|kasunod|sunod|sumunod na tanong|sumunod na sagot) sa {start.nth}
<offset=1>(sumunod|kasunod|tanong) (sa|pagkatapos ng) {start.nth_ng} (tanong|tanong ko|sagot)
<offset=-1>(bago ang|bago yung|nauna sa|sinundan ng) {start.nth_ng} (tanong|tanong ko|sagot mo)
<offset=-1>(tanong|tanong ko|sagot) bago (ang|yung) {start.nth}
<ago=1>(nauna|nauna rito|nakaraan|sinundan)
<ago=1>(tanong|sagot|mensahe) (na nauna rito|na sinundan nito|sa itaas)
<ago=2>(tanong|sagot) na (nauna sa huli|sinundan ng huli)
(tanong|sagot) (mga |) {ago.card} (na ang nakararaan|na ang nakalipas|pabalik)
<one_of=1>(mga |){ago.card} o {ago.card_ng} (tanong|sagot|mensahe) (ang nakaraan|ang nakalipas|pabalik)
""")

RELATIVE_SENTENCES = lines("""
ano {ba} (ang|yung) (tinanong|sinabi|itinanong) ko {ago.card_ng} tanong (ang nakaraan|ang nakalipas|pabalik)?
ano {ba} (ang|yung) (sinabi|sinagot|isinagot) mo {ago.card_ng} (tanong|sagot|mensahe) (ang nakaraan|ang nakalipas|pabalik)?
(bumalik|balik|umatras|atras) (ka|tayo|ka nga|tayo po|) (ng|nang) {ago.card_ng} (tanong|mensahe|sagot|hakbang)
(bumalik|balik|atras) (tayo|ka|) ng {ago.card}
<ago=1>(bumalik|balik|atras) (tayo|ka|po tayo|) ng isa(ng tanong|ng hakbang|)
<ago=1>ano {ba} (ang|yung) (nauna|sinundan|nakaraan) (kong|ko na) tanong?
<ago=1>ano {ba} (ang|yung) (tinanong|sinabi) ko bago (ito|nito)?
<ago=2>ano {ba} (ang|yung) (tinanong|itinanong|sinabi) ko bago (iyon|yung huli|niyan|ang huli)?
<ago=2>(eh |)(yung|ang) bago (pa |)(niyan|noon|iyon)?
<offset=-1>ano {ba} (ang|yung) (tinanong|itinanong|sinabi|pinag-usapan) (ko|natin) bago (yung|ang) (tungkol sa|tanong sa) {topic.np}?
<offset=1>ano {ba} (ang|yung) (tinanong|itinanong|pinag-usapan) (ko|natin) (pagkatapos|matapos) (ng|nung) (tungkol sa|tanong sa|tanong ko sa) {topic.np}?
<offset=1>ano {ba} (ang|yung) sumunod (kong tanong |na tanong |) (sa|pagkatapos ng) (tungkol sa |tanong ko sa |){topic.np}?
<offset=1>pagkatapos (ng|nung) {topic.np}, ano {ba} (ang|yung) (sumunod kong tanong|tinanong ko|sinabi mo)?
<offset=-1>bago (tayo napunta sa|ang|yung) {topic.np}, ano {ba} (ang|yung) (pinag-usapan natin|tinanong ko|sinabi mo)?
<offset=1>ano {ba} (ang|yung) tinanong ko (pagkatapos|matapos) ng {start.nth}?
<offset=-1>ano {ba} (ang|yung) tinanong ko bago (ang|yung) {start.nth}?
may (sinabi|nabanggit|ibinigay) ka {ago.card_ng} (tanong|mensahe|sagot) (ang nakaraan|pabalik|ang nakalipas), {karugtong}
{ago.card_ng} tanong (pabalik|ang nakaraan|ang nakalipas), {karugtong}
hindi (yung|ang) (huli|nauna), (yung|ang) bago (pa |)(noon|doon|niyon)<ago=2>
""")

TEMPORAL = lines("""
<time=just_now>(kasasabi|kakasabi|kasasagot|kakasagot|kapapaliwanag|kababanggit|kakabanggit|kabibigay|kasusulat) mo lang (po|ngayon|)
<time=just_now>(katatanong|kakatanong|kasasabi|kakasabi|kapapadala) ko lang (po|ngayon|)
<time=just_now>(sinabi|sinagot|ipinaliwanag|binanggit|isinulat|ibinigay) mo (ngayon lang|ngayon-ngayon lang|kani-kanina lang|kanikanina lang|kani-kanina)
<time=just_now>(tinanong|sinabi|itinanong) ko (ngayon lang|ngayon-ngayon lang|kani-kanina lang|kani-kanina)
<time=just_now>(sagot|paliwanag|tugon|payo) mo (ngayon lang|kani-kanina lang|ngayon-ngayon lang)
<time=just_now>(kani-kanina lang|kani-kanina|ngayon-ngayon lang)
<time=just_now>(kapag-uusap lang natin|kakapag-usapan lang natin|kasasabi mo pa lang)
<time=earlier>(sinabi|sinagot|binanggit|nabanggit|ipinaliwanag|ibinigay|ipinayo|isinulat) mo (kanina|kanina pa|dati|noong nakaraan|nung nakaraan|kanina po)
<time=earlier>(tinanong|itinanong|naitanong|sinabi|nabanggit) ko (kanina|kanina pa|dati|noong nakaraan|nung nakaraan|kanina po)
<time=earlier>(kanina|dati|kanina pa|mga kanina|kanina natin)
<time=earlier>(tanong|sagot|usapan|paksa|mensahe|bagay) (natin |ko |mo |)(kanina|dati|noong nakaraan)
<time=earlier>(napag-usapan|pinag-usapan|pinag-uusapan|tinalakay) natin (kanina|dati|kanina pa|nung nakaraan)
<time=earlier>(isa|isa pa) (sa mga|sa) (sinabi mo|tinanong ko|sagot mo) kanina
<time=earlier>(naiwan|natigil|hindi natin natapos) (natin |) (na usapan |) kanina
<time=opening>(tinanong|sinabi|itinanong|nabanggit) ko (noong simula|sa simula|nung umpisa|sa umpisa|sa umpisa pa lang|noong una tayong nag-usap|pagbukas ko ng chat|sa simula ng {usapan}|nung nagsimula tayo|noong nagsisimula pa lang tayo)
<time=opening>(sinabi|sinagot|ipinaliwanag) mo (noong simula|sa simula|nung umpisa|sa umpisa pa lang|sa simula ng {usapan}|nung nagsimula tayo|noong kasisimula pa lang natin)
<time=opening>(pinagmulan|pinagsimulan|umpisa|simula|pasimula) ng {usapan}
<time=opening>(pinag-usapan|napag-usapan) natin (noong simula|sa simula|nung umpisa|sa umpisa|nung nagsimula tayo|pagbukas ng usapan)
<time=opening>pambungad (kong tanong|na tanong|na tanong ko|kong mensahe)
<time=opening>(tanong|paksa|sagot) (sa simula|noong umpisa|sa umpisa|noong nagsimula tayo) (ng {usapan}|)
<time=earlier>(sinabi mo|tinanong ko|napag-usapan natin) (kaninang umaga|kahapon|bago ako umalis|bago ako kumain|bago mananghalian|nung isang araw|noong huli tayong nag-usap)
<time=earlier>(napag-usapan|pinag-uusapan|tinalakay) natin
<time=earlier>(bagay|iyong bagay) na (napag-usapan natin|sinabi mo noon|tinanong ko noon)
<time=opening>(ipinunta|ipinarito|isinadya) ko rito (sa umpisa|noong una)
""")

TEMPORAL_SENTENCES = lines("""
<time=just_now>ano {ba} (ang|yung|iyong) (kasasabi|kakasabi|kasasagot) mo lang?
<time=just_now>ano {ba} (ang|yung) (sinabi|sinagot) mo (ngayon lang|kani-kanina lang|ngayon-ngayon lang)?
<time=just_now>(teka|sandali|ha|ano), ano (ulit |) (yung|ang) (kasasabi mo lang|kakasabi mo lang|sinabi mo ngayon lang)?
<time=just_now>(kasasabi|kakasabi) mo lang (na|po na|) (pwede|hindi pwede|libre|bawal|may bayad|oo|hindi), (di ba|bakit iba na|ano ba talaga)?
<time=just_now>hindi ko (naintindihan|nakuha|nabasa|nasundan) (ang|yung) (kasasabi|kakasabi|kasasagot) mo lang
<time=just_now>(ngayon-ngayon lang|kani-kanina lang) may (sinabi|binanggit|ibinigay) ka(ng numero|ng halaga|ng pangalan|), {karugtong}
<time=earlier>ano {ba} (ang|yung) (sinabi|sinagot|binanggit) mo (kanina|dati|nung nakaraan)?
<time=earlier>ano {ba} (ang|yung) (tinanong|itinanong|sinasabi|tinatanong) ko kanina?
<time=earlier>ano {ba} (ang|yung) (pinag-uusapan|pinag-usapan|napag-usapan) natin kanina?
<time=earlier>(balik|bumalik) (tayo|po tayo|nga tayo) (sa|dun sa|doon sa) (kanina|sinabi mo kanina|usapan natin kanina|tanong ko kanina|pinag-uusapan natin kanina)
<time=earlier>may (sinabi|binanggit|ibinigay|nabanggit) ka (kanina|kanina pa|dati), {karugtong}
<time=earlier>may (tinanong|itinanong) ako (kanina|kanina pa|sa iyo kanina|dati), (ano nga iyon|ano nga ulit ang sagot mo|naaalala mo ba|balikan natin)
<time=earlier>(gaya|tulad|katulad) ng (sinabi|nabanggit|tanong|tinanong) (mo|ko) kanina, {karugtong}
<time=earlier>kanina (may sinabi ka|sinabi mo|may nabanggit ka), {karugtong}
<time=earlier>(sinabi|sinagot|ipinaliwanag) mo na (ito|iyan|iyon) kanina(, di ba|, ulitin mo nga|, ano nga ulit)?
<time=earlier>(hindi|di) (ganyan|iyan|yan) (ang|yung) sinabi mo kanina
<time=earlier>(natanong|naitanong) ko na (ba |yata |)(ito|iyan) kanina(, di ba|)?
<time=earlier>(ituloy|ipagpatuloy) natin (ang|yung) (usapan natin kanina|naiwan natin kanina|kanina)
<time=earlier>{dahilan} (ang|yung) (sinabi mo|sagot mo) kanina
<time=opening>(paano|saan) (nga |po |)(nagsimula|nag-umpisa) (ang |itong |) (usapan natin|usapang ito|chat na ito|pag-uusap natin)?
<time=opening>ano {ba} (ang|yung) (tinanong|sinabi|pakay|itinanong|hinahanap) ko (noong nagsimula tayo|sa simula|sa umpisa|pagbukas ko ng chat na ito|nung umpisa ng usapan)?
<time=opening>ano {ba} (ang|yung) (pinag-usapan|pinag-uusapan) natin (noong simula|sa umpisa|nung nagsimula tayo|sa simula ng usapan)?
<time=opening>(balik|bumalik) (tayo|po tayo|nga tayo) sa (simula|umpisa|pinagsimulan natin|umpisa ng usapan|pinakasimula)
<time=opening>(noong|nung) (nagsimula tayo|binuksan ko ang chat na ito|kasisimula pa lang natin|unang bukas ko nito), (may tinanong ako|may sinabi ka|ano ang sinabi ko), {karugtong}
<time=opening>(sa umpisa|sa simula|noong umpisa|nung simula) (ng usapan |ng pag-uusap natin |)may (sinabi|nabanggit|ibinigay) (ka|kang numero|kang pangalan|kang halaga), {karugtong}
<time=just_now>(ngayon-ngayon lang|kani-kanina lang), (ilan|ano|magkano|saan) (kamo|ulit|nga|ang sabi mo)?
""")

TOPIC = lines("""
tungkol sa {topic.np}
(tanong|tinanong|itinanong|naitanong|nabanggit) ko (kanina |dati |) (tungkol sa|hinggil sa|ukol sa) {topic.np}
(sinabi|sagot|sinagot|ipinaliwanag|payo|binanggit|ipinayo|isinagot) mo (kanina |dati |) (tungkol sa|hinggil sa|ukol sa|sa) {topic.np}
(binanggit|sinabi|ipinayo|inirekomenda|nabanggit) mong {topic.np} (kanina|)
{topic.np} na (sinabi|binanggit|nabanggit|ipinayo|inirekomenda|ibinigay) mo (kanina|)
{topic.np} na (tinanong|itinanong|nabanggit) ko (kanina|)
(usapan|pinag-usapan|napag-usapan|tinalakay) natin (kanina |) (tungkol sa|sa|ukol sa) {topic.np}
(bahagi|parte|sagot|tanong|mensahe|payo|paliwanag) (tungkol sa|ukol sa|na tungkol sa|sa) {topic.np}
sa {topic.np} (kanina|)
kanina tungkol sa {topic.np}
kanina sa {topic.np}
kaninang (tanong|sagot|usapan) (ko |mo |natin |)(tungkol sa|sa) {topic.np}
(tanong ko|sinabi mo|sagot mo|payo mo|hakbang) (sa|tungkol sa) {topic.gerund}
tungkol sa {topic.gerund}
sinabi mong {topic.clause}
sinabi mo kanina na {topic.clause}
(bahagi|parte) (na sinabi mong|kung saan sinabi mong|na nabanggit mong) {topic.clause}
(sagot|mensahe) (mo |) na (may|tungkol sa|bumanggit sa|naglalaman ng) {topic.np}
unang beses kong tinanong (ang|yung) {topic.np}
huling sinabi mo tungkol sa {topic.np}
""")

TOPIC_SENTENCES = lines("""
ano {ba} (ang|yung) (sinabi|sinagot|payo|sagot|nabanggit|rekomendasyon) mo (kanina |) (tungkol sa|sa|ukol sa) {topic.np} (kanina|ulit|)?
anong (sabi|sagot|payo|sinabi) mo (kanina |nga |ulit |)(tungkol sa|sa|dun sa) {topic.np} (kanina|ulit|)?
ano {ba} (ang|yung) (napag-usapan|pinag-usapan|napagkasunduan) natin (tungkol sa|sa) {topic.np}?
ano {ba} (ang|yung) tinanong ko (kanina |) tungkol sa {topic.np}?
(balik|bumalik|balik muna|balik nga|balik po) tayo (sa|dun sa|doon sa) {topic.np} (kanina|na sinabi mo|na nabanggit mo|)
(balikan|balikan nga|balikan muna) natin (ang|yung) {topic.np} (kanina|na sinabi mo|na pinag-usapan natin|)
(balik|bumalik) tayo (sa|dun sa) tanong ko (tungkol sa|sa) {topic.np}
(ipaalala|pakipaalala|paalala) mo (nga |) (sa akin |) (ang|yung) (sinabi mo|napag-usapan natin|payo mo) (tungkol sa|sa) {topic.np}
may (sinabi|nabanggit|binanggit|ipinaliwanag) ka (kanina |) (tungkol sa|na) {topic.np}, {karugtong}
(nabanggit|binanggit|sinabi) mo (kanina |) (ang|yung) {topic.np}, {karugtong}
kanina (nabanggit mo|pinag-usapan natin|tinanong ko|sinabi mo) (ang|yung) {topic.np}, {karugtong}
(di ba|hindi ba) (may sinabi ka|nabanggit mo|sinabi mo) (kanina |)(tungkol sa|ang tungkol sa) {topic.np}?
(di ba|hindi ba) (tinanong|natanong) ko (na |) (kanina |) (ang|yung) {topic.np}?
(noong|nung) (tinanong|itinanong) ko (ang|yung) (tungkol sa |){topic.np}, ano {ba} (ang|yung) (sagot|sinabi) mo?
sinabi mo (kanina |) na {topic.clause}(, di ba|, totoo ba|, sigurado ka|, bakit|, saan galing iyon)?
sabi mo (kanina |po |) {topic.clause}(, di ba|, totoo ba|, bakit ganoon|, ano ba talaga)?
bakit mo (sinabi|nasabi) na {topic.clause}?
anong ibig mong sabihin (sa|noong sinabi mong|nang sabihin mong) {topic.clause}?
(ulitin|pakiulit|paki-ulit) (mo |nga |po |) (ang|yung) (sinabi mo |sagot mo |bahagi |)(tungkol sa|sa) {topic.np}
(ulitin|pakiulit) (mo |nga |po |) (ang|yung) (tungkol sa|hakbang sa|payo mo sa) {topic.gerund}
yung (sa|tungkol sa) {topic.np} (ulit|nga|po|ulit po|nga ulit|kanina)
{topic.np} (ulit|nga ulit|kamo)? (nakalimutan ko|yung sinabi mo|yung kanina)
(tungkol|patungkol|hinggil) (dun |doon |) sa {topic.np} (kanina|na tinanong ko|na sinabi mo), {karugtong}
nasaan {ba} (ang|yung) (sagot mo|sinabi mo|bahagi) (tungkol sa|sa) {topic.np}?
{dahilan} (ang|yung) (sinabi|sagot|payo) mo (tungkol sa|sa) {topic.np}
(hanapin|pakihanap|ipakita) mo (nga |) (ang|yung) (usapan natin|sagot mo|tanong ko) (tungkol sa|sa) {topic.np}
(alin|ano) {ba} (yung|ang) {topic.keyword} na (sinabi|binanggit|inirekomenda|tinutukoy) mo (kanina|)?
(iyon|yun) bang (tungkol sa|sa) {topic.np}, {karugtong}
(ang tinutukoy|ang ibig kong sabihin|yung tinutukoy) ko (ay|po ay|) (yung|ang) (tungkol sa|sa) {topic.np}
(salamat|sige|okay po), (eh |ngayon |) (yung|ang) (tungkol sa|sa) {topic.np} (kanina|), {karugtong}
(ipagpatuloy|ituloy) natin (ang|yung) (usapan|pinag-uusapan) (natin |)(tungkol sa|sa) {topic.np}
(gamitin|sundin) mo (ang|yung) (paraan|format|hakbang) na (ginamit|ibinigay) mo sa {topic.np}
(magkano|ilan|kailan|saan|sino|alin|gaano katagal) nga (ulit|po ulit|uli) (yung|ang) {topic.np} (na sinabi mo|na binanggit mo|kanina|)?
(magkano|ilan|kailan|saan|gaano katagal) (ulit |nga |po |) (kamo |) (yung|ang) {topic.np} na (sinabi|binanggit|nabanggit) mo (kanina|)?
(akala ko|di ba) (sabi|sinabi) mo {topic.clause}?
ayon sa (sinabi|sagot) mo, {topic.clause}, {karugtong}
(ipinayo|inirekomenda|iminungkahi) mo (kanina |) (ang|yung) {topic.np}, {karugtong}
(hindi pa tapos|hindi natin natapos|naputol) (ang|yung) (usapan natin |sinasabi mo |)(tungkol sa|sa) {topic.np}
(doon|dun) sa {topic.np} (na sinabi mo|kanina|na tinanong ko), {karugtong}
(may|meron) (ba|pa ba) (kang |) (idadagdag|maidadagdag) sa sinabi mo (tungkol sa|sa) {topic.np}?
(iyon|yun) (bang|po bang) {topic.keyword} (kanina|na sinabi mo|na tinanong ko), {karugtong}
(tungkol|ukol) sa {topic.np} (ulit|uli|naman ulit|pa rin), {karugtong}
""")

FRESH_OPENERS = lines("""
huling tanong na po,
huling tanong na lang:
isa pang tanong,
una,
unang tanong:
una sa lahat,
pangalawang tanong,
ikalawang tanong ko po:
susunod na tanong,
bagong tanong:
ibang usapan naman,
bago ko makalimutan,
panghuli,
may dalawa akong tanong. una,
tanong ko pa,
pangatlo,
ibang paksa naman tayo,
bago ang lahat,
""")

OPENERS = lines("""
kakauwi ko lang.
naghihintay ang boss ko.
kagagaling ko lang sa palengke.
nawalan ako ng signal kanina.
nabasa ko na lahat.
tinanong muna ako ng asawa ko.
bumalik na ang anak ko.
nasa biyahe ako ngayon.
ang galing mo.
magandang umaga po,
magandang hapon,
magandang gabi po,
kumusta,
hello po,
hi po,
uy,
hoy,
teka,
sandali lang,
ah,
ay,
naku,
kuya,
ate,
boss,
idol,
sige,
sige po,
okay,
salamat,
salamat po.
pasensya na,
pasensya na po,
paumanhin po,
itatanong ko lang,
tanong ko lang po,
tanong lang,
eh,
ngayon,
tapos,
isa pa,
siyanga pala,
oo nga pala,
kung pwede po,
ma'am,
sir,
kasi,
pakisuyo po,
""")

CLOSERS = lines("""
po
salamat
salamat po
maraming salamat
ha
nga
kung pwede
kung maaari po
kuya
ate
boss
🙏
😅
😊
haha
hehe
...
!!
, pakisuyo
, kailangan ko lang
, nagmamadali ako
, pasensya na
""")

GRAMMAR = Grammar(
    lang="tl",
    rules=RULES | CASE_RULES,
    cases={"P": "{ang} {X}", "Psa": "{sa} {X}", "Png": "{ng} {X}"},
    tasks=TASKS,
    recalls=RECALLS,
    pointers={"ordinal": ORDINAL, "relative": RELATIVE, "temporal": TEMPORAL, "topic": TOPIC},
    sentences={
        "ordinal": ORDINAL_SENTENCES,
        "relative": RELATIVE_SENTENCES,
        "temporal": TEMPORAL_SENTENCES,
        "topic": TOPIC_SENTENCES,
    },
    followup_objects=FOLLOWUP_OBJECTS,
    fresh_objects=FRESH_OBJECTS,
    followups=FOLLOWUPS,
    negatives=NEGATIVES,
    fresh_openers=FRESH_OPENERS,
    openers=OPENERS,
    closers=CLOSERS,
)
