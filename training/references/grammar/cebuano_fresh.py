"""Cebuano: words for slots, follow-ups that lean on the last answer, and fresh requests."""

from __future__ import annotations

from training.references.grammar.compose import lines, rules

VOCABULARY = rules("""
said_clause = kinahanglan og {papel} / (bawal|pwede|dili pwede) ang {sudan} (sa {mgatawo}|) / libre ang {papel} / (duha|tulo|lima) ka (adlaw|semana|bulan) ang hulaton / mas barato sa {lugar} / dili pwede ang {mgatawo} / sirado {kanusa2} / guba na ang {gamit} / katapusan na {kanusa2} / walay bayad {kanusa2} / maayo ang luya sa {sakit}
lugar = Sugbo / Cebu / Davao / Manila / Bohol / CDO / Dumaguete / Leyte / Japan / Dubai / Canada / Siargao / Lapu-Lapu / Mandaue / Butuan / Saudi
tawo = akong mama / akong papa / akong bana / akong asawa / akong anak / akong boss / akong maestra / akong silingan / akong amiga / akong lola / akong igsoon
mgatawo = bata / buntis / tigulang / estudyante / OFW / nars / senior / langyaw
kanusa2 = ugma / karong gabii / sunod semana / sa Domingo / sa buntag / inig Pasko / sa Biyernes / inig ting-ulan / sunod bulan
gamit = cellphone / laptop / rice cooker / bentilador / motor / sakyanan / aircon / ref / TV / wifi
sudan = adobo / utan bisaya / kinilaw / lechon / humba / tinola / pochero / puto / bibingka / ngohiong / sinugba
papel = passport / lisensya / NBI clearance / birth certificate / visa / TIN / barangay clearance / PhilHealth
sakit = hilanat / labad sa ulo / ubo / sip-on / sakit sa tiyan / sakit sa ngipon / kalibanga / lipong
bayani = Rizal / Bonifacio / Lapu-Lapu / Magellan / Osmeña / Pacquiao / Aguinaldo
paksa = inflation / photosynthesis / dengue / SSS / klima / demokrasya / diabetes / stocks
guba = dili mosiga / init kaayo / hinay kaayo / naguba / dili mo-charge / buak ang screen
kaniadto = gahapon / niaging semana / duha ka semana na ang milabay / niaging bulan / ganihang buntag / gabii / tulo ka adlaw na ang milabay
sulti = Malipayong adlawng natawhan / Amping kanunay / Gihigugma ko ikaw / Salamat sa tabang ganiha / Balik unya / Kita ta ugma
""")

FOLLOWUP_OBJECTS = {
    "P": "(ni|kini|kana|na|to|imong tubag|ang imong tubag)",
    "Psa": "(ani|ana|diha|sa imong tubag)",
    "Png": "(ani|ana|ato)",
}

FRESH_OBJECTS = lines("""
{paksa}
kalainan sa {paksa} ug {paksa}
kinabuhi ni {bayani}
kasaysayan sa {lugar}
unang kapitulo sa Noli
katapusang kapitulo sa El Fili
unang presidente sa Pilipinas
pulong nga "{sulti}"
mensahe nga "{sulti}"
giingon sa doktor ganiha
pangutana sa among exam gahapon
recipe sa {sudan}
mga kinahanglanon sa {papel}
katapusang sweldo nako
""")

FOLLOWUPS = lines("""
ngano man (ana|to|diay|)?
(giunsa|unsaon) (man |) (na|to|pagkahibalo)?
(unsa|giunsa) (man |) (kung|pag) (sa {lugar}|{kanusa2}|wala koy kwarta|dili pwede|nag-ulan|buntis|gabii)?
(kung|pag) (sa {lugar}|{kanusa2}|duha mi|sirado|wala koy ID), (unsa man|pwede ba|unsaon)?
(sa|kumusta sa|unya sa) {lugar} (pud|man|)?
(para sa|apil ba ang|pwede ba sa) (mga |) {mgatawo}?
(kanus-a|asa|kinsa|pila|unsa|tagpila) (man|na|to|ba|)?
(pila|tagpila) (man |) (na|tanan|ang usa|ang bayad)?
(dugay|layo|mahal|lisod) ba (na|kaayo|to)?
(safe|bawal|libre|legal|tinuod|pwede) ba (na|to|ni) (sa {mgatawo}|{kanusa2}|sa {lugar}|)?
(sigurado|tinuod) (ka|ba|gyud|jud)?
(unsa|asa) (ang |) (mas barato|mas dali|mas maayo|pinakaduol) (ana|sa duha|)?
(naa pa|unsa pa|naa bay lain)?
(hatagi|tagai) pa ko og (usa|ehemplo|lima|lain)
(mubo-a|taasi|dugangi|usba|padayona|klaroha) (ra|palihug|bi|)
(sa|i-translate sa) (English|Tagalog|Binisaya) (palihug|pud|)
(dili|wala) ko kasabot (ana|)
unsa (ang |) (imong |) (pasabot|buot ipasabot) (ana|)?
(unya|human|pagkahuman) (unsa na|unsa sunod|unsa akong buhaton)?
(kinahanglan|pwede) (pa |) ba (na|ko ana|nako na)?
asa (man |) ko (makapalit|makakuha|mobayad) (ana|)?
naa bay (bayad|discount|limit|epekto|lain nga paagi)?
gisuwayan na nako pero (wala mugana|error|mao ra gihapon), unsa na?
(oo|sige|dili), (padayona|buhata|lain na lang)
(ug|unya) ang (presyo|bayad|sangkap|requirements|oras)?
mas (mubo|simple|klaro) (palihug|bi|)
""")

NEGATIVES = lines("""
kinsa (man |) ang (unang|ikaduhang|ikatulong|katapusang) (presidente|hari|Pilipino nga nakadaog|tawo sa bulan) (sa Pilipinas|sa {lugar}|)?
unsa (man |) ang (ikaduhang|unang|ikatulong) pinakadako nga (isla|siyudad|bukid) sa Pilipinas?
kanus-a (man |) ang (unang|katapusang) (adlaw sa klase|sweldo|biyahe|misa|eleksyon) (sa {lugar}|sa tuig|)?
unsa (man |) ang (first aid|unang tabang|unang buhaton) (sa|kung naay) {sakit}?
unang higayon nako (moadto sa {lugar}|mosakay og eroplano|magluto og {sudan}), unsay (angay dad-on|kinahanglan)?
unsa nga oras ang katapusang (biyahe|bus|barko) (padulong|gikan) sa {lugar}?
ganiha pa (sakit|gasakit) akong (ulo|tiyan|ngipon|likod), unsay tambal?
ganiha (nahulog akong {gamit}|naglinog|nasuko ang {tawo}|nawala akong {papel}), unsay buhaton nako?
{kaniadto} (mipalit ko og {gamit}|nag-apply ko og {papel}|gihilantan ko), (pwede pa ba iuli|kanus-a makuha|unsay tambal)?
(ingon|matod) (sa doktor|ni mama|sa akong maestra) (ganiha|gahapon|), bawal daw ang {sudan}, tinuod ba?
gipangutana ko sa {tawo} bahin sa {paksa}, unsaon nako pagtubag?
ang katapusang pangutana sa among (exam|quiz) bahin sa {paksa@1}, unsa man ang {paksa@1}?
unsaon pagbalik sa {lugar} gikan sa {lugar}?
unsaon pag-uli sa gipalit nga {gamit}?
pahinumdomi ko nga tawagan (usab |) si mama {kanusa2}
{guba} na pud akong {gamit}, unsaon pag-ayo?
kinsa (man |) ang (misunod|nauna) (kang|ni) {bayani}?
asa nauna, ang manok o ang itlog?
unsa (man |) ang angay buhaton (sa dili pa|una) (matulog|mobiyahe|magpa-blood test|mopalit og {gamit})?
sauna, unsaon (man |) sa mga tawo pagluto og {sudan}?
unsaon (pagluto|paghimo) og {sudan}?
unsa (man |) ang mga (kinahanglanon|requirements) sa (pagkuha og |) {papel}?
(pila|tagpila) (man |) ang ({gamit}|plite padulong {lugar}|bayad sa {papel}|kilo sa bugas) (karon|)?
asa (man |) (pwede |) (mopalit og {gamit}|mokuha og {papel}|mokaon og {sudan}) sa {lugar}?
unsa (man |) ang (maayong |) tambal sa {sakit}?
unsa (man |) ang {paksa}?
kinsa (man |) si {bayani}?
{guba} akong {gamit}, unsaon pag-ayo?
unsa (man |) ang panahon sa {lugar} {kanusa2}?
(himoi|buhati) ko og (balak|sulat|mensahe) para sa {tawo}
(unsa|unsaon pag-ingon) sa (English|Tagalog) ang "{sulti}"?
(maayong buntag|maayong hapon|maayong gabii|kumusta ka|hello)
(salamat|daghang salamat) (kaayo|sa tabang|sa tabang ganiha|usab|)
(babay|amping|sige una ko)
(kapoy|guol|laay|stress) kaayo (ko|karon|akong adlaw)
pwede ba (mokaon og {sudan} ang {mgatawo}|moadto sa {lugar} {kanusa2})?
unsa ka layo ang {lugar} gikan sa {lugar}?
unsay nindot (nga regalo sa {tawo}|nga negosyo sa {lugar}|sud-anon {kanusa2})?
unsa (man |) ang {topic.np}?
naa koy duha ka trabaho, sa {lugar} ug sa {lugar}; mas maayo ba ang una?
nag-istorya mi sa akong boss ganiha bahin sa sweldo, unsaon pag-negotiate?
ngano (init kaayo sa {lugar}|parat ang dagat|asul ang langit|mahal ang bugas)?
unsa (man |) ang (katapusang|unang) pangutana sa (Miss Universe|debate|bar exam)?
unsaon pagtubag sa (unang|katapusang) pangutana sa (interview|exam|form sa {papel})?
(i-translate|tubaga) ang katapusang mensahe sa {tawo}: "{sulti}"
ang nauna nakong pangutana sa akong maestra wala tubaga, unsay buhaton nako?
(hatagi|tagai) ko og (lima|napulo) ka pangutana bahin sa {paksa}
nakahinumdom ba ka sa (EDSA|90s|daang piso)?
nag-istorya mi sa {tawo} ganiha ug nasuko siya, unsay angay buhaton?
""")
